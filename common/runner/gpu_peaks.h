// Peak rates of the current GPU, for a roofline.
#pragma once

#include "common/trace/call.h"

namespace lab::runner {

// From the clocks and units that the runtime reports. A fused multiply-add counts as two operations.
[[nodiscard]] trace::Peaks gpu_peaks();

}  // namespace lab::runner
