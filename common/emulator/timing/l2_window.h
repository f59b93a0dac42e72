// Models L2 capacity: the DRAM traffic of neighbouring blocks whose footprint exceeds it.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "common/emulator/machine/launch.h"
#include "common/emulator/timing/sampling.h"

namespace lab::timing {

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
