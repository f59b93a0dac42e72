#include "common/emulator/machine/vectorised_loads.h"

#include <algorithm>

#include "common/emulator/machine/memory_access.h"

namespace lab::machine {
namespace {

constexpr std::uint32_t widest = 16;

// The same lanes and addresses with accesses of `bytes` each.
const AccessPattern& widened(const AccessPattern& pattern, std::uint32_t bytes, Worker& worker) {
    const AccessPattern*& known = pattern.wide[bytes == widest ? 1 : 0];
    if (known == nullptr) {
        std::array<std::uint64_t, warp_size> addresses{};
        for (unsigned lane = 0; lane < warp_size; ++lane) addresses[lane] = static_cast<std::uint64_t>(pattern.delta[lane]);
        known = worker.patterns.find(addresses.data(), pattern.mask, bytes, Traffic::banks, *worker.rules);
    }
    return *known;
}

}  // namespace

bool VectorisedLoads::any() const {
    const auto some = [](std::uint16_t count) { return count != 0; };
    return std::any_of(of_16.begin(), of_16.end(), some) || std::any_of(of_8.begin(), of_8.end(), some);
}

void count_vectorised(const VectorisedLoads& loads, Warp& warp, const AccessPattern& pattern, std::uint64_t base) {
    const std::size_t above = base % widest / loads.bytes;
    const std::uint64_t of_16 = (pattern.low_bits & (widest - 1)) == 0 ? loads.of_16[above] : 0;
    const std::uint64_t of_8 = (pattern.low_bits & 7U) == 0 ? loads.of_8[above] : 0;
    if (of_16 + of_8 == 0) return;
    const auto passes = [&](const AccessPattern& of, std::uint64_t at) { return std::uint64_t{cost_of(warp, of, at) & 0xffU}; };
    const std::uint64_t alone = passes(pattern, base);
    Counters& counters = warp.worker->counters;
    const auto add = [&](std::uint64_t times, std::uint32_t bytes) {
        if (times == 0) return;
        const std::uint64_t merged = bytes / loads.bytes;
        const std::uint64_t together = passes(widened(pattern, bytes, *warp.worker), base - base % bytes);
        counters.saved_loads += times * (merged - 1);
        counters.saved_wavefronts += times * (merged * alone - std::min(merged * alone, together));
    };
    add(of_16, widest);
    add(of_8, 8);
}

}  // namespace lab::machine
