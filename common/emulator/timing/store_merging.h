// Store merging in L1: the sectors that L1 forwards to L2 for the stores of a block.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/machine/launch.h"

namespace lab::timing {

// Counts of sectors.
struct StoreMerging {
    std::uint64_t touched = 0;            // by requests, repeats included
    std::uint64_t forwarded = 0;          // to L2
    std::uint64_t forwarded_in_part = 0;  // of those, partial sectors
};

// A write-through L1 merges a store with the store directly before it if both touch the same sector. Stores follow each other directly in
// adjacent warps that resume at the same time: from the same barrier, or from a load of the same sector. A request to many cache lines
// does not merge: its first sectors have left L1 when the next request arrives.
// Measured on an H200 by ncu (tests/gpu/on_device.sh, traffic): of the sectors that requests of 16 cache lines store, L1 forwards 0.46 to
// 0.54 after loads of the same sectors; of 8 cache lines 0.53 to 0.57; after loads of each warp's own sectors 0.83 to 0.98; of 32 cache
// lines all.
//
// `accesses`: of one block, as a BlockSampler gets them.
[[nodiscard]] StoreMerging store_merging(const std::vector<machine::LineAccess>& accesses);

}  // namespace lab::timing
