// Loads of neighbouring words of shared memory that a compiler for hardware makes one wide load of: two or four words of 4 bytes, two of 8,
// where they lie together in an aligned piece. PTX has them one by one. ptxas does so for compute capability 5.0 to 9.0 alike (seen in
// its machine code for lab 3's products); whether a piece is aligned it tells from the text, here the addresses tell.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "common/emulator/machine/op.h"

namespace lab::machine {

struct JoinedLoads {
    std::uint32_t bytes = 4;  // of one load
    // By how many loads the first one's address lies above one that 16 bytes divide: wide loads of 16 bytes, and of 8.
    std::array<std::uint16_t, 4> of_16{}, of_8{};
    [[nodiscard]] bool any() const;
};

// `offsets`: of loads of `bytes` each (4 or 8), from the first one's address, 0 among them.
[[nodiscard]] JoinedLoads joined_loads(std::vector<std::int64_t> offsets, std::uint32_t bytes);

// The first of them has been executed, with this pattern: adds what hardware saves to the worker's counters.
void count_joined(const JoinedLoads& joined, Warp& warp, const AccessPattern& pattern, std::uint64_t base);

}  // namespace lab::machine
