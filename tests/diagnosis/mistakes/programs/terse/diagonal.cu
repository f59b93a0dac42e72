// Lab 6 · Diagonal order and partition camping
//
// The transpose of lab 5, its blocks in another order. `in` has ny rows of nx floats, `out` nx rows of ny, both row-major: element
// (row, col) of `in` is at index row * nx + col and goes to (col, row) of `out`, at index col * ny + row.
//
// Write only between the lines `// >>> your code` and `// <<< your code`; the text around them stays as it is.
#include "common/api/lab6.h"

// Your own helper functions and further #includes, if any.
// >>> your code
// <<< your code

// (a) The tile of the grid that this block works on: x is the tile's column, from 0 to gridDim.x - 1, y its row, from 0 to gridDim.y
// - 1. The GPU starts blocks in the order of blockIdx.y * gridDim.x + blockIdx.x; blocks one after another in it have to get tiles
// along a diagonal, so that column and row change: one to the right and one down from the tile before, until the diagonal
// leaves the grid at its bottom, where the next one begins; one that leaves the grid on the right continues at its left. Any
// other diagonal is fine, too. Each tile must belong to a block, whatever gridDim is.
__device__ uint2 diagonal_tile() {
    // >>> your code
    unsigned n = blockIdx.y * gridDim.x + blockIdx.x;
    unsigned d = n / gridDim.y;
    uint2 t;
    t.y = n % gridDim.y;
    t.x = (d + t.y) % gridDim.x;
    return t;
    // <<< your code
}

// One thread an element, as lab 5's naive_row: threadIdx.x runs along a row of `in`, so loads are coalesced. The grid covers
// `in`; a thread of tile (x, y) has the column x * blockDim.x + threadIdx.x and the row y * blockDim.y + threadIdx.y of `in`. Threads
// beyond the matrix neither read nor write.
__global__ void diagonal_row(const float* in, float* out, int nx, int ny) {
    // >>> your code
    uint2 t = diagonal_tile();
    int x = t.x * blockDim.x + threadIdx.x;
    int y = t.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny)
        return;
    out[x * ny + y] = in[y * nx + x];
    // <<< your code
}

// As lab 5's naive_col: threadIdx.x runs along a row of `out`, so stores are coalesced, and the grid covers `out`.
__global__ void diagonal_col(const float* in, float* out, int nx, int ny) {
    // >>> your code
    uint2 t = diagonal_tile();
    int c = t.x * blockDim.x + threadIdx.x;
    int r = t.y * blockDim.y + threadIdx.y;
    if (r >= nx || c >= ny)
        return;
    out[r * ny + c] = in[c * nx + r];
    // <<< your code
}

// (b) Lab 5's best kernel in diagonal order: a block of 32 x 8 threads loads a tile of 32 x 32, four elements a thread, and stores
// it transposed. In both steps neighbouring threads access neighbouring addresses. The tile in shared memory has an extra column,
// so that no two threads of a warp conflict in a bank. Every thread of the block has to reach __syncthreads().
constexpr int TILE = 32;
constexpr int ROWS = 8;  // blockDim.y

__global__ void diagonal_smem_pad(const float* in, float* out, int nx, int ny) {
    // >>> your code
    __shared__ float s[TILE * (TILE + 1)];
    uint2 t = diagonal_tile();
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = t.x * TILE + tx;
    int y = t.y * TILE + ty;
    for (int i = 0; i < TILE; i += ROWS) {
        if (x < nx && y + i < ny)
            s[(ty + i) * (TILE + 1) + tx] = in[(y + i) * nx + x];
    }
    __syncthreads();
    x = t.y * TILE + tx;
    y = t.x * TILE + ty;
    for (int i = 0; i < TILE; i += ROWS) {
        if (x < ny && y + i < nx)
            out[(y + i) * ny + x] = s[tx * (TILE + 1) + ty + i];
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
