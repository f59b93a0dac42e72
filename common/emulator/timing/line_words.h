// A line of 128 bytes as a bit for each of its words, and its four pieces of 32 bytes.
#pragma once

#include <cstdint>

namespace lab::timing {

// Of the pieces, a bit each, those with a word in it.
[[nodiscard]] constexpr unsigned touched_sectors(std::uint32_t words) {
    unsigned sectors = 0;
    for (unsigned sector = 0; sector < 4; ++sector) sectors |= (words >> (8 * sector) & 0xffU) != 0 ? 1U << sector : 0;
    return sectors;
}

// Those with all of them.
[[nodiscard]] constexpr unsigned whole_sectors(std::uint32_t words) { return 0xfU & ~touched_sectors(~words); }

}  // namespace lab::timing
