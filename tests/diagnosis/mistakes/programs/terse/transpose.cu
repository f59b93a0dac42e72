// Lab 5 · Transpose and coalescing
//
// out = in transposed. `in` has ny rows of nx floats, `out` has nx rows of ny: the element in row y and column x of `in`,
// in[y * nx + x], goes to out[x * ny + y]. A transpose only moves data, so its speed depends on its memory accesses.
// nx and ny are any numbers from 1 up, and no kernel may skip an edge.
//
// Write only between the lines `// >>> your code` and `// <<< your code`; the text around them stays as it is.
#include "common/api/lab5.h"

// Your own helper functions and further #includes, if any.
// >>> your code
// <<< your code

// Given: the bounds. copy_row accesses memory along rows on both sides, the best case for a transpose; copy_col accesses it in
// steps of ny elements on both sides, the worst case.
__global__ void copy_row(float* out, const float* in, int nx, int ny) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < nx && y < ny) {
        out[y * nx + x] = in[y * nx + x];
    }
}

__global__ void copy_col(float* out, const float* in, int nx, int ny) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < nx && y < ny) {
        out[x * ny + y] = in[x * ny + y];
    }
}

// (a) One thread an element; neighbouring threads (threadIdx.x) read along a row of `in`, and so write down a column of `out`.
// The grid covers `in`: its x runs over the nx columns, its y over the ny rows.
__global__ void naive_row(float* out, const float* in, int nx, int ny) {
    // >>> your code
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny)
        return;
    out[x * ny + y] = in[y * nx + x];
    // <<< your code
}

// (b) The other way round: neighbouring threads read down a column of `in`, and so write along a row of `out`.
// The grid covers `out`: its x runs over the ny columns of `out`, its y over the nx rows of `out`.
__global__ void naive_col(float* out, const float* in, int nx, int ny) {
    // >>> your code
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < nx) {
        if (c < ny)
            out[r * ny + c] = in[c * nx + r];
    }
    // <<< your code
}

// (c) As naive_row, with four elements a thread. Each of them needs a guard of its own. With all four loads before the four stores,
// four loads are outstanding at a time.
__global__ void unroll4_row(float* out, const float* in, int nx, int ny) {
    // >>> your code
    int w = blockDim.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int x0 = 4 * w * blockIdx.x + threadIdx.x;
    int x1 = x0 + w;
    int x2 = x1 + w;
    int x3 = x2 + w;
    float a = 0, b = 0, c = 0, d = 0;
    if (y >= ny)
        return;
    if (x0 < nx) a = in[y * nx + x0];
    if (x1 < nx) b = in[y * nx + x1];
    if (x2 < nx) c = in[y * nx + x2];
    if (x3 < nx) d = in[y * nx + x3];
    if (x0 < nx) out[x0 * ny + y] = a;
    if (x1 < nx) out[x1 * ny + y] = b;
    if (x2 < nx) out[x2 * ny + y] = c;
    if (x3 < nx) out[x3 * ny + y] = d;
    // <<< your code
}

// (d) As naive_col, with four elements a thread.
__global__ void unroll4_col(float* out, const float* in, int nx, int ny) {
    // >>> your code
    int w = blockDim.x;
    int c = (blockIdx.x * 4) * w + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    float v[4];
    if (r >= nx)
        return;
    for (int i = 0; i < 4; i++)
        if (c + i * w < ny)
            v[i] = in[(c + i * w) * nx + r];
    for (int i = 0; i < 4; i++)
        if (c + i * w < ny)
            out[r * ny + c + i * w] = v[i];
    // <<< your code
}

// Elements along the grid's x and y that one block of unroll4_row or unroll4_col covers: the grid follows from it.
static dim3 covered_by_unroll4(dim3 block) {
    // >>> your code
    block.x *= 4;
    return block;
    // <<< your code
}

// (e), (f): a block of 32 x 8 threads moves a tile of 32 x 32 elements, each thread four of them. The tile is read along rows of
// `in` into shared memory, and from there written along rows of `out`. The grid covers `out` in tiles: blocks whose blockIdx.x
// are neighbours run at the same time, and so write side by side.
constexpr int tile_side = 32;
constexpr int tile_threads_y = 8;

// (e) The tile is exactly 32 x 32 floats. One side accesses it down its columns: measure the cost.
__global__ void smem(float* out, const float* in, int nx, int ny) {
    // >>> your code
    __shared__ float t[tile_side * tile_side];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.y * tile_side + tx;
    int y = blockIdx.x * tile_side + ty;
    for (int i = 0; i < tile_side; i += tile_threads_y) {
        if (x < nx && y + i < ny)
            t[(ty + i) * tile_side + tx] = in[(y + i) * nx + x];
    }
    __syncthreads();
    x = blockIdx.x * tile_side + tx;
    y = blockIdx.y * tile_side + ty;
    for (int i = 0; i < tile_side; i += tile_threads_y) {
        if (x < ny && y + i < nx)
            out[(y + i) * ny + x] = t[tx * tile_side + ty + i];
    }
    // <<< your code
}

