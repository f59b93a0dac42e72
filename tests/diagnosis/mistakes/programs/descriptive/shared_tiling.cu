// Lab 3 · Shared-memory tiling
//
// P = M N again, W x W and row-major. In lab 2 every thread read a whole row of M and a whole column of N from global
// memory: 2 W loads for each element of P. Here the threads of a block load one tile of M and one tile of N together, each
// thread one element of each, use them TILE times from shared memory, and go on to the next pair of tiles.
//
// Write only between the lines `// >>> your code` and `// <<< your code`; the text around them stays as it is.
#include "common/api/lab3.h"

// Your own helper functions and further #includes, if any.
// >>> your code
#include <cstddef>
// <<< your code

// Blocks are TILE x TILE threads, the grid is W / TILE x W / TILE, and W is a multiple of TILE: no guards are needed.
// T is float or double. threadIdx.x runs along rows, as in lab 2.
// Every thread of the block has to reach every __syncthreads(): one between loading the tiles and using them, and one
// between using them and loading the next.
template <int TILE, typename T>
__global__ void matmul_tiled(const T* M, const T* N, T* P, int W) {
    // >>> your code
    __shared__ T tile_of_M[TILE][TILE];
    __shared__ T tile_of_N[TILE][TILE];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const size_t width = W;
    const size_t row = blockIdx.y * TILE + y;
    const size_t col = blockIdx.x * TILE + x;

    // This thread's elements of the first pair of tiles, and how far the next pair is.
    const T* element_of_M = M + row * width + x;
    const T* element_of_N = N + y * width + col;
    const size_t step_in_M = TILE;
    const size_t step_in_N = TILE * width;

    T dot_product = 0;
    const int tile_count = W / TILE;
    for (int tile = 0; tile < tile_count; ++tile) {
        tile_of_M[y][x] = *element_of_M;
        tile_of_N[y][x] = *element_of_N;
        element_of_M += step_in_M;
        element_of_N += step_in_N;
        __syncthreads();

        for (int k = 0; k < TILE; ++k) {
            dot_product += tile_of_M[y][k] * tile_of_N[k][x];
        }
        __syncthreads();
    }
    P[row * width + col] = dot_product;
    // <<< your code
}

// Given: how the suite launches your kernel.
template <typename T>
static cudaError_t launch(int tile, const T* M, const T* N, T* P, int W) {
    const dim3 block(tile, tile);
    const dim3 grid(W / tile, W / tile);
    switch (tile) {
        case 16:
            matmul_tiled<16><<<grid, block>>>(M, N, P, W);
            break;
        case 25:
            matmul_tiled<25><<<grid, block>>>(M, N, P, W);
            break;
        case 32:
            matmul_tiled<32><<<grid, block>>>(M, N, P, W);
            break;
        default:
            return cudaErrorInvalidValue;
    }
    return cudaGetLastError();
}

cudaError_t launch_matmul_tiled(int tile, const float* M, const float* N, float* P, int W) { return launch(tile, M, N, P, W); }
cudaError_t launch_matmul_tiled(int tile, const double* M, const double* N, double* P, int W) { return launch(tile, M, N, P, W); }
