// Calls of lab 4's matrix products, exercises and baselines alike.
#pragma once

#include <cuda_runtime.h>

#include "common/runner/device_arrays.h"
#include "common/runner/invocation.h"

namespace lab::runner {

using LaunchProduct = cudaError_t (*)(const float* A, const float* B, float* C, int m, int n, int k);

[[nodiscard]] inline Register product(const char* name, LaunchProduct launch) {
    return {name, [launch](Invocation& invocation) {
                const int m = invocation.integer("m");
                const int n = invocation.integer("n");
                const int k = invocation.integer("k");
                DeviceArrays arrays(invocation);
                const auto* A = arrays.data<const float>("A");
                const auto* B = arrays.data<const float>("B");
                auto* C = arrays.data<float>("C");
                arrays.call([&] { return static_cast<int>(launch(A, B, C, m, n, k)); });
            }};
}

}  // namespace lab::runner
