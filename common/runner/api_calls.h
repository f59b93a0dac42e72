// The student's calls of the real CUDA runtime, intercepted by the linker's --wrap (see CMakeLists.txt) and reported to the spy. Its
// cudaMalloc adds guard zones, since nothing else on a GPU detects writes outside a kernel's arrays.
#pragma once

#include <vector>

#include "common/runner/value_origins.h"
#include "common/trace/call.h"

namespace lab::runner {

// Damage to guard zones since the last call: those freed meanwhile and those that still exist.
[[nodiscard]] std::vector<trace::GuardWrite> take_guard_writes();

// Reports copies to `origins` from now on; null: to nobody. Only cudaMemcpy, cudaMemcpy2D and their asynchronous variants are seen. Values
// in host memory have no known origin once a kernel may store there itself.
void follow_values(ValueOrigins* origins);

}  // namespace lab::runner
