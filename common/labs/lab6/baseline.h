// Lab 6's kernels in cartesian order, in its reference runner. Arguments as in common/api/lab6.h.
#pragma once

#include <cuda_runtime.h>

cudaError_t launch_cartesian_row(dim3 block, const float* in, float* out, int nx, int ny);
cudaError_t launch_cartesian_col(dim3 block, const float* in, float* out, int nx, int ny);
cudaError_t launch_cartesian_smem_pad(const float* in, float* out, int nx, int ny);
