// Only in lab 4's reference runner: kernels without the lab's technique, to judge technique by time if there are no counters.
#include <algorithm>

#include "common/labs/lab4/baseline.h"

namespace {

// All constant memory, as in the solution: each source file is a module with its own 64 KiB.
constexpr int floats = 16384;
__constant__ float band_of_A[floats];

// No tiles: every thread reads its row of A and its column of B from global memory.
__global__ void untiled(const float* A, const float* B, float* C, int m, int n, int k) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n) {
        return;
    }
    float sum = 0;
    for (int i = 0; i < k; ++i) {
        sum += A[size_t(row) * k + i] * B[size_t(i) * n + col];
    }
    C[size_t(row) * n + col] = sum;
}

// Like the solution's matmul_constant, but the lanes of a warp are 32 rows: each reads another word of constant memory.
__global__ void scattered(const float* B, float* C, int rows, int n, int k) {
    constexpr int across = 8;
    constexpr int down = 32;
    __shared__ float B_tile[down][across];
    const int row = blockIdx.y * down + threadIdx.x;
    const int col = blockIdx.x * across + threadIdx.y;
    float sum = 0;
    for (int start = 0; start < k; start += down) {
        const int B_row = start + threadIdx.x;
        B_tile[threadIdx.x][threadIdx.y] = B_row < k && col < n ? B[size_t(B_row) * n + col] : 0;
        __syncthreads();
        if (row < rows) {
            for (int i = 0; i < down && start + i < k; ++i) {
                sum += band_of_A[row * k + start + i] * B_tile[i][threadIdx.y];
            }
        }
        __syncthreads();
    }
    if (row < rows && col < n) {
        C[size_t(row) * n + col] = sum;
    }
}

int tiles_over(int elements, int tile) { return (elements + tile - 1) / tile; }

}  // namespace

cudaError_t launch_matmul_any_untiled(const float* A, const float* B, float* C, int m, int n, int k) {
    untiled<<<dim3(tiles_over(n, 16), tiles_over(m, 16)), dim3(16, 16)>>>(A, B, C, m, n, k);
    return cudaGetLastError();
}

cudaError_t launch_matmul_constant_scattered(const float* A, const float* B, float* C, int m, int n, int k) {
    const int band = floats / k;
    for (int first = 0; first < m; first += band) {
        const int rows = std::min(band, m - first);
        cudaError_t error =
            cudaMemcpyToSymbol(band_of_A, A + size_t(first) * k, size_t(rows) * k * sizeof(float), 0, cudaMemcpyDeviceToDevice);
        if (error == cudaSuccess) {
            scattered<<<dim3(tiles_over(n, 8), tiles_over(rows, 32)), dim3(32, 8)>>>(B, C + size_t(first) * n, rows, n, k);
            error = cudaGetLastError();
        }
        if (error != cudaSuccess) {
            return error;
        }
    }
    return cudaSuccess;
}
