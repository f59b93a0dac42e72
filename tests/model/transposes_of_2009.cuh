// The eight kernels of Ruetsch and Micikevicius, "Optimizing Matrix Transpose in CUDA" (2009), at 2048 x 2048 in tiles of 32 x 32 with 32 x
// 8 threads. As in the paper, sizes are multiples of the tile and known only at run time; lab 6's kernels take any. `in` has rows of nx
// floats, `out` rows of ny if a kernel transposes.
#pragma once

#include <cuda_runtime.h>

namespace transposes_of_2009 {

constexpr int side = 2048;
constexpr int tile = 32;
constexpr int rows = 8;

struct Place {
    int col, row;
};

// Position of this thread's first element in the tile at (x, y).
__device__ Place in_tile(unsigned x, unsigned y) { return {int(x * tile + threadIdx.x), int(y * tile + threadIdx.y)}; }

__global__ void copy(float* out, const float* in, int nx, int) {
    const Place at = in_tile(blockIdx.x, blockIdx.y);
    for (int down = 0; down < tile; down += rows) {
        out[(at.row + down) * nx + at.col] = in[(at.row + down) * nx + at.col];
    }
}

__global__ void copy_through_shared(float* out, const float* in, int nx, int) {
    __shared__ float elements[tile][tile];
    const Place at = in_tile(blockIdx.x, blockIdx.y);
    for (int down = 0; down < tile; down += rows) {
        elements[threadIdx.y + down][threadIdx.x] = in[(at.row + down) * nx + at.col];
    }
    __syncthreads();
    for (int down = 0; down < tile; down += rows) {
        out[(at.row + down) * nx + at.col] = elements[threadIdx.y + down][threadIdx.x];
    }
}

__global__ void naive(float* out, const float* in, int nx, int ny) {
    const Place at = in_tile(blockIdx.x, blockIdx.y);
    for (int down = 0; down < tile; down += rows) {
        out[at.col * ny + at.row + down] = in[(at.row + down) * nx + at.col];
    }
}

// `from`: tile to read, `to`: tile to write, transposed.
template <int padding>
__device__ void through_shared(float* out, const float* in, int nx, int ny, Place from, Place to) {
    __shared__ float elements[tile][tile + padding];
    for (int down = 0; down < tile; down += rows) {
        elements[threadIdx.y + down][threadIdx.x] = in[(from.row + down) * nx + from.col];
    }
    __syncthreads();
    for (int down = 0; down < tile; down += rows) {
        out[(to.row + down) * ny + to.col] = elements[threadIdx.x][threadIdx.y + down];
    }
}

__global__ void coalesced(float* out, const float* in, int nx, int ny) {
    through_shared<0>(out, in, nx, ny, in_tile(blockIdx.x, blockIdx.y), in_tile(blockIdx.y, blockIdx.x));
}

__global__ void conflict_free(float* out, const float* in, int nx, int ny) {
    through_shared<1>(out, in, nx, ny, in_tile(blockIdx.x, blockIdx.y), in_tile(blockIdx.y, blockIdx.x));
}

// Transposes within each tile and leaves tiles in place.
__global__ void fine_grained(float* out, const float* in, int nx, int ny) {
    const Place at = in_tile(blockIdx.x, blockIdx.y);
    through_shared<1>(out, in, nx, ny, at, at);
}

// Moves tiles without transposing them.
__global__ void coarse_grained(float* out, const float* in, int nx, int ny) {
    __shared__ float elements[tile][tile + 1];
    const Place from = in_tile(blockIdx.x, blockIdx.y);
    const Place to = in_tile(blockIdx.y, blockIdx.x);
    for (int down = 0; down < tile; down += rows) {
        elements[threadIdx.y + down][threadIdx.x] = in[(from.row + down) * nx + from.col];
    }
    __syncthreads();
    for (int down = 0; down < tile; down += rows) {
        out[(to.row + down) * ny + to.col] = elements[threadIdx.y + down][threadIdx.x];
    }
}

__global__ void diagonal(float* out, const float* in, int nx, int ny) {
    const unsigned y = blockIdx.x;
    const unsigned x = (blockIdx.x + blockIdx.y) % gridDim.x;
    through_shared<1>(out, in, nx, ny, in_tile(x, y), in_tile(y, x));
}

struct Kernel {
    const char* name;
    void (*launch)(float*, const float*, int, int);
};
const Kernel kernels[] = {{"copy", copy},
                          {"copy through shared memory", copy_through_shared},
                          {"naive", naive},
                          {"coalesced", coalesced},
                          {"conflict-free", conflict_free},
                          {"fine-grained", fine_grained},
                          {"coarse-grained", coarse_grained},
                          {"diagonal", diagonal}};
constexpr size_t bytes = sizeof(float) * side * side;  // of a matrix

inline cudaError_t launch(const Kernel& kernel, float* out, const float* in) {
    kernel.launch<<<dim3(side / tile, side / tile), dim3(tile, rows)>>>(out, in, side, side);
    return cudaGetLastError();
}

}  // namespace transposes_of_2009
