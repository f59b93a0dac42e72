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
#define UNROLL 4

static __device__ __forceinline__ int IDX(int i, int j, int ld) { return i * ld + j; }
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
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= ny || j >= nx) return;
    out[IDX(j, i, ny)] = in[IDX(i, j, nx)];
    // <<< your code
}

// (b) The other way round: neighbouring threads read down a column of `in`, and so write along a row of `out`.
// The grid covers `out`: its x runs over the ny columns of `out`, its y over the nx rows of `out`.
__global__ void naive_col(float* out, const float* in, int nx, int ny) {
    // >>> your code
    const int i = blockDim.x * blockIdx.x + threadIdx.x;
    const int j = blockDim.y * blockIdx.y + threadIdx.y;
    if (i < ny && j < nx) out[IDX(j, i, ny)] = in[IDX(i, j, nx)];
    // <<< your code
}

// (c) As naive_row, with four elements a thread. Each of them needs a guard of its own. With all four loads before the four stores,
// four loads are outstanding at a time.
__global__ void unroll4_row(float* out, const float* in, int nx, int ny) {
    // >>> your code
    const int stride = blockDim.x;
    const int j0 = blockIdx.x * (UNROLL * stride) + threadIdx.x;
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    float v[UNROLL];

    if (i < ny) {
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            if (j0 + u * stride < nx) v[u] = in[IDX(i, j0 + u * stride, nx)];
        }
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            if (j0 + u * stride < nx) out[IDX(j0 + u * stride, i, ny)] = v[u];
        }
    }
    // <<< your code
}

// (d) As naive_col, with four elements a thread.
__global__ void unroll4_col(float* out, const float* in, int nx, int ny) {
    // >>> your code
    const int i0 = blockIdx.x * blockDim.x * UNROLL + threadIdx.x;
    const int i1 = i0 + blockDim.x;
    const int i2 = i1 + blockDim.x;
    const int i3 = i2 + blockDim.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (j >= nx) return;

    float a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;
    if (i0 < ny) a = in[IDX(i0, j, nx)];
    if (i1 < ny) b = in[IDX(i1, j, nx)];
    if (i2 < ny) c = in[IDX(i2, j, nx)];
    if (i3 < ny) d = in[IDX(i3, j, nx)];

    float* row = out + IDX(j, 0, ny);
    if (i0 < ny) row[i0] = a;
    if (i1 < ny) row[i1] = b;
    if (i2 < ny) row[i2] = c;
    if (i3 < ny) row[i3] = d;
    // <<< your code
}

// Elements along the grid's x and y that one block of unroll4_row or unroll4_col covers: the grid follows from it.
static dim3 covered_by_unroll4(dim3 block) {
    // >>> your code
    dim3 covered(block);
    covered.x *= UNROLL;
    return covered;
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
    __shared__ float t[tile_side][tile_side];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int i0 = tile_side * blockIdx.x;
    const int j0 = tile_side * blockIdx.y;

    for (int s = 0; s < tile_side; s += tile_threads_y) {
        const int i = i0 + ty + s;
        const int j = j0 + tx;
        if (i < ny && j < nx) t[ty + s][tx] = in[IDX(i, j, nx)];
    }
    __syncthreads();
    for (int s = 0; s < tile_side; s += tile_threads_y) {
        const int i = i0 + tx;
        const int j = j0 + ty + s;
        if (i < ny && j < nx) out[IDX(j, i, ny)] = t[tx][ty + s];
    }
    // <<< your code
}

// (f) The same with padding, so that neither side of the tile has bank conflicts.
__global__ void smem_pad(float* out, const float* in, int nx, int ny) {
    // >>> your code
    constexpr int ld = tile_side + 1;
    constexpr int steps = tile_side / tile_threads_y;
    __shared__ float t[tile_side * ld];
    const int c = threadIdx.x;
    const int i0 = tile_side * blockIdx.x;
    const int j0 = tile_side * blockIdx.y;

#pragma unroll
    for (int u = 0; u < steps; u++) {
        const int r = threadIdx.y + u * tile_threads_y;
        if (i0 + r < ny && j0 + c < nx) t[IDX(c, r, ld)] = in[IDX(i0 + r, j0 + c, nx)];
    }

    __syncthreads();

#pragma unroll
    for (int u = 0; u < steps; u++) {
        const int r = threadIdx.y + u * tile_threads_y;
        if (j0 + r < nx && i0 + c < ny) out[IDX(j0 + r, i0 + c, ny)] = t[IDX(r, c, ld)];
    }
    // <<< your code
}

// (g) The block's shape is known only at launch, so the tile is too: dynamic shared memory. A block moves a tile of blockDim.x rows
// and 2 * blockDim.x columns of `in`, two square tiles side by side, each thread as many elements of both as it takes. Rows of
// the tile are padded. The grid covers `out`, as in (e): there the tile has 2 * blockDim.x rows and blockDim.x columns.
__global__ void smem_unroll_pad(float* out, const float* in, int nx, int ny) {
    // >>> your code
    extern __shared__ float work[];
    const int nb = blockDim.x;
    const int ld = 2 * nb + 1;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int i0 = nb * blockIdx.x;
    const int j0 = 2 * nb * blockIdx.y;

    for (int r = ty; r < nb; r += blockDim.y) {
        const int i = i0 + r;
        const int j = j0 + tx;
        float left = 0.0f, right = 0.0f;
        if (i < ny && j < nx) left = in[IDX(i, j, nx)];
        if (i < ny && j + nb < nx) right = in[IDX(i, j + nb, nx)];
        work[IDX(r, tx, ld)] = left;
        work[IDX(r, tx + nb, ld)] = right;
    }
    __syncthreads();

    const int i = i0 + tx;
    if (i >= ny) return;
    for (int c = ty; c < 2 * nb; c += blockDim.y) {
        if (j0 + c < nx) out[IDX(j0 + c, i, ny)] = work[IDX(tx, c, ld)];
    }
    // <<< your code
}

// Elements along the grid's x and y that one block of smem_unroll_pad covers, and the bytes of its tile with padding.
static dim3 covered_by_smem_unroll_pad(dim3 block) {
    // >>> your code
    const unsigned nb = block.x;
    return dim3(nb, 2 * nb);
    // <<< your code
}

static size_t bytes_of_smem_unroll_pad(dim3 block) {
    // >>> your code
    const size_t ld = 2 * block.x + 1;
    return ld * block.x * sizeof(float);
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
