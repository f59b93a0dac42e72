// Functions of lab 3, called by the suite and defined in the student's file. Matrices are W x W, row-major; W is a multiple of `tile`.
#pragma once

#include <cuda_runtime.h>

// Launches matmul_tiled<tile> once on device pointers, in blocks of tile x tile threads, one thread per element of P. `tile` is 16, 25 or
// 32; any other gives cudaErrorInvalidValue.
cudaError_t launch_matmul_tiled(int tile, const float* M, const float* N, float* P, int W);
cudaError_t launch_matmul_tiled(int tile, const double* M, const double* N, double* P, int W);
