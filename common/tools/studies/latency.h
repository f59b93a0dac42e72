// `lab latency`: latency in cycles of a dependent fused multiply-add, and the number of warps or independent chains that hide it. Measured
// on a GPU only: the emulator has no cycles.
#pragma once

#include <cstdint>
#include <string>

#include "common/tools/project.h"

namespace lab::tools {

struct LatencyOptions {
    std::int64_t repeats = 20;
    std::string json, svg;
};

// Returns 0, or 130 when interrupted, with the results so far shown. Throws BadInput.
[[nodiscard]] int latency(const Project& project, const LatencyOptions& options);

}  // namespace lab::tools
