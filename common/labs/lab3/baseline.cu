// Only in lab 3's reference runner: kernels without the lab's technique, whose profiles ./lab profile --compare shows beside others.
#include "common/labs/lab3/baseline.h"

namespace {

// No tiles: every thread reads its row of M and its column of N from global memory.
__global__ void untiled(const float* M, const float* N, float* P, int W) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < W; ++k) {
        sum += M[row * W + k] * N[k * W + col];
    }
    P[row * W + col] = sum;
}

// Tiles of 32 x 32 whose N is stored transposed and read by column: the 32 threads of a warp access one bank.
__global__ void conflicting(const float* M, const float* N, float* P, int W) {
    constexpr int tile = 32;
    __shared__ float M_tile[tile][tile];
    __shared__ float N_tile[tile][tile];
    const int row = blockIdx.y * tile + threadIdx.y;
    const int col = blockIdx.x * tile + threadIdx.x;
    float sum = 0;
    for (int start = 0; start < W; start += tile) {
        M_tile[threadIdx.y][threadIdx.x] = M[row * W + start + threadIdx.x];
        N_tile[threadIdx.x][threadIdx.y] = N[(start + threadIdx.y) * W + col];
        __syncthreads();
        for (int k = 0; k < tile; ++k) {
            sum += M_tile[threadIdx.y][k] * N_tile[threadIdx.x][k];
        }
        __syncthreads();
    }
    P[row * W + col] = sum;
}

}  // namespace

cudaError_t launch_untiled(const float* M, const float* N, float* P, int W) {
    untiled<<<dim3(W / 32, W / 32), dim3(32, 32)>>>(M, N, P, W);
    return cudaGetLastError();
}

cudaError_t launch_conflicting(const float* M, const float* N, float* P, int W) {
    conflicting<<<dim3(W / 32, W / 32), dim3(32, 32)>>>(M, N, P, W);
    return cudaGetLastError();
}
