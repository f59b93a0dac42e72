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
#include <cstddef>

// Elements that each thread of the unroll4 kernels moves.
constexpr int elements_per_thread = 4;

__host__ __device__ constexpr int padded_pitch(const int side) { return 2 * side + 1; }

// Index of an element in a row-major matrix of this width.
static __device__ size_t index_of(const size_t row, const size_t col, const size_t width) { return row * width + col; }
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
    const int col = blockDim.x * blockIdx.x + threadIdx.x;
    const int row = blockDim.y * blockIdx.y + threadIdx.y;
    if (col >= nx || row >= ny) {
        return;
    }
    out[index_of(col, row, ny)] = in[index_of(row, col, nx)];
    // <<< your code
}

// (b) The other way round: neighbouring threads read down a column of `in`, and so write along a row of `out`.
// The grid covers `out`: its x runs over the ny columns of `out`, its y over the nx rows of `out`.
__global__ void naive_col(float* out, const float* in, int nx, int ny) {
    // >>> your code
    const int out_col = blockDim.x * blockIdx.x + threadIdx.x;
    const int out_row = blockDim.y * blockIdx.y + threadIdx.y;
    const bool exists = out_col < ny && out_row < nx;
    if (exists) {
        const float element = in[index_of(out_col, out_row, nx)];
        out[index_of(out_row, out_col, ny)] = element;
    }
    // <<< your code
}

// (c) As naive_row, with four elements a thread. Each of them needs a guard of its own. With all four loads before the four stores,
// four loads are outstanding at a time.
__global__ void unroll4_row(float* out, const float* in, int nx, int ny) {
    // >>> your code
    const int row = blockDim.y * blockIdx.y + threadIdx.y;
    const int first_col = elements_per_thread * blockDim.x * blockIdx.x + threadIdx.x;
    const int stride = blockDim.x;
    if (row >= ny) {
        return;
    }
    float elements[elements_per_thread] = {};
#pragma unroll
    for (int i = 0; i < elements_per_thread; ++i) {
        const int load_col = first_col + i * stride;
        if (load_col < nx) {
            elements[i] = in[index_of(row, load_col, nx)];
        }
    }
#pragma unroll
    for (int i = 0; i < elements_per_thread; ++i) {
        const int store_row = first_col + i * stride;
        if (store_row < nx) {
            out[index_of(store_row, row, ny)] = elements[i];
        }
    }
    // <<< your code
}

// (d) As naive_col, with four elements a thread.
__global__ void unroll4_col(float* out, const float* in, int nx, int ny) {
    // >>> your code
    const int out_row = blockDim.y * blockIdx.y + threadIdx.y;
    const int first_out_col = elements_per_thread * blockDim.x * blockIdx.x + threadIdx.x;
    float elements[elements_per_thread] = {};

    const auto out_col = [=](const int i) { return first_out_col + i * int(blockDim.x); };
    const auto exists = [=](const int i) { return out_row < nx && out_col(i) < ny; };

#pragma unroll
    for (int i = 0; i < elements_per_thread; ++i) {
        if (exists(i)) {
            elements[i] = in[index_of(out_col(i), out_row, nx)];
        }
    }
#pragma unroll
    for (int i = 0; i < elements_per_thread; ++i) {
        if (exists(i)) {
            out[index_of(out_row, out_col(i), ny)] = elements[i];
        }
    }
    // <<< your code
}

