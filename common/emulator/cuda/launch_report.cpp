#include "common/emulator/cuda/launch_report.h"

#include <fmt/format.h>

namespace lab::cuda {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const machine::Dim3& size) { return Json::array({size.x, size.y, size.z}); }

double efficiency(const machine::MemoryCounts& counts) {
    return counts.sectors == 0 ? 0 : static_cast<double>(counts.bytes) / (static_cast<double>(counts.sectors) * 32);
}

Json global(const machine::MemoryCounts& counts) {
    return {{"requests", counts.requests}, {"sectors", counts.sectors}, {"bytes", counts.bytes}, {"efficiency", efficiency(counts)}};
}

Json shared(const machine::MemoryCounts& counts) {
    return {{"requests", counts.requests}, {"wavefronts", counts.wavefronts}, {"conflicts", counts.conflicts}};
}

std::string shape(const machine::Dim3& size) { return fmt::format("{}x{}x{}", size.x, size.y, size.z); }

// "3.4" sectors a request; "-" where there was none.
std::string per_request(const machine::MemoryCounts& counts) {
    if (counts.requests == 0) return "-";
    return fmt::format("{:.1f}", static_cast<double>(counts.sectors) / static_cast<double>(counts.requests));
}

}  // namespace

Json to_json(const LaunchRecord& record) {
    const machine::Counters& counters = record.counters;
    return {{"kernel", record.kernel},
            {"grid", to_json(record.grid)},
            {"block", to_json(record.block)},
            {"shared_bytes", record.shared_bytes},
            {"dynamic_shared_bytes", record.dynamic_shared_bytes},
            {"instructions", {{"warp", counters.warp_instructions}, {"thread", counters.thread_instructions}}},
            {"global_load", global(counters.global_load)},
            {"global_store", global(counters.global_store)},
            {"shared_load", shared(counters.shared_load)},
            {"shared_store", shared(counters.shared_store)},
            {"constant_load",
             {{"requests", counters.constant_load.requests},
              {"passes", counters.constant_load.wavefronts},
              {"bytes", counters.constant_load.bytes}}},
            {"mapped_load", global(counters.mapped_load)},
            {"mapped_store", global(counters.mapped_store)},
            {"branches", {{"total", counters.branches}, {"divergent", counters.divergent_branches}}},
            {"barriers", counters.barriers},
            {"modelled_ms", record.modelled_ms},
            {"device", record.device}};
}

Json to_json(const std::vector<LaunchRecord>& records) {
    Json array = Json::array();
    for (const LaunchRecord& record : records) array.push_back(to_json(record));
    return array;
}

std::string to_table(const std::vector<LaunchRecord>& records) {
    if (records.empty()) return "no kernel was launched\n";
    constexpr const char* row = "{:<32.32} {:>14} {:>12} {:>12} {:>9} {:>9} {:>9} {:>10} {:>11} {:>12}\n";
    std::string text =
        fmt::format("modelled for {}; sect/req: 32-byte sectors a request, 4 is coalesced for 4-byte words\n", records.front().device);
    text += fmt::format(row, "kernel", "grid", "block", "warp instr.", "ld sect/rq", "st sect/rq", "conflicts", "divergent", "limit",
                        "modelled ms");
    for (const LaunchRecord& record : records) {
        const machine::Counters& counters = record.counters;
        text += fmt::format(row, record.kernel.substr(0, record.kernel.find('(')), shape(record.grid), shape(record.block),
                            counters.warp_instructions, per_request(counters.global_load), per_request(counters.global_store),
                            counters.shared_load.conflicts + counters.shared_store.conflicts, counters.divergent_branches,
                            record.bound.substr(0, record.bound.find(' ')), fmt::format("{:.4f}", record.modelled_ms));
    }
    return text;
}

}  // namespace lab::cuda
