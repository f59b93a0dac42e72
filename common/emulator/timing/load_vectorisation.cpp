#include "common/emulator/timing/load_vectorisation.h"

#include <algorithm>
#include <limits>

namespace lab::timing {

using machine::VectorisedLoads;

namespace {
constexpr std::uint32_t widest = 16;  // bytes
}

VectorisedLoads vectorised_loads(std::vector<std::int64_t> offsets, std::uint32_t bytes) {
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    const auto has = [&](std::int64_t offset) { return std::binary_search(offsets.begin(), offsets.end(), offset); };
    VectorisedLoads wide;
    wide.bytes = bytes;
    const auto step = static_cast<std::int64_t>(bytes);
    const std::int64_t places = widest / step;
    for (std::int64_t above = 0; above < places; ++above) {
        const auto at = static_cast<std::size_t>(above);
        std::int64_t done = std::numeric_limits<std::int64_t>::min();  // offsets below are done
        for (const std::int64_t offset : offsets) {
            if (offset < done) continue;
            const std::int64_t place = ((offset + above * step) % widest + widest) % widest;
            const auto next = [&](std::int64_t count) { return has(offset + count * step); };
            const bool fills_16 = place == 0 && next(1) && (places == 2 || (next(2) && next(3)));
            if (fills_16) {
                ++wide.of_16[at];
                done = offset + widest;
            } else if (bytes == 4 && place % 8 == 0 && next(1)) {
                ++wide.of_8[at];
                done = offset + 8;
            }
        }
    }
    return wide;
}

}  // namespace lab::timing