// Elements along the grid's x and y that one block of unroll4_row or unroll4_col covers: the grid follows from it.
static dim3 covered_by_unroll4(dim3 block) {
    // >>> your code
    const unsigned along_x = block.x * elements_per_thread;
    const unsigned along_y = block.y;
    return dim3(along_x, along_y);
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
    __shared__ float tile[tile_side][tile_side];
    const int source_col = blockIdx.y * tile_side + threadIdx.x;
    const int source_row = blockIdx.x * tile_side + threadIdx.y;
    for (int down = 0; down < tile_side; down += tile_threads_y) {
        const int row = source_row + down;
        if (source_col < nx && row < ny) {
            tile[threadIdx.y + down][threadIdx.x] = in[index_of(row, source_col, nx)];
        }
    }
    __syncthreads();

    const int target_col = blockIdx.x * tile_side + threadIdx.x;
    const int target_row = blockIdx.y * tile_side + threadIdx.y;
    for (int down = 0; down < tile_side; down += tile_threads_y) {
        const int row = target_row + down;
        if (target_col < ny && row < nx) {
            out[index_of(row, target_col, ny)] = tile[threadIdx.x][threadIdx.y + down];
        }
    }
    // <<< your code
}

// (f) The same with padding, so that neither side of the tile has bank conflicts.
__global__ void smem_pad(float* out, const float* in, int nx, int ny) {
    // >>> your code
    __shared__ float padded_tile[tile_side][tile_side + 1];
    const int first_in_col = tile_side * blockIdx.y;
    const int first_in_row = tile_side * blockIdx.x;
    const int x = threadIdx.x;
    constexpr int parts = tile_side / tile_threads_y;

    const int in_col = first_in_col + x;
    for (int part = 0; part < parts; ++part) {
        const int y = part * tile_threads_y + threadIdx.y;
        const int in_row = first_in_row + y;
        if (in_col < nx && in_row < ny) {
            padded_tile[y][x] = in[index_of(in_row, in_col, nx)];
        }
    }
    __syncthreads();

    const int out_col = first_in_row + x;
    for (int part = 0; part < parts; ++part) {
        const int y = part * tile_threads_y + threadIdx.y;
        const int out_row = first_in_col + y;
        if (out_col < ny && out_row < nx) {
            out[index_of(out_row, out_col, ny)] = padded_tile[x][y];
        }
    }
    // <<< your code
}

// (g) The block's shape is known only at launch, so the tile is too: dynamic shared memory. A block moves a tile of blockDim.x rows
// and 2 * blockDim.x columns of `in`, two square tiles side by side, each thread as many elements of both as it takes. Rows of
// the tile are padded. The grid covers `out`, as in (e): there the tile has 2 * blockDim.x rows and blockDim.x columns.
__global__ void smem_unroll_pad(float* out, const float* in, int nx, int ny) {
    // >>> your code
    extern __shared__ float tile[];
    const int side = blockDim.x;
    const int pitch = padded_pitch(side);
    const int first_in_col = blockIdx.y * (2 * side);
    const int first_in_row = blockIdx.x * side;

    for (int row = threadIdx.y; row < side; row += blockDim.y) {
        const int in_row = first_in_row + row;
        for (int half = 0; half < 2; ++half) {
            const int col = half * side + threadIdx.x;
            const int in_col = first_in_col + col;
            if (in_row < ny && in_col < nx) {
                tile[row * pitch + col] = in[index_of(in_row, in_col, nx)];
            }
        }
    }
    __syncthreads();

    const int out_col = first_in_row + threadIdx.x;
    for (int col = threadIdx.y; col < 2 * side; col += blockDim.y) {
        const int out_row = first_in_col + col;
        if (out_row < nx && out_col < ny) {
            out[index_of(out_row, out_col, ny)] = tile[threadIdx.x * pitch + col];
        }
    }
    // <<< your code
}

// Elements along the grid's x and y that one block of smem_unroll_pad covers, and the bytes of its tile with padding.
static dim3 covered_by_smem_unroll_pad(dim3 block) {
    // >>> your code
    const unsigned side = block.x;
    return dim3(side, 2 * side);
    // <<< your code
}

static size_t bytes_of_smem_unroll_pad(dim3 block) {
    // >>> your code
    const size_t rows_of_tile = block.x;
    return rows_of_tile * padded_pitch(block.x) * sizeof(float);
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
