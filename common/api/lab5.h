// Functions of lab 5, called by the suite and defined in the student's file. `in` has ny rows of nx floats, `out` nx rows of ny, both
// row-major.
#pragma once

#include <cuda_runtime.h>

enum class TransposeKernel { copy_row, copy_col, naive_row, naive_col, unroll4_row, unroll4_col, smem, smem_pad, smem_unroll_pad };

// Launches a kernel once on device pointers. nx and ny are at least 1, nx * ny is at most 2^31 - 1, and a grid has at most 65535 blocks
// along y. Returns the launch's error.
// `block`: dim3(0, 0) for the kernel's own, 16 x 16, or 32 x 8 for the three in shared memory. copy_*, naive_*, unroll4_* and
// smem_unroll_pad take two-dimensional blocks of any shape (smem_unroll_pad: if its tile fits into shared memory). smem and smem_pad, whose
// tile of 32 x 32 is fixed at compile time, take 32 x 8 only: any other gives cudaErrorInvalidValue.
cudaError_t launch_transpose(TransposeKernel kernel, dim3 block, float* out, const float* in, int nx, int ny);
