// Functions of lab 2, called by the suite and defined in the student's file. Matrices are W x W, row-major float.
#pragma once

#include <cuda_runtime.h>

// Launches the student's kernel once on device pointers, with this grid and block. Returns the launch's error.
cudaError_t launch_matmul_global(dim3 grid, dim3 block, const float* M, const float* N, float* P, int W);

// The same for the kernel that maps x to rows.
cudaError_t launch_matmul_global_x_rows(dim3 grid, dim3 block, const float* M, const float* N, float* P, int W);

// P = M N on host pointers: allocate, copy in, launch, check, copy out, free. Returns the first error, else cudaSuccess.
cudaError_t matmul_on_device(const float* M, const float* N, float* P, int W);

// Launches that exercise (c) compares, and the student's predicted order, fastest first.
enum class Geometry { block_32x32, block_16x16, block_8x8, block_256x2, block_2x256, x_rows_32x32 };
constexpr int geometry_count = 6;
extern const Geometry predicted_order[geometry_count];
