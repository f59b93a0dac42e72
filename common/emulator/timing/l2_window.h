// Models L2 capacity: the sectors that neighbouring blocks share, and the DRAM traffic once their footprint exceeds it.
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
    // `wanted`: blocks that are to be added; `together`: that run at a time.
    L2Window(std::uint64_t bytes, std::uint64_t wanted, std::uint64_t together) : bytes_(bytes), wanted_(wanted), together_(together) {}

    // In any order; at most once a block.
    void add(std::uint64_t block, const std::vector<machine::LineAccess>& accesses);

    // Of the first blocks that touch more than the cache keeps; of all where they don't. Nothing where they don't and blocks are missing.
    [[nodiscard]] WindowTraffic traffic() const;
    // Of the first that run at the same time.
    [[nodiscard]] PartialSectors open() const;
    [[nodiscard]] Reuse reuse() const;

private:
    struct Touched {
        std::uint64_t accesses = 0;  // before lines were chosen
        std::vector<machine::LineAccess> chosen;
    };
    std::uint64_t bytes_, wanted_, together_;
    std::map<std::uint64_t, Touched> blocks_;
};

}  // namespace lab::timing
