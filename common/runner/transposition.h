// Calls a transposing kernel: arrays `in` and `out`, integers nx, ny and, if a kernel takes blocks of any shape, block_x and block_y.
#pragma once

#include <cuda_runtime.h>

#include <functional>

#include "common/runner/device_arrays.h"
#include "common/runner/invocation.h"

namespace lab::runner {

using TransposeInBlocks = std::function<cudaError_t(dim3 block, const float* in, float* out, int nx, int ny)>;
using Transpose = cudaError_t (*)(const float* in, float* out, int nx, int ny);

// Blocks have the `usual` shape if block_x is 0.
inline void call_transposition(Invocation& invocation, dim3 usual, const TransposeInBlocks& launch) {
    const auto size = [&](const char* name) { return static_cast<unsigned>(invocation.integer(name)); };
    const dim3 block = size("block_x") == 0 ? usual : dim3(size("block_x"), size("block_y"));
    const int nx = invocation.integer("nx");
    const int ny = invocation.integer("ny");
    DeviceArrays arrays(invocation);
    const auto* in = arrays.data<const float>("in");
    auto* out = arrays.data<float>("out");
    arrays.call([&] { return static_cast<int>(launch(block, in, out, nx, ny)); });
}

// For a kernel with one fixed block shape: any other requested one is an error.
inline void call_transposition(Invocation& invocation, Transpose launch) {
    if (invocation.integer("block_x") != 0 || invocation.integer("block_y") != 0) {
        throw SetupError(invocation.name() + " has one block shape of its own: ask for 0 x 0");
    }
    call_transposition(invocation, {},
                       [launch](dim3 /*block*/, const float* in, float* out, int nx, int ny) { return launch(in, out, nx, ny); });
}

}  // namespace lab::runner
