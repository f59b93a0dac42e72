// Counts wide loads that ptxas makes of shared-memory loads, if their addresses allow it.
#pragma once

#include <array>
#include <cstdint>

#include "common/emulator/machine/op.h"

namespace lab::machine {

// Wide loads that replace a group of loads of neighbouring words. Their number depends on the alignment of the group.
struct VectorisedLoads {
    std::uint32_t bytes = 4;  // of one load
    // Wide loads of 16 bytes, and of 8, indexed by the first address's distance, in loads, from a multiple of 16 bytes.
    std::array<std::uint16_t, 4> of_16{}, of_8{};
    [[nodiscard]] bool any() const;
};

// Adds the savings to the worker's counters, after the first of the loads has been executed with this pattern.
void count_vectorised(const VectorisedLoads& loads, Warp& warp, const AccessPattern& pattern, std::uint64_t base);

}  // namespace lab::machine
