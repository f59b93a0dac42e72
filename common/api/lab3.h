// Lab 3: what the suite calls and the student's file has. Matrices are W x W, row-major; W is a multiple of `tile`.
#pragma once

#include <cuda_runtime.h>

// One launch of matmul_tiled<tile> on device pointers, blocks of tile x tile threads, one thread an element of P.
// `tile` is 16, 25 or 32; any other gives cudaErrorInvalidValue.
cudaError_t launch_matmul_tiled(int tile, const float* M, const float* N, float* P, int W);
cudaError_t launch_matmul_tiled(int tile, const double* M, const double* N, double* P, int W);
