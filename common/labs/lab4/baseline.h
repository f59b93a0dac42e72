// Slow kernels of lab 4's reference runner: C = A B on device pointers; A is m x k, B is k x n, C is m x n.
#pragma once

#include <cuda_runtime.h>

cudaError_t launch_matmul_any_untiled(const float* A, const float* B, float* C, int m, int n, int k);
// k up to constant_floats (common/labs/lab4/lab4.h).
cudaError_t launch_matmul_constant_scattered(const float* A, const float* B, float* C, int m, int n, int k);
