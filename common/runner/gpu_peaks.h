// The rates that the GPU in use could reach at best, for a roofline.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace lab::runner {

// {"memory_gb_per_s", "float_gflop_per_s", "double_gflop_per_s"}, from the clocks and units that the runtime reports;
// what it doesn't tell is 0. A fused multiply-add counts as two operations.
[[nodiscard]] nlohmann::json gpu_peaks();

}  // namespace lab::runner
