// Lab 6 · Diagonal order and partition camping
//
// The transpose of lab 5, its blocks in another order. `in` has ny rows of nx floats, `out` nx rows of ny, both row-major: element
// (row, col) of `in` is at index row * nx + col and goes to (col, row) of `out`, at index col * ny + row.
//
// Write only between the lines `// >>> your code` and `// <<< your code`; the text around them stays as it is.
#include "common/api/lab6.h"

// Your own helper functions and further #includes, if any.
// >>> your code
#include <cstddef>

// Index of an element in a row-major matrix of this width.
static __device__ size_t index_of(const size_t row, const size_t col, const size_t width) { return row * width + col; }
// <<< your code

// (a) The tile of the grid that this block works on: x is the tile's column, from 0 to gridDim.x - 1, y its row, from 0 to gridDim.y
// - 1. The GPU starts blocks in the order of blockIdx.y * gridDim.x + blockIdx.x; blocks one after another in it have to get tiles
// along a diagonal, so that column and row change: one to the right and one down from the tile before, until the diagonal
// leaves the grid at its bottom, where the next one begins; one that leaves the grid on the right continues at its left. Any
// other diagonal is fine, too. Each tile must belong to a block, whatever gridDim is.
__device__ uint2 diagonal_tile() {
    // >>> your code
    const unsigned number = gridDim.x * blockIdx.y + blockIdx.x;
    const unsigned diagonal = number / gridDim.y;
    const unsigned steps_down = number - diagonal * gridDim.y;
    uint2 tile;
    tile.x = (diagonal + steps_down) % gridDim.x;
    tile.y = steps_down;
    return tile;
    // <<< your code
}

// One thread an element, as lab 5's naive_row: threadIdx.x runs along a row of `in`, so loads are coalesced. The grid covers
// `in`; a thread of tile (x, y) has the column x * blockDim.x + threadIdx.x and the row y * blockDim.y + threadIdx.y of `in`. Threads
// beyond the matrix neither read nor write.
__global__ void diagonal_row(const float* in, float* out, int nx, int ny) {
    // >>> your code
    const uint2 tile = diagonal_tile();
    const int in_col = blockDim.x * tile.x + threadIdx.x;
    const int in_row = blockDim.y * tile.y + threadIdx.y;
    if (in_col >= nx || in_row >= ny) {
        return;
    }
    out[index_of(in_col, in_row, ny)] = in[index_of(in_row, in_col, nx)];
    // <<< your code
}

// As lab 5's naive_col: threadIdx.x runs along a row of `out`, so stores are coalesced, and the grid covers `out`.
__global__ void diagonal_col(const float* in, float* out, int nx, int ny) {
    // >>> your code
    const uint2 tile = diagonal_tile();
    const int out_col = blockDim.x * tile.x + threadIdx.x;
    const int out_row = blockDim.y * tile.y + threadIdx.y;
    if (out_col < ny && out_row < nx) {
        const float element = in[index_of(out_col, out_row, nx)];
        out[index_of(out_row, out_col, ny)] = element;
    }
    // <<< your code
}

// (b) Lab 5's best kernel in diagonal order: a block of 32 x 8 threads loads a tile of 32 x 32, four elements a thread, and stores
// it transposed. In both steps neighbouring threads access neighbouring addresses. The tile in shared memory has an extra column,
// so that no two threads of a warp conflict in a bank. Every thread of the block has to reach __syncthreads().
constexpr int TILE = 32;
constexpr int ROWS = 8;  // blockDim.y

__global__ void diagonal_smem_pad(const float* in, float* out, int nx, int ny) {
    // >>> your code
    __shared__ float padded[TILE][TILE + 1];
    const uint2 tile = diagonal_tile();
    const int left = tile.x * TILE;
    const int top = tile.y * TILE;
    const int x = threadIdx.x;
    constexpr int elements_per_thread = TILE / ROWS;

    for (int i = 0; i < elements_per_thread; ++i) {
        const int y = ROWS * i + threadIdx.y;
        const int in_row = top + y;
        const int in_col = left + x;
        if (in_row < ny && in_col < nx) {
            padded[y][x] = in[index_of(in_row, in_col, nx)];
        }
    }
    __syncthreads();

    for (int i = 0; i < elements_per_thread; ++i) {
        const int y = ROWS * i + threadIdx.y;
        const int out_row = left + y;
        const int out_col = top + x;
        if (out_row < nx && out_col < ny) {
            out[index_of(out_row, out_col, ny)] = padded[x][y];
        }
    }
    // <<< your code
}

// (c) The study: in which BlockShape (common/api/lab6.h) is your diagonal_col fastest, on a GTX 280 and on an H100? Measure or
// model all of them; the handout says how. Then the reason: how many sectors of 32 bytes does the load of one full warp access in
// that shape, and its store? On a GTX 280 count each half-warp's. {BlockShape::..., sectors of the load, sectors of the store}
const BlockChoice best_on_gtx280 = {
    // >>> your code
    BlockShape::block_8x32, 16, 4
    // <<< your code
};
const BlockChoice best_on_h100 = {
    // >>> your code
    BlockShape::block_8x32, 8, 4
    // <<< your code
};

// Given: how the suite launches your kernels.
static unsigned tiles(int elements, unsigned side) { return (elements + side - 1) / side; }

cudaError_t launch_diagonal_row(dim3 block, const float* in, float* out, int nx, int ny) {
    diagonal_row<<<dim3(tiles(nx, block.x), tiles(ny, block.y)), block>>>(in, out, nx, ny);
    return cudaGetLastError();
}

cudaError_t launch_diagonal_col(dim3 block, const float* in, float* out, int nx, int ny) {
    diagonal_col<<<dim3(tiles(ny, block.x), tiles(nx, block.y)), block>>>(in, out, nx, ny);
    return cudaGetLastError();
}

cudaError_t launch_diagonal_smem_pad(const float* in, float* out, int nx, int ny) {
    diagonal_smem_pad<<<dim3(tiles(nx, TILE), tiles(ny, TILE)), dim3(TILE, ROWS)>>>(in, out, nx, ny);
    return cudaGetLastError();
}
