// Memory-bound kernels.
#pragma once

#include <cuda_runtime.h>

namespace other {

__device__ inline int thread_in_grid() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <typename T>
__global__ void axpy(T* y, const T* x, T a, int n) {
    const int i = thread_in_grid();
    if (i < n) {
        y[i] += a * x[i];
    }
}

__global__ void axpy_of_four(float4* y, const float4* x, float a, int n) {
    const int i = thread_in_grid();
    if (i < n) {
        const float4 from = x[i];
        float4 to = y[i];
        to.x += a * from.x;
        to.y += a * from.y;
        to.z += a * from.z;
        to.w += a * from.w;
        y[i] = to;
    }
}

__global__ void copy_by_grid(float* y, const float* x, int n) {
    for (int i = thread_in_grid(); i < n; i += gridDim.x * blockDim.x) {
        y[i] = x[i];
    }
}

__global__ void read_apart(float* y, const float* x, int n, int stride) {
    const int i = thread_in_grid();
    if (i < n) {
        y[i] = x[size_t(i) * stride];
    }
}

__global__ void gather(float* y, const float* x, const unsigned* from, int n) {
    const int i = thread_in_grid();
    if (i < n) {
        y[i] = x[from[i]];
    }
}

__global__ void scatter(float* y, const float* x, const unsigned* to, int n) {
    const int i = thread_in_grid();
    if (i < n) {
        y[to[i]] = x[i];
    }
}

// One thread per row, and one thread per column, of a square matrix.
__global__ void row_sums(float* sums, const float* matrix, int side) {
    const int row = thread_in_grid();
    float sum = 0;
    for (int column = 0; column < side; ++column) {
        sum += matrix[size_t(row) * side + column];
    }
    sums[row] = sum;
}
__global__ void column_sums(float* sums, const float* matrix, int side) {
    const int column = thread_in_grid();
    float sum = 0;
    for (int row = 0; row < side; ++row) {
        sum += matrix[size_t(row) * side + column];
    }
    sums[column] = sum;
}

__global__ void five_points(float* out, const float* in, int side) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < side - 1 && y < side - 1) {
        const int at = y * side + x;
        out[at] = 0.2f * (in[at] + in[at - 1] + in[at + 1] + in[at - side] + in[at + side]);
    }
}

// The same through shared memory, with a halo around each tile.
template <int TILE>
__global__ void five_points_tiled(float* out, const float* in, int side) {
    __shared__ float tile[TILE + 2][TILE + 2];
    const int x = blockIdx.x * TILE + threadIdx.x, tx = threadIdx.x + 1;
    const int y = blockIdx.y * TILE + threadIdx.y, ty = threadIdx.y + 1;
    const int at = y * side + x;
    tile[ty][tx] = in[at];
    if (tx == 1 && x > 0) {
        tile[ty][0] = in[at - 1];
    }
    if (tx == TILE && x < side - 1) {
        tile[ty][TILE + 1] = in[at + 1];
    }
    if (ty == 1 && y > 0) {
        tile[0][tx] = in[at - side];
    }
    if (ty == TILE && y < side - 1) {
        tile[TILE + 1][tx] = in[at + side];
    }
    __syncthreads();
    if (x > 0 && y > 0 && x < side - 1 && y < side - 1) {
        out[at] = 0.2f * (tile[ty][tx] + tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
    }
}

constexpr int radius = 16;
__constant__ float weights[2 * radius + 1];
__global__ void convolution(float* out, const float* in, int n) {
    const int i = thread_in_grid();
    if (i < radius || i >= n - radius) {
        return;
    }
    float sum = 0;
    for (int j = -radius; j <= radius; ++j) {
        sum += weights[j + radius] * in[i + j];
    }
    out[i] = sum;
}

// One warp per row.
__global__ void softmax(float* out, const float* in, int rows, int columns) {
    constexpr unsigned all = ~0U;
    const int row = thread_in_grid() / 32, lane = threadIdx.x % 32;
    if (row >= rows) {
        return;
    }
    const float* const from = in + size_t(row) * columns;
    float largest = -1e30f, sum = 0;
    for (int i = lane; i < columns; i += 32) {
        largest = fmaxf(largest, from[i]);
    }
    for (int away = 16; away > 0; away /= 2) {
        largest = fmaxf(largest, __shfl_xor_sync(all, largest, away));
    }
    for (int i = lane; i < columns; i += 32) {
        sum += __expf(from[i] - largest);
    }
    for (int away = 16; away > 0; away /= 2) {
        sum += __shfl_xor_sync(all, sum, away);
    }
    for (int i = lane; i < columns; i += 32) {
        out[size_t(row) * columns + i] = __expf(from[i] - largest) / sum;
    }
}

// Pointer chasing: `next` is the index of the next element.
__global__ void follow(unsigned* end, const unsigned* next, int steps) {
    unsigned at = threadIdx.x;
    for (int i = 0; i < steps; ++i) {
        at = next[at];
    }
    end[threadIdx.x] = at;
}

}  // namespace other
