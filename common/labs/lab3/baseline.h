// Slow kernels of lab 3's reference runner. W is a multiple of 32; pointers are device pointers.
#pragma once

#include <cuda_runtime.h>

cudaError_t launch_untiled(const float* M, const float* N, float* P, int W);
cudaError_t launch_conflicting(const float* M, const float* N, float* P, int W);
