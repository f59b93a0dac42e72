// `lab latency`: how many cycles a dependent fused multiply-add takes, and how many warps or independent chains hide that. Measured on a
// GPU only: the emulator has no cycles.
#pragma once

#include <cstdint>
#include <string>

#include "common/tools/project.h"

namespace lab::tools {

struct LatencyOptions {
    std::int64_t repeats = 20;
    std::string json, svg;
};

// 0, or 130 when interrupted, with what was done until then shown. Throws BadInput.
[[nodiscard]] int latency(const Project& project, const LatencyOptions& options);

}  // namespace lab::tools
