#include "common/emulator/server/launch_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/findings/fold.h"
#include "common/trace/json.h"

namespace lab::cuda {
namespace {

std::string shape(const trace::Size& size) { return fmt::format("{}x{}x{}", size.x, size.y, size.z); }

// "3.4" sectors a request; "-" without requests.
std::string per_request(const trace::MemoryCounts& counts) {
    if (counts.requests == 0) return "-";
    return fmt::format("{:.1f}", static_cast<double>(counts.sectors) / static_cast<double>(counts.requests));
}

}  // namespace

nlohmann::json to_json(const std::vector<trace::Launch>& launches, const std::vector<Finding>& findings) {
    return {{"version", trace::form_version}, {"launches", launches}, {"findings", findings}};
}

std::string to_table(const std::vector<trace::Launch>& launches) {
    if (launches.empty()) return "no kernel was launched\n";
    constexpr const char* row = "  {:>12} {:>10} {:>10} {:>10} {:>9} {:>9} {:>11}\n";
    std::string text = fmt::format("modelled for {}; sect/rq: 32-byte sectors a request (4: coalesced floats)\n", launches.front().device);
    if (std::any_of(launches.begin(), launches.end(), [](const trace::Launch& launch) { return launch.is_estimate; })) {
        text += "a few blocks ran and stand for all: counts and times are estimates, and the kernels' results are not whole\n";
    }
    text += fmt::format(row, "warp instr.", "ld sect/rq", "st sect/rq", "conflicts", "divergent", "limit", "modelled ms");
    for (const trace::Launch& launch : launches) {
        const trace::Counters& counters = launch.counters;
        text += fmt::format("{}, grid {}, blocks {}\n", launch.kernel.substr(0, launch.kernel.find('(')), shape(launch.grid),
                            shape(launch.block));
        text += fmt::format(row, counters.warp_instructions, per_request(counters.global_load), per_request(counters.global_store),
                            counters.shared_load.conflicts + counters.shared_store.conflicts, counters.divergent_branches,
                            launch.bound.substr(0, launch.bound.find(' ')), fmt::format("{:.4f}", launch.modelled_ms));
    }
    return folded(text, usual_width);
}

}  // namespace lab::cuda
