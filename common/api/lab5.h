// Lab 5: what the suite calls and the student's file has. `in` has ny rows of nx floats, `out` nx rows of ny, both row-major.
#pragma once

#include <cuda_runtime.h>

enum class TransposeKernel { copy_row, copy_col, naive_row, naive_col, unroll4_row, unroll4_col, smem, smem_pad, smem_unroll_pad };

// One launch of a kernel on device pointers; nx and ny from 1 up, nx * ny at most 2^31 - 1, and no more of them
// than a grid of 65535 blocks along y reaches. Returns the launch's error.
// `block`: dim3(0, 0) for the kernel's own, 16 x 16, for the three in shared memory 32 x 8. copy_*, naive_*, unroll4_* and smem_unroll_pad
// take blocks of any shape in two dimensions (smem_unroll_pad as far as its tile fits into shared memory); smem and smem_pad, whose tile
// of 32 x 32 is fixed when they are compiled, take 32 x 8 only: any other gives cudaErrorInvalidValue.
cudaError_t launch_transpose(TransposeKernel kernel, dim3 block, float* out, const float* in, int nx, int ny);
