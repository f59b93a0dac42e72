// A cache line of 128 bytes as a bit mask of its words, and its four sectors.
#pragma once

#include <cstdint>

namespace lab::timing {

// Bit mask of the sectors with a word in `words`.
[[nodiscard]] constexpr unsigned touched_sectors(std::uint32_t words) {
    unsigned sectors = 0;
    for (unsigned sector = 0; sector < 4; ++sector) sectors |= (words >> (8 * sector) & 0xffU) != 0 ? 1U << sector : 0;
    return sectors;
}

// Bit mask of the sectors with all words in `words`.
[[nodiscard]] constexpr unsigned whole_sectors(std::uint32_t words) { return 0xfU & ~touched_sectors(~words); }

}  // namespace lab::timing
