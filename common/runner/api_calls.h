// The student's calls of the real CUDA runtime, led past the spy by the linker's --wrap (see CMakeLists.txt). Its cudaMalloc has
// guard zones, since nothing else on a GPU sees what a kernel writes beside its arrays.
#pragma once

#include <nlohmann/json.hpp>

#include "common/runner/value_origins.h"

namespace lab::runner {

// The damage of guard zones since the last call: of those that were freed meanwhile and of those that are still there.
[[nodiscard]] nlohmann::json take_guard_writes();

// Tells `origins` of copies from now on; null: nobody. They are seen here only where student code calls cudaMemcpy, cudaMemcpy2D or their
// asynchronous kin, and of values in host memory nothing can be told once a kernel may store there itself.
void follow_values(ValueOrigins* origins);

}  // namespace lab::runner
