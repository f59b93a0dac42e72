// Models L2 capacity: the DRAM traffic of neighbouring blocks whose footprint exceeds it.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "common/emulator/machine/launch.h"
#include "common/emulator/timing/sampling.h"

namespace lab::timing {

// Bit mask of the sectors with a word in `words`.
[[nodiscard]] constexpr unsigned touched_sectors(std::uint32_t words) {
    unsigned sectors = 0;
    for (unsigned sector = 0; sector < 4; ++sector) sectors |= (words >> (8 * sector) & 0xffU) != 0 ? 1U << sector : 0;
    return sectors;
}

// Bit mask of the sectors with all words in `words`.
[[nodiscard]] constexpr unsigned whole_sectors(std::uint32_t words) { return 0xfU & ~touched_sectors(~words); }

// Samples cache lines by a hash of their address.
class L2Window {
public:
    // `bytes`: capacity of L2. `wanted`: number of blocks to be added. `resident`: blocks of the whole device.
    L2Window(std::uint64_t bytes, std::uint64_t wanted, std::uint64_t resident) : bytes_(bytes), wanted_(wanted), resident_(resident) {}

    // Adds a block: in any order, at most once a block.
    void add(std::uint64_t block, const std::vector<machine::LineAccess>& accesses);

    // Traffic of the first blocks whose footprint exceeds L2, of all blocks if none does. Empty if none does and blocks are missing.
    [[nodiscard]] WindowTraffic traffic() const;
    // Partial sectors of the first resident blocks.
    [[nodiscard]] PartialSectors open() const;

private:
    struct Touched {
        std::uint64_t accesses = 0;  // before sampling
        std::vector<machine::LineAccess> sampled;
    };
    std::uint64_t bytes_, wanted_, resident_;
    std::map<std::uint64_t, Touched> blocks_;
};

}  // namespace lab::timing
