// Only in lab 6's reference runner: the kernels with blocks in cartesian order, to judge the gain of the diagonal order.
#include "common/labs/lab6/baseline.h"

namespace {

constexpr int side = 32;
constexpr int rows = 8;

unsigned tiles_over(int elements, unsigned width) { return (elements + width - 1) / width; }

__global__ void cartesian_row(const float* in, float* out, int nx, int ny) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col < nx && row < ny) {
        out[col * ny + row] = in[row * nx + col];
    }
}

__global__ void cartesian_col(const float* in, float* out, int nx, int ny) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col < ny && row < nx) {
        out[row * ny + col] = in[col * nx + row];
    }
}

__global__ void cartesian_smem_pad(const float* in, float* out, int nx, int ny) {
    __shared__ float elements[side][side + 1];
    const int in_col = blockIdx.x * side + threadIdx.x;
    const int in_row = blockIdx.y * side + threadIdx.y;
    for (int down = 0; down < side; down += rows) {
        if (in_col < nx && in_row + down < ny) {
            elements[threadIdx.y + down][threadIdx.x] = in[(in_row + down) * nx + in_col];
        }
    }
    __syncthreads();
    const int out_col = blockIdx.y * side + threadIdx.x;
    const int out_row = blockIdx.x * side + threadIdx.y;
    for (int down = 0; down < side; down += rows) {
        if (out_col < ny && out_row + down < nx) {
            out[(out_row + down) * ny + out_col] = elements[threadIdx.x][threadIdx.y + down];
        }
    }
}

}  // namespace

cudaError_t launch_cartesian_row(dim3 block, const float* in, float* out, int nx, int ny) {
    cartesian_row<<<dim3(tiles_over(nx, block.x), tiles_over(ny, block.y)), block>>>(in, out, nx, ny);
    return cudaGetLastError();
}

cudaError_t launch_cartesian_col(dim3 block, const float* in, float* out, int nx, int ny) {
    cartesian_col<<<dim3(tiles_over(ny, block.x), tiles_over(nx, block.y)), block>>>(in, out, nx, ny);
    return cudaGetLastError();
}

cudaError_t launch_cartesian_smem_pad(const float* in, float* out, int nx, int ny) {
    cartesian_smem_pad<<<dim3(tiles_over(nx, side), tiles_over(ny, side)), dim3(side, rows)>>>(in, out, nx, ny);
    return cudaGetLastError();
}
