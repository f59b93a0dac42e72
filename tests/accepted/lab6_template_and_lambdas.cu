// accepted: a function template for both plain kernels, lambdas for the tile
// Lab 6 · Diagonal order and partition camping
//
// The transpose of lab 5, its blocks in another order. `in` has ny rows of nx floats, `out` nx rows of ny, both row-major: element
// (row, col) of `in` is at index row * nx + col and goes to (col, row) of `out`, at index col * ny + row.
//
// Write only between the lines `// >>> your code` and `// <<< your code`; the text around them stays as it is.
#include "common/api/lab6.h"

// Helper functions of your own and further #includes, if you want any.
// >>> your code
// Known to the compiler, so that it unrolls them: a thread has all its loads in flight at a time.
template <int rows, int step, class Move>
__device__ void for_each_row(Move move) {
    for (int down = 0; down < rows; down += step) move(down + int(threadIdx.y));
}

__device__ uint2 diagonal_tile();

// `is_row`: x runs along a row of `in`, else along one of `out`.
template <bool is_row>
__device__ void move_one(const float* in, float* out, int nx, int ny) {
    const uint2 tile = diagonal_tile();
    const int x = tile.x * blockDim.x + threadIdx.x;
    const int y = tile.y * blockDim.y + threadIdx.y;
    const int col = is_row ? x : y, row = is_row ? y : x;
    if (col < nx && row < ny) out[size_t(col) * ny + row] = in[size_t(row) * nx + col];
}
// <<< your code

// (a) Which tile of the grid this block works on: x is the tile's column, from 0 to gridDim.x - 1, y its row, from 0 to
// gridDim.y - 1. The GPU starts blocks in the order of blockIdx.y * gridDim.x + blockIdx.x; blocks one after another in it have
// to get tiles along a diagonal, one to the right and one down from the tile before, until they leave the grid at its bottom:
// there the next diagonal begins. A diagonal that runs out of the grid on the right goes on at its left.
// Each tile has to be some block's, whatever gridDim is.
__device__ uint2 diagonal_tile() {
    // >>> your code
    const unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
    const unsigned row = block % gridDim.y;
    const unsigned col = (block / gridDim.y + row) % gridDim.x;
    return make_uint2(col, row);
    // <<< your code
}

// One thread an element, as lab 5's naive_row: threadIdx.x runs along a row of `in`, so loads are coalesced. The grid covers
// `in`; a thread of tile (x, y) has the column x * blockDim.x + threadIdx.x and the row y * blockDim.y + threadIdx.y of `in`. Threads
// beyond the matrix neither read nor write.
__global__ void diagonal_row(const float* in, float* out, int nx, int ny) {
    // >>> your code
    move_one<true>(in, out, nx, ny);
    // <<< your code
}

// As lab 5's naive_col: threadIdx.x runs along a row of `out`, so stores are coalesced, and the grid covers `out`.
__global__ void diagonal_col(const float* in, float* out, int nx, int ny) {
    // >>> your code
    move_one<false>(in, out, nx, ny);
    // <<< your code
}

// (b) Lab 5's best kernel in diagonal order: a block of 32 x 8 threads loads a tile of 32 x 32, four elements a thread, and
// stores it transposed. Both ways neighbouring threads have neighbouring addresses, and the tile in shared memory has a column
// more than it needs, so that no two threads of a warp meet in a bank. Every thread of the block has to reach __syncthreads().
constexpr int TILE = 32;
constexpr int ROWS = 8;  // blockDim.y

__global__ void diagonal_smem_pad(const float* in, float* out, int nx, int ny) {
    // >>> your code
    __shared__ float elements[TILE][TILE + 1];
    const uint2 tile = diagonal_tile();
    const int left = tile.x * TILE, top = tile.y * TILE, x = threadIdx.x;
    for_each_row<TILE, ROWS>([&](int y) {
        if (left + x < nx && top + y < ny) elements[y][x] = in[(top + y) * nx + left + x];
    });
    __syncthreads();
    for_each_row<TILE, ROWS>([&](int y) {
        if (top + x < ny && left + y < nx) out[(left + y) * ny + top + x] = elements[x][y];
    });
    // <<< your code
}

// (c) The study: in which BlockShape (common/api/lab6.h) is your diagonal_col fastest, on a GTX 280 and on an H100? Measure or
// model all of them; the handout says how. Then the reason: into how many pieces of 32 bytes does the load of one full warp fall
// in that shape, and its store? {BlockShape::..., pieces of the load, pieces of the store}
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
