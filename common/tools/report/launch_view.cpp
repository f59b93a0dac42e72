#include "common/tools/report/launch_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "common/emulator/devices/occupancy.h"
#include "common/tools/studies/figures.h"
#include "common/tools/studies/study_device.h"
#include "common/trace/counters.h"

namespace lab::tools {
namespace {

using Json = nlohmann::json;

constexpr double sector_bytes = 32;

// Explanations of the model's resources (handouts/time_model.md), by their names in the emulator.
const std::map<std::string, std::string>& texts_of_resources() {
    static const std::map<std::string, std::string> all{
        {"issue", "Warp instructions over the rate at which the SMs' schedulers issue them."},
        {"arithmetic", "Arithmetic instructions over the rate of the units that execute them."},
        {"L1 and shared memory", "Wavefronts of shared memory and passes through L1, over their rate."},
        {"L2", "Sectors and cache lines that L2 serves, over its rate."},
        {"DRAM", "Sectors that come from and go to device memory, over its bandwidth."},
        {"bus to the host's memory", "Bytes of page-locked host memory, over the bus's bandwidth."},
        {"starting blocks", "Starting the grid's blocks."},
        {"latency (too few outstanding loads)", "Warps that wait for loads, with too few others to issue meanwhile."},
    };
    return all;
}

std::uint32_t threads_of(const trace::Launch& launch) { return static_cast<std::uint32_t>(launch.block.count()); }

Json time_view(const trace::Launch& launch, const devices::Device& device) {
    Json time = {{"ms", launch.modelled_ms},
                 {"modelled", true},
                 {"device", device.name},
                 {"limit", launch.bound},
                 {"launch_ms", launch.model.launch_ms},
                 {"parts", Json::array()}};
    for (const auto& [resource, ms] : launch.model.resource_ms) {
        const std::string name(name_of(resource));
        const auto text = texts_of_resources().find(name);
        time["parts"].push_back({{"name", name}, {"ms", ms}, {"text", text == texts_of_resources().end() ? "" : text->second}});
    }
    return time;
}

Json roofline_view(const trace::Launch& launch, const LaunchSubject& subject, const devices::Device& device) {
    const double ms = launch.modelled_ms;
    if (ms <= 0 || device.memory_gb_per_s <= 0) return nullptr;
    Json points = Json::array();
    const auto add = [&](const char* name, const char* text, double bytes) {
        if (bytes <= 0) return;
        points.push_back({{"name", name},
                          {"text", text},
                          {"flops", subject.work.flops},
                          {"bytes", bytes},
                          {"intensity", subject.work.flops / bytes},
                          {"gflop_per_s", subject.work.flops / ms * 1e-6},
                          {"gb_per_s", bytes / ms * 1e-6}});
    };
    add("useful bytes", "Each input read once, each output written once: what the problem needs.", subject.work.bytes);
    add("sectors", "What the requests touch, in sectors of 32 bytes, before any cache.",
        static_cast<double>(launch.counters.global_load.sectors + launch.counters.global_store.sectors) * sector_bytes);
    if (points.empty()) return nullptr;
    return {{"ms", ms},
            {"peak_gflop_per_s", peak_gflop_per_s(device, subject.element_bytes == 8)},
            {"peak_gb_per_s", device.memory_gb_per_s},
            {"points", points}};
}

Json occupancy_at(const devices::Device& device, devices::KernelNeeds needs, std::uint32_t threads) {
    needs.threads = threads;
    const devices::Occupancy found = devices::occupancy(device, needs);
    return {{"threads", threads}, {"blocks", found.blocks}, {"warps", found.warps}, {"limit", name_of(found.limit)}};
}

Json occupancy_view(const trace::Launch& launch, const devices::Device& device) {
    constexpr std::uint32_t warp_size = 32;
    const std::uint32_t threads = threads_of(launch);
    devices::KernelNeeds needs{threads, launch.occupancy.registers, launch.shared_bytes};
    // As at the launch: an estimate of registers with which the block would find no place was too high.
    if (devices::occupancy(device, needs).blocks == 0) needs.registers = 0;
    const devices::Occupancy now = devices::occupancy(device, needs);
    Json view = occupancy_at(device, needs, threads);
    view["registers"] = needs.registers;
    view["shared_bytes"] = needs.shared_bytes;
    view["max_warps"] = now.max_warps;
    view["text"] = fmt::format("{} blocks of {} threads fit an SM: {} of {} warps. Limited by {}. Registers are estimated.", now.blocks,
                               threads, now.warps, now.max_warps, name_of(now.limit));
    view["curve"] = Json::array();
    for (std::uint32_t each = warp_size; each <= device.max_threads_per_block; each += warp_size)
        view["curve"].push_back(occupancy_at(device, needs, each));
    return view;
}

Json partitions_view(const trace::Launch& launch, const devices::Device& device) {
    const trace::PartitionCounts& counted = launch.partitions;
    if (counted.waves == 0 || device.partitions == 0) return nullptr;
    const std::size_t count = device.partitions;
    const auto wave_of = [&](const std::vector<std::uint64_t>& all, std::size_t wave) {
        Json bytes = Json::array();
        for (std::size_t i = wave * count; i < (wave + 1) * count; ++i) bytes.push_back(i < all.size() ? all[i] : 0);
        return bytes;
    };
    Json waves = Json::array();
    for (std::size_t wave = 0; wave < counted.waves; ++wave)
        waves.push_back({{"load", wave_of(counted.load_waves, wave)}, {"store", wave_of(counted.store_waves, wave)}});
    // Without registers, as the waves were counted.
    const devices::KernelNeeds needs{threads_of(launch), 0, launch.shared_bytes};
    return {{"count", count},
            {"bytes", device.partition_bytes},
            {"wave_blocks", std::max(1U, devices::occupancy(device, needs).blocks) * device.sm_count},
            {"waves", waves},
            {"camping", {{"load", counted.load.camping()}, {"store", counted.store.camping()}}}};
}

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

Json launch_view(const trace::Launch& launch, const LaunchSubject& subject, const devices::Device& device, ReportSources* sources) {
    const bool has_fault = launch.has_fault;
    Json view = {{"name", subject.name},
                 {"kernel", launch.kernel},
                 {"grid", {launch.grid.x, launch.grid.y, launch.grid.z}},
                 {"block", {launch.block.x, launch.block.y, launch.block.z}},
                 {"size", nullptr},
                 {"launches", subject.launches},
                 {"is_estimate", launch.is_estimate},
                 {"has_fault", has_fault},
                 {"where", nullptr},
                 {"lines", Json::array()}};
    if (subject.size) view["size"] = {subject.size->x, subject.size->y};
    if (launch.where.is_known()) view["where"] = sources->place(launch.where.file, launch.where.line, 0);
    view["totals"] = has_fault ? Json::object() : counter_values(launch);
    for (const trace::LineCounts& line : launch.lines) {
        Json counters = counter_values_of_line(line);
        Json place = sources->place(line.file, line.line, 0);
        if (counters.empty() || place.is_null()) continue;
        view["lines"].push_back({{"source", place["source"]}, {"line", place["line"]}, {"counters", std::move(counters)}});
    }
    view["time"] = has_fault ? Json() : time_view(launch, device);
    view["roofline"] = has_fault ? Json() : roofline_view(launch, subject, device);
    view["occupancy"] = occupancy_view(launch, device);
    view["partitions"] = has_fault ? Json() : partitions_view(launch, device);
    add_recording(launch, subject, sources, &view);
    return view;
}

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
