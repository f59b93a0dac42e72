#include "common/emulator/machine/joined_loads.h"

#include <algorithm>
#include <limits>

#include "common/emulator/machine/memory_access.h"

namespace lab::machine {
namespace {

constexpr std::uint32_t widest = 16;

// The same lanes at the same places, `bytes` each.
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

bool JoinedLoads::any() const {
    const auto some = [](std::uint16_t count) { return count != 0; };
    return std::any_of(of_16.begin(), of_16.end(), some) || std::any_of(of_8.begin(), of_8.end(), some);
}

JoinedLoads joined_loads(std::vector<std::int64_t> offsets, std::uint32_t bytes) {
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    const auto has = [&](std::int64_t offset) { return std::binary_search(offsets.begin(), offsets.end(), offset); };
    JoinedLoads joined;
    joined.bytes = bytes;
    const auto step = static_cast<std::int64_t>(bytes);
    const std::int64_t places = widest / step;
    for (std::int64_t above = 0; above < places; ++above) {
        const auto at = static_cast<std::size_t>(above);
        std::int64_t done = std::numeric_limits<std::int64_t>::min();  // up to here all are dealt with
        for (const std::int64_t offset : offsets) {
            if (offset < done) continue;
            const std::int64_t place = ((offset + above * step) % widest + widest) % widest;
            const auto next = [&](std::int64_t count) { return has(offset + count * step); };
            const bool fills_16 = place == 0 && next(1) && (places == 2 || (next(2) && next(3)));
            if (fills_16) {
                ++joined.of_16[at];
                done = offset + widest;
            } else if (bytes == 4 && place % 8 == 0 && next(1)) {
                ++joined.of_8[at];
                done = offset + 8;
            }
        }
    }
    return joined;
}

void count_joined(const JoinedLoads& joined, Warp& warp, const AccessPattern& pattern, std::uint64_t base) {
    const std::size_t above = base % widest / joined.bytes;
    const std::uint64_t of_16 = (pattern.low_bits & (widest - 1)) == 0 ? joined.of_16[above] : 0;
    const std::uint64_t of_8 = (pattern.low_bits & 7U) == 0 ? joined.of_8[above] : 0;
    if (of_16 + of_8 == 0) return;
    const auto passes = [&](const AccessPattern& of, std::uint64_t at) { return std::uint64_t{cost_of(warp, of, at) & 0xffU}; };
    const std::uint64_t alone = passes(pattern, base);
    Counters& counters = warp.worker->counters;
    const auto add = [&](std::uint64_t times, std::uint32_t bytes) {
        if (times == 0) return;
        const std::uint64_t loads = bytes / joined.bytes;
        const std::uint64_t together = passes(widened(pattern, bytes, *warp.worker), base - base % bytes);
        counters.joined_instructions += times * (loads - 1);
        counters.joined_wavefronts += times * (loads * alone - std::min(loads * alone, together));
    };
    add(of_16, widest);
    add(of_8, 8);
}

}  // namespace lab::machine
