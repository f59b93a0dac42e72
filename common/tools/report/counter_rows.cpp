#include "common/tools/report/counter_rows.h"

#include <algorithm>
#include <array>

#include "common/tools/studies/figures.h"

namespace lab::tools {
namespace {

using Json = nlohmann::json;

// A count of the emulator's, or a figure that follows from several (no group: `field` is the figure's name).
struct Row {
    const char* name;
    const char* group;
    const char* field;
    const char* ncu;     // "": as the metric of the name `nvprof` has it
    const char* nvprof;  // "": it has none
    const char* unit;
    const char* text;
};

constexpr std::array rows{
    Row{"warp_instructions", "instructions", "warp", "", "inst_executed", "instructions", "Instructions that warps executed."},
    Row{"global_load_requests", "global_load", "requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "", "requests",
        "Warp instructions that load from global memory."},
    Row{"global_load_sectors", "global_load", "sectors", "", "gld_transactions", "sectors",
        "Sectors of 32 bytes that those loads touch; 4 a request is ideal for 4-byte elements."},
    Row{"global_load_efficiency", "", "gld_efficiency", "", "gld_efficiency", "%",
        "Bytes that threads asked for, of the bytes of the sectors; above 100 % where threads share a word."},
    Row{"global_store_requests", "global_store", "requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "", "requests",
        "Warp instructions that store to global memory."},
    Row{"global_store_sectors", "global_store", "sectors", "", "gst_transactions", "sectors", "Sectors that those stores touch."},
    Row{"global_store_efficiency", "", "gst_efficiency", "", "gst_efficiency", "%", "The same ratio as for loads."},
    Row{"global_atomic_requests", "global_atomic", "requests", "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "", "requests",
        "Warp instructions that are atomics on global memory."},
    Row{"shared_load_requests", "shared_load", "requests", "smsp__inst_executed_op_shared_ld.sum", "", "requests",
        "Warp instructions that load from shared memory."},
    Row{"shared_load_wavefronts", "shared_load", "wavefronts", "", "shared_load_transactions", "wavefronts",
        "Passes through the 32 banks for those loads; 1 a request without bank conflicts."},
    Row{"shared_store_requests", "shared_store", "requests", "smsp__inst_executed_op_shared_st.sum", "", "requests",
        "Warp instructions that store to shared memory."},
    Row{"shared_store_wavefronts", "shared_store", "wavefronts", "", "shared_store_transactions", "wavefronts",
        "Passes through the banks for those stores."},
    Row{"shared_efficiency", "", "shared_efficiency", "", "shared_efficiency", "%", "Bytes asked for, of 128 bytes a wavefront."},
    Row{"constant_load_requests", "constant_load", "requests", "smsp__inst_executed_op_ldc.sum", "", "requests",
        "Warp instructions that load constants."},
    Row{"local_load_sectors", "local_load", "sectors", "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "", "sectors",
        "Sectors of local memory that are loaded: arrays of a thread, and registers that did not fit."},
    Row{"local_store_sectors", "local_store", "sectors", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", "", "sectors",
        "Sectors of local memory that are stored."},
    Row{"branch_efficiency", "", "branch_efficiency", "", "branch_efficiency", "%", "Branches that all active lanes of a warp took alike."},
    Row{"achieved_occupancy", "", "achieved_occupancy", "", "achieved_occupancy", "%",
        "Warps that an SM can hold of this kernel, of those that it has room for (theoretical)."},
};

bool is_by_line(const Row& row) { return row.group[0] != '\0' && std::string_view(row.group) != "instructions"; }

std::string ncu_of(const Row& row) {
    if (row.ncu[0] != '\0') return row.ncu;
    const auto metric = std::find_if(metrics().begin(), metrics().end(), [&](const Metric& each) { return each.nvprof == row.nvprof; });
    return metric == metrics().end() ? "" : metric->ncu;
}

}  // namespace

Json counter_rows() {
    Json all = Json::array();
    for (const Row& row : rows) {
        all.push_back({{"name", row.name},
                       {"ncu", ncu_of(row)},
                       {"nvprof", row.nvprof},
                       {"unit", row.unit},
                       {"text", row.text},
                       {"by_line", is_by_line(row)}});
    }
    return all;
}

Json counter_values(const Json& launch) {
    const Figures figures = figures_of(launch);
    Json values = Json::object();
    for (const Row& row : rows) {
        if (row.group[0] == '\0') {
            if (const auto found = figures.find(row.field); found != figures.end()) values[row.name] = found->second;
        } else if (launch.contains(row.group)) {
            values[row.name] = launch.at(row.group).value(row.field, Json(0));
        }
    }
    return values;
}

Json counter_values_of_line(const Json& line) {
    Json values = Json::object();
    for (const Row& row : rows) {
        if (!is_by_line(row) || !line.contains(row.group)) continue;
        const Json value = line.at(row.group).value(row.field, Json(0));
        if (value != 0) values[row.name] = value;
    }
    return values;
}

}  // namespace lab::tools
