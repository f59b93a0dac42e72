#include "common/tools/report/counter_rows.h"

#include <algorithm>
#include <array>
#include <string>

#include "common/tools/studies/figures.h"
#include "common/trace/counters.h"

namespace lab::tools {
namespace {

using Json = nlohmann::json;

// A counter of the emulator's, or a figure that follows from several (no group: `name` is the metric's). Unit and profilers' names come
// from trace/counters.inc and metrics().
struct Row {
    const char* shown;
    const char* group;
    const char* name;
    const char* text;
};

constexpr std::array rows{
    Row{"warp_instructions", "instructions", "warp", "Instructions that warps executed."},
    Row{"global_load_requests", "global_load", "requests", "Warp instructions that load from global memory."},
    Row{"global_load_sectors", "global_load", "sectors",
        "Sectors of 32 bytes that those loads touch; 4 a request is ideal for 4-byte elements."},
    Row{"global_load_efficiency", "", "gld_efficiency",
        "Bytes that threads asked for, of the bytes of the sectors; above 100 % where threads share a word."},
    Row{"global_store_requests", "global_store", "requests", "Warp instructions that store to global memory."},
    Row{"global_store_sectors", "global_store", "sectors", "Sectors that those stores touch."},
    Row{"global_store_efficiency", "", "gst_efficiency", "The same ratio as for loads."},
    Row{"global_atomic_requests", "global_atomic", "requests", "Warp instructions that are atomics on global memory."},
    Row{"shared_load_requests", "shared_load", "requests", "Warp instructions that load from shared memory."},
    Row{"shared_load_wavefronts", "shared_load", "wavefronts",
        "Passes through the 32 banks for those loads; 1 a request without bank conflicts."},
    Row{"shared_store_requests", "shared_store", "requests", "Warp instructions that store to shared memory."},
    Row{"shared_store_wavefronts", "shared_store", "wavefronts", "Passes through the banks for those stores."},
    Row{"shared_efficiency", "", "shared_efficiency", "Bytes asked for, of 128 bytes a wavefront."},
    Row{"constant_load_requests", "constant_load", "requests", "Warp instructions that load constants."},
    Row{"local_load_sectors", "local_load", "sectors",
        "Sectors of local memory that are loaded: arrays of a thread, and registers that did not fit."},
    Row{"local_store_sectors", "local_store", "sectors", "Sectors of local memory that are stored."},
    Row{"branch_efficiency", "", "branch_efficiency", "Branches that all active lanes of a warp took alike."},
    Row{"achieved_occupancy", "", "achieved_occupancy",
        "Warps that an SM can hold of this kernel, of those that it has room for (theoretical)."},
};

bool is_figure(const Row& row) { return row.group[0] == '\0'; }
bool is_by_line(const Row& row) { return !is_figure(row) && trace::counter_row(row.group, row.name).is_of_line(); }

const Metric& metric_of(const char* name) {
    return *std::find_if(metrics().begin(), metrics().end(), [&](const Metric& metric) { return metric.nvprof == name; });
}

Json described(const Row& row, const char* unit, const std::string& ncu, const std::string& nvprof) {
    return {{"name", row.shown}, {"ncu", ncu}, {"nvprof", nvprof}, {"unit", unit}, {"text", row.text}, {"by_line", is_by_line(row)}};
}

Json described(const Row& row) {
    if (is_figure(row)) return described(row, "%", metric_of(row.name).ncu, row.name);
    const trace::CounterRow& counter = trace::counter_row(row.group, row.name);
    return described(row, trace::name_of(counter.unit), counter.profilers.counterpart(), counter.profilers.nvprof);
}

}  // namespace

Json counter_rows() {
    Json all = Json::array();
    for (const Row& row : rows) all.push_back(described(row));
    return all;
}

Json counter_values(const trace::Launch& launch) {
    const Figures figures = figures_of(launch);
    Json values = Json::object();
    for (const Row& row : rows) {
        if (is_figure(row)) {
            if (const auto found = figures.find(row.name); found != figures.end()) values[row.shown] = found->second;
        } else if (const trace::CounterRow& counter = trace::counter_row(row.group, row.name); counter.is_of_launch()) {
            values[row.shown] = counter.stored(launch.counters);
        }
    }
    return values;
}

Json counter_values_of_line(const trace::LineCounts& line) {
    Json values = Json::object();
    for (const Row& row : rows) {
        if (!is_by_line(row)) continue;
        const std::uint64_t value = trace::counter_row(row.group, row.name).stored(line.counters);
        if (value != 0) values[row.shown] = value;
    }
    return values;
}

}  // namespace lab::tools
