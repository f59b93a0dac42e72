// accepted: a class for tiles in raw shared bytes, another for tiles of a matrix
// Lab 3 · Shared-memory tiling
//
// P = M N again, W x W and row-major. In lab 2 every thread read a whole row of M and a whole column of N from global
// memory: 2 W loads for each element of P. Here the threads of a block load one tile of M and one tile of N together, each
// thread one element of each, use them TILE times from shared memory, and go on to the next pair of tiles.
//
// Write only between the lines `// >>> your code` and `// <<< your code`; the text around them stays as it is.
#include "common/api/lab3.h"

// Helper functions of your own and further #includes, if you want any.
// >>> your code
// A tile of a matrix in global memory, by its place among the tiles.
template <int TILE, typename T>
class GlobalTile {
public:
    __device__ GlobalTile(T* matrix, int W, int tile_row, int tile_col) : start_(matrix + (tile_row * W + tile_col) * TILE), W_(W) {}
    __device__ T& operator()(int row, int col) const { return start_[row * W_ + col]; }

private:
    T* start_;
    int W_;
};

template <int TILE, typename T>
struct SharedTile {
    T element[TILE][TILE];
    __device__ void load(const GlobalTile<TILE, const T>& from) { element[threadIdx.y][threadIdx.x] = from(threadIdx.y, threadIdx.x); }
};

template <int TILE, typename T>
struct TilePair {
    SharedTile<TILE, T> M, N;
};
// <<< your code

// Blocks are TILE x TILE threads, the grid is W / TILE x W / TILE, and W is a multiple of TILE: no guards are needed.
// T is float or double. threadIdx.x runs along rows, as in lab 2.
// Every thread of the block has to reach every __syncthreads(): one between loading the tiles and using them, and one
// between using them and loading the next.
template <int TILE, typename T>
__global__ void matmul_tiled(const T* M, const T* N, T* P, int W) {
    // >>> your code
    using Pair = TilePair<TILE, T>;
    __shared__ __align__(16) unsigned char bytes[sizeof(Pair)];
    Pair& tiles = *reinterpret_cast<Pair*>(bytes);
    const int tile_row = blockIdx.y;
    const int tile_col = blockIdx.x;
    T sum = 0;
    for (int step = 0; step * TILE < W; ++step) {
        tiles.M.load({M, W, tile_row, step});
        tiles.N.load({N, W, step, tile_col});
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            sum += tiles.M.element[threadIdx.y][k] * tiles.N.element[k][threadIdx.x];
        }
        __syncthreads();
    }
    GlobalTile<TILE, T>(P, W, tile_row, tile_col)(threadIdx.y, threadIdx.x) = sum;
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
