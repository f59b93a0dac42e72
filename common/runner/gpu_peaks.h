// Peak rates of the current GPU, for a roofline.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace lab::runner {

// {"memory_gb_per_s", "float_gflop_per_s", "double_gflop_per_s"}, from the clocks and units that the runtime reports; 0 if unknown. A fused
// multiply-add counts as two operations.
[[nodiscard]] nlohmann::json gpu_peaks();

}  // namespace lab::runner
