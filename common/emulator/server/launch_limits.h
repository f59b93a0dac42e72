// Validation of a launch configuration against the device's limits.
#pragma once

#include <string>

#include "common/emulator/server/state.h"

namespace lab::cuda {

struct Shape {
    dim3 grid, block;
    std::size_t shared_bytes = 0;  // dynamic
};
// cudaSuccess, or the error with its reason.
struct Verdict {
    cudaError_t error = cudaSuccess;
    std::string why;
};
[[nodiscard]] Verdict check(const void* function, const Shape& shape, const machine::LoadedModule::KernelInfo& kernel,
                            const RuntimeState& state);

[[nodiscard]] inline machine::Dim3 to_machine(const dim3& size) { return {size.x, size.y, size.z}; }

}  // namespace lab::cuda
