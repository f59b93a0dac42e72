#include "common/emulator/server/leaks.h"

#include <algorithm>
#include <utility>

#include "common/findings/finding_text.h"

namespace lab::cuda {
namespace {

// Allocations that one line of the program made.
struct Leak {
    SourceLine where;
    bool is_page_locked = false;  // memory of the host
    std::uint64_t count = 0, bytes = 0;
};

// In the order of each line's first allocation. After a fault cudaFree fails, so remaining allocations are no leaks.
std::vector<Leak> leaks_of(const RuntimeState& state, std::uint64_t from_id) {
    std::vector<Leak> leaks;
    if (state.fault != cudaSuccess) return leaks;
    for (const machine::Allocation& allocation : state.memory->live()) {
        if (allocation.id <= from_id || !allocation.label.empty()) continue;
        const bool is_page_locked = allocation.kind == machine::AllocationKind::mapped;
        const auto same = [&](const Leak& leak) { return leak.where == allocation.where && leak.is_page_locked == is_page_locked; };
        auto found = std::find_if(leaks.begin(), leaks.end(), same);
        if (found == leaks.end()) found = leaks.insert(leaks.end(), Leak{allocation.where, is_page_locked});
        ++found->count;
        found->bytes += allocation.size;
    }
    return leaks;
}

std::string amount(const Leak& leak) {
    const std::string bytes = std::to_string(leak.bytes) + (leak.bytes == 1 ? " byte" : " bytes");
    return leak.count == 1 ? bytes : bytes + " in " + std::to_string(leak.count) + " allocations";
}

}  // namespace

std::string leak_report(const RuntimeState& state) {
    const std::vector<Leak> leaks = leaks_of(state, 0);
    if (leaks.empty()) return {};
    std::uint64_t bytes = 0, count = 0;
    std::string lines;
    constexpr std::size_t max_lines = 10;
    for (std::size_t i = 0; i < leaks.size(); ++i) {
        bytes += leaks[i].bytes;
        count += leaks[i].count;
        if (i < max_lines)
            lines += "\n  " + amount(leaks[i]) + (leaks[i].is_page_locked ? " of page-locked host memory" : "") +
                     (leaks[i].where.is_known() ? ", allocated at " + to_text(leaks[i].where) : "");
    }
    if (leaks.size() > max_lines) {
        const std::size_t more = leaks.size() - max_lines;
        lines += "\n  and from " + std::to_string(more) + (more == 1 ? " more place" : " more places");
    }
    const std::string allocations = count == 1 ? "1 allocation was" : std::to_string(count) + " allocations were";
    const bool is_device_memory = std::none_of(leaks.begin(), leaks.end(), [](const Leak& leak) { return leak.is_page_locked; });
    return (is_device_memory ? "device memory leaked: " : "memory leaked: ") + allocations + " never freed, " + std::to_string(bytes) +
           " bytes in all" + lines;
}

void keep_leaks(RuntimeState& state) {
    if (!state.options.checks.api) return;
    const bool explains = std::exchange(state.explains_misuse, false);  // leak_report() says it for all at once
    for (const Leak& leak : leaks_of(state, state.watched_from_id)) {
        Finding finding = finding_of_call(FindingKind::leak, leak.is_page_locked ? "cudaHostAlloc" : "cudaMalloc", leak.where);
        finding.headline = std::string(leak.is_page_locked ? "page-locked host memory" : "device memory") + " was never freed";
        finding.measured = {{Quantity::allocations, leak.count}, {Quantity::leaked_bytes, leak.bytes}};
        finding.advice = std::string(leak.is_page_locked ? "give each cudaHostAlloc and cudaMallocHost its cudaFreeHost"
                                                         : "give each cudaMalloc its cudaFree") +
                         ", on every way out of the function";
        keep(state, std::move(finding));
    }
    state.explains_misuse = explains;
}

std::uint64_t latest_allocation(const RuntimeState& state) {
    std::uint64_t latest = 0;
    for (const machine::Allocation& allocation : state.memory->live()) latest = std::max(latest, allocation.id);
    return latest;
}

}  // namespace lab::cuda