// (f) The same with padding, so that neither side of the tile has bank conflicts.
__global__ void smem_pad(float* out, const float* in, int nx, int ny) {
    // >>> your code
    __shared__ float t[tile_side][tile_side + 1];
    const int n = tile_side / tile_threads_y;
    int tx = threadIdx.x;
    int ic = blockIdx.y * tile_side;
    int ir = blockIdx.x * tile_side;
    for (int i = 0; i < n; i++) {
        int j = threadIdx.y + i * tile_threads_y;
        if (ir + j < ny && ic + tx < nx)
            t[tx][j] = in[(ir + j) * nx + ic + tx];
    }
    __syncthreads();
    for (int i = 0; i < n; i++) {
        int j = threadIdx.y + i * tile_threads_y;
        if (ic + j < nx && ir + tx < ny)
            out[(ic + j) * ny + ir + tx] = t[j][tx];
    }
    // <<< your code
}

// (g) The block's shape is known only at launch, so the tile is too: dynamic shared memory. A block moves a tile of blockDim.x rows
// and 2 * blockDim.x columns of `in`, two square tiles side by side, each thread as many elements of both as it takes. Rows of
// the tile are padded. The grid covers `out`, as in (e): there the tile has 2 * blockDim.x rows and blockDim.x columns.
__global__ void smem_unroll_pad(float* out, const float* in, int nx, int ny) {
    // >>> your code
    extern __shared__ float t[];
    int w = blockDim.x, h = blockDim.y;
    int p = 2 * w + 1;
    int tx = threadIdx.x;
    int x0 = blockIdx.y * 2 * w;
    int y0 = blockIdx.x * w;
    int a = x0 + tx;
    int b = a + w;
    for (int j = threadIdx.y; j < w; j += h) {
        int y = y0 + j;
        if (y < ny && a < nx)
            t[j * p + tx] = in[y * nx + a];
        if (y < ny && b < nx)
            t[j * p + tx + w] = in[y * nx + b];
    }
    __syncthreads();
    int c = y0 + tx;
    if (c >= ny)
        return;
    for (int j = threadIdx.y; j < w; j += h) {
        int r = x0 + j;
        if (r < nx)
            out[r * ny + c] = t[tx * p + j];
        r += w;
        if (r < nx)
            out[r * ny + c] = t[tx * p + j + w];
    }
    // <<< your code
}

// Elements along the grid's x and y that one block of smem_unroll_pad covers, and the bytes of its tile with padding.
static dim3 covered_by_smem_unroll_pad(dim3 block) {
    // >>> your code
    int w = block.x;
    return dim3(w, 2 * w);
    // <<< your code
}

static size_t bytes_of_smem_unroll_pad(dim3 block) {
    // >>> your code
    size_t w = block.x;
    return w * (2 * w + 1) * sizeof(float);
    // <<< your code
}

// Given: how the suite launches your kernels.
static dim3 grid_over(int along_x, int along_y, dim3 covered) {
    return dim3((along_x + covered.x - 1) / covered.x, (along_y + covered.y - 1) / covered.y);
}

cudaError_t launch_transpose(TransposeKernel kernel, dim3 block, float* out, const float* in, int nx, int ny) {
    const bool is_tiled = kernel >= TransposeKernel::smem;
    if (block.x == 0 || block.y == 0) {
        block = is_tiled ? dim3(tile_side, tile_threads_y) : dim3(16, 16);
    }
    const dim3 tile(tile_side, tile_side);
    if ((kernel == TransposeKernel::smem || kernel == TransposeKernel::smem_pad) && (block.x != tile_side || block.y != tile_threads_y)) {
        return cudaErrorInvalidValue;
    }
    switch (kernel) {
        case TransposeKernel::copy_row:
            copy_row<<<grid_over(nx, ny, block), block>>>(out, in, nx, ny);
            break;
        case TransposeKernel::copy_col:
            copy_col<<<grid_over(nx, ny, block), block>>>(out, in, nx, ny);
            break;
        case TransposeKernel::naive_row:
            naive_row<<<grid_over(nx, ny, block), block>>>(out, in, nx, ny);
            break;
        case TransposeKernel::naive_col:
            naive_col<<<grid_over(ny, nx, block), block>>>(out, in, nx, ny);
            break;
        case TransposeKernel::unroll4_row:
            unroll4_row<<<grid_over(nx, ny, covered_by_unroll4(block)), block>>>(out, in, nx, ny);
            break;
        case TransposeKernel::unroll4_col:
            unroll4_col<<<grid_over(ny, nx, covered_by_unroll4(block)), block>>>(out, in, nx, ny);
            break;
        case TransposeKernel::smem:
            smem<<<grid_over(ny, nx, tile), block>>>(out, in, nx, ny);
            break;
        case TransposeKernel::smem_pad:
            smem_pad<<<grid_over(ny, nx, tile), block>>>(out, in, nx, ny);
            break;
        case TransposeKernel::smem_unroll_pad:
            smem_unroll_pad<<<grid_over(ny, nx, covered_by_smem_unroll_pad(block)), block, bytes_of_smem_unroll_pad(block)>>>(out, in, nx,
                                                                                                                              ny);
            break;
    }
    return cudaGetLastError();
}
