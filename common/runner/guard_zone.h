// A known pattern directly before and after an array in device memory, to detect writes outside the array.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <vector>

#include "common/trace/call.h"

namespace lab::runner {

// Size of each guard zone: a multiple of cudaMalloc's alignment; 0 with LAB_GUARD_ZONES=0, for tools that check each access themselves and
// would take a guard zone for a part of the array.
[[nodiscard]] std::size_t guard_zone_bytes();

class GuardZone {
public:
    // `block`: `guard` bytes, the array's `bytes`, `guard` bytes.
    GuardZone(std::byte* block, std::size_t bytes, std::size_t guard) : block_(block), bytes_(bytes), guard_(guard) {}
    [[nodiscard]] cudaError_t fill() const;
    // An entry for each side whose pattern has changed.
    [[nodiscard]] std::vector<trace::GuardWrite> damage(const std::string& array) const;

private:
    std::byte* block_;
    std::size_t bytes_;
    std::size_t guard_;
};

}  // namespace lab::runner
