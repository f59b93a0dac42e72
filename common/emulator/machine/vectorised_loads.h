// Loads from shared memory that hardware makes wide loads of, as far as their addresses allow.
#pragma once

#include <array>
#include <cstdint>

#include "common/emulator/machine/op.h"

namespace lab::machine {

// Wide loads that a group of loads of neighbouring words becomes. It depends on where the group begins.
struct VectorisedLoads {
    std::uint32_t bytes = 4;  // of one load
    // By how many loads the first one's address lies above one that 16 bytes divide: wide loads of 16 bytes, and of 8.
    std::array<std::uint16_t, 4> of_16{}, of_8{};
    [[nodiscard]] bool any() const;
};

// Adds what hardware saves to the worker's counters, after the first of the loads has been executed with this pattern.
void count_vectorised(const VectorisedLoads& loads, Warp& warp, const AccessPattern& pattern, std::uint64_t base);

}  // namespace lab::machine
