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
#define IDX(i, j, ld) ((i) * (ld) + (j))
// <<< your code

// Blocks are TILE x TILE threads, the grid is W / TILE x W / TILE, and W is a multiple of TILE: no guards are needed.
// T is float or double. threadIdx.x runs along rows, as in lab 2.
// Every thread of the block has to reach every __syncthreads(): one between loading the tiles and using them, and one
// between using them and loading the next.
template <int TILE, typename T>
__global__ void matmul_tiled(const T* M, const T* N, T* P, int W) {
    // >>> your code
    __shared__ T ms[TILE * TILE];
    __shared__ T ns[TILE * TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int i = blockIdx.y * TILE + ty;
    const int j = blockIdx.x * TILE + tx;
    const int me = IDX(ty, tx, TILE);
    const int nstep = W / TILE;

    const T* m = M + IDX(i, tx, W);
    const T* n = N + IDX(ty, j, W);
    T pij = T(0);
    for (int step = 0; step < nstep; step++) {
        ms[me] = *m;
        ns[me] = *n;
        m += TILE;
        n += TILE * W;
        __syncthreads();

        for (int k = 0; k < TILE; k++) {
            pij += ms[IDX(ty, k, TILE)] * ns[IDX(k, tx, TILE)];
        }
        __syncthreads();
    }
    P[IDX(i, j, W)] = pij;
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
