// Store merging in L1: the sectors that L1 forwards to L2 for the stores of a block.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/machine/launch.h"

namespace lab::timing {

// Sector counts.
struct StoreMerging {
    std::uint64_t touched = 0;            // by requests, repeats included
    std::uint64_t forwarded = 0;          // to L2
    std::uint64_t forwarded_in_part = 0;  // of those, partial sectors
};

// A write-through L1 merges a store with the directly preceding one if both touch the same sector. Stores follow each other directly in
// adjacent warps that resume at the same time: after the same barrier, or after a load of the same sector. Requests to many cache lines
// don't merge: the first sectors have left L1 when the next request arrives.
// Measured on an H200 by ncu (tests/gpu/on_device.sh, traffic): of the sectors stored by requests to 16 cache lines, L1 forwards 0.46 to
// 0.54 after loads of the same sectors; to 8 cache lines 0.53 to 0.57; after loads of each warp's own sectors 0.83 to 0.98; to 32 cache
// lines all.
//
// `accesses`: those of one block, as a BlockSampler receives them.
[[nodiscard]] StoreMerging store_merging(const std::vector<machine::LineAccess>& accesses);

}  // namespace lab::timing
