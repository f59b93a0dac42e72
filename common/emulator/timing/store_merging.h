// What the first-level cache hands on to the next of a block's stores.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/machine/launch.h"

namespace lab::timing {

// Pieces of 32 bytes.
struct StoredPieces {
    std::uint64_t touched = 0;         // by requests, each time
    std::uint64_t handed = 0;          // what goes on of it,
    std::uint64_t handed_in_part = 0;  // and of that, pieces of which something is left out
    // How many fewer these two would be if neighbouring warps that don't go on at the same time did so, by chance, every time.
    std::uint64_t by_chance = 0, by_chance_in_part = 0;
};

// A cache that passes stores on joins a piece with what the store right before it has put there. Which stores come right behind one
// another? Those of neighbouring warps that go on at the same time: from the same barrier, or as the same piece has come for both. Then two
// warps' parts of a piece are one, unless a request has so many lines that the first of them has left when the second request comes.
// Measured on an H200 by ncu (tests/gpu/on_device.sh, traffic): stores of 16 lines behind loads of the same pieces leave L1 as 0.46 to 0.54
// of their pieces, of 8 lines as 0.53 to 0.57, behind loads of pieces of each warp's own as 0.83 to 0.98; and stores of 32 lines as all.
//
// `accesses`: of one block, as a BlockSampler gets them.
[[nodiscard]] StoredPieces stored_pieces(const std::vector<machine::LineAccess>& accesses);

}  // namespace lab::timing
