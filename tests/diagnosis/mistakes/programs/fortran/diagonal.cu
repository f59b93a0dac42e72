// Lab 6 · Diagonal order and partition camping
//
// The transpose of lab 5, its blocks in another order. `in` has ny rows of nx floats, `out` nx rows of ny, both row-major: element
// (row, col) of `in` is at index row * nx + col and goes to (col, row) of `out`, at index col * ny + row.
//
// Write only between the lines `// >>> your code` and `// <<< your code`; the text around them stays as it is.
#include "common/api/lab6.h"

// Your own helper functions and further #includes, if any.
// >>> your code
#define IDX(i, j, ld) ((i) * (ld) + (j))
#define LD (TILE + 1)
// <<< your code

// (a) The tile of the grid that this block works on: x is the tile's column, from 0 to gridDim.x - 1, y its row, from 0 to gridDim.y
// - 1. The GPU starts blocks in the order of blockIdx.y * gridDim.x + blockIdx.x; blocks one after another in it have to get tiles
// along a diagonal, so that column and row change: one to the right and one down from the tile before, until the diagonal
// leaves the grid at its bottom, where the next one begins; one that leaves the grid on the right continues at its left. Any
// other diagonal is fine, too. Each tile must belong to a block, whatever gridDim is.
__device__ uint2 diagonal_tile() {
    // >>> your code
    const unsigned b = blockIdx.x + gridDim.x * blockIdx.y;
    const unsigned diag = b / gridDim.y;
    uint2 t;
    t.y = b - diag * gridDim.y;
    t.x = (diag + t.y) % gridDim.x;
    return t;
    // <<< your code
}

// One thread an element, as lab 5's naive_row: threadIdx.x runs along a row of `in`, so loads are coalesced. The grid covers
// `in`; a thread of tile (x, y) has the column x * blockDim.x + threadIdx.x and the row y * blockDim.y + threadIdx.y of `in`. Threads
// beyond the matrix neither read nor write.
__global__ void diagonal_row(const float* in, float* out, int nx, int ny) {
    // >>> your code
    const uint2 t = diagonal_tile();
    const int i = t.y * blockDim.y + threadIdx.y;
    const int j = t.x * blockDim.x + threadIdx.x;
    if (i >= ny || j >= nx) return;
    out[IDX(j, i, ny)] = in[IDX(i, j, nx)];
    // <<< your code
}

// As lab 5's naive_col: threadIdx.x runs along a row of `out`, so stores are coalesced, and the grid covers `out`.
__global__ void diagonal_col(const float* in, float* out, int nx, int ny) {
    // >>> your code
    const uint2 t = diagonal_tile();
    const int i = blockDim.x * t.x + threadIdx.x;
    const int j = blockDim.y * t.y + threadIdx.y;
    if (i < ny && j < nx) {
        out[IDX(j, i, ny)] = in[IDX(i, j, nx)];
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
    __shared__ float buf[TILE * LD];
    const uint2 t = diagonal_tile();
    const int tx = threadIdx.x;
    const int i0 = t.y * TILE;
    const int j0 = t.x * TILE;

#pragma unroll
    for (int u = 0; u < TILE / ROWS; u++) {
        const int r = threadIdx.y + u * ROWS;
        if (i0 + r < ny && j0 + tx < nx) buf[IDX(r, tx, LD)] = in[IDX(i0 + r, j0 + tx, nx)];
    }
    __syncthreads();

#pragma unroll
    for (int u = 0; u < TILE / ROWS; u++) {
        const int c = threadIdx.y + u * ROWS;
        if (j0 + c < nx && i0 + tx < ny) out[IDX(j0 + c, i0 + tx, ny)] = buf[IDX(tx, c, LD)];
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
