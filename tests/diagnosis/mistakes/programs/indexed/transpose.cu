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
    const int colIn = blockIdx.x * blockDim.x + threadIdx.x;
    const int rowIn = blockIdx.y * blockDim.y + threadIdx.y;
    if (colIn >= nx || rowIn >= ny) {
        return;
    }
    const int indexIn = rowIn * nx + colIn;
    const int indexOut = colIn * ny + rowIn;
    out[indexOut] = in[indexIn];
    // <<< your code
}

// (b) The other way round: neighbouring threads read down a column of `in`, and so write along a row of `out`.
// The grid covers `out`: its x runs over the ny columns of `out`, its y over the nx rows of `out`.
__global__ void naive_col(float* out, const float* in, int nx, int ny) {
    // >>> your code
    const int colOut = blockIdx.x * blockDim.x + threadIdx.x;
    const int rowOut = blockIdx.y * blockDim.y + threadIdx.y;
    if (colOut < ny) {
        if (rowOut < nx) {
            out[rowOut * ny + colOut] = in[colOut * nx + rowOut];
        }
    }
    // <<< your code
}

// (c) As naive_row, with four elements a thread. Each of them needs a guard of its own. With all four loads before the four stores,
// four loads are outstanding at a time.
__global__ void unroll4_row(float* out, const float* in, int nx, int ny) {
    // >>> your code
    const int width = blockDim.x;
    const int rowIn = blockIdx.y * blockDim.y + threadIdx.y;
    const int col0 = blockIdx.x * (4 * width) + threadIdx.x;
    const int col1 = col0 + width;
    const int col2 = col0 + 2 * width;
    const int col3 = col0 + 3 * width;
    if (rowIn < ny) {
        const int startOfRow = rowIn * nx;
        float value0 = 0.0f;
        float value1 = 0.0f;
        float value2 = 0.0f;
        float value3 = 0.0f;
        if (col0 < nx) {
            value0 = in[startOfRow + col0];
        }
        if (col1 < nx) {
            value1 = in[startOfRow + col1];
        }
        if (col2 < nx) {
            value2 = in[startOfRow + col2];
        }
        if (col3 < nx) {
            value3 = in[startOfRow + col3];
        }
        if (col0 < nx) {
            out[col0 * ny + rowIn] = value0;
        }
        if (col1 < nx) {
            out[col1 * ny + rowIn] = value1;
        }
        if (col2 < nx) {
            out[col2 * ny + rowIn] = value2;
        }
        if (col3 < nx) {
            out[col3 * ny + rowIn] = value3;
        }
    }
    // <<< your code
}

// (d) As naive_col, with four elements a thread.
__global__ void unroll4_col(float* out, const float* in, int nx, int ny) {
    // >>> your code
    const int rowOut = blockIdx.y * blockDim.y + threadIdx.y;
    const int firstColOut = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    float values[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int part = 0; part < 4; part++) {
        const int colOut = firstColOut + part * blockDim.x;
        if (colOut < ny && rowOut < nx) {
            values[part] = in[colOut * nx + rowOut];
        }
    }
    for (int part = 0; part < 4; part++) {
        const int colOut = firstColOut + part * blockDim.x;
        if (colOut < ny && rowOut < nx) {
            out[rowOut * ny + colOut] = values[part];
        }
    }
    // <<< your code
}

// Elements along the grid's x and y that one block of unroll4_row or unroll4_col covers: the grid follows from it.
static dim3 covered_by_unroll4(dim3 block) {
    // >>> your code
    const unsigned alongX = block.x * 4;
    const unsigned alongY = block.y;
    return dim3(alongX, alongY);
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
    __shared__ float sharedTile[tile_side][tile_side];
    const int threadX = threadIdx.x;
    const int threadY = threadIdx.y;

    const int colIn = blockIdx.y * tile_side + threadX;
    const int firstRowIn = blockIdx.x * tile_side;
    for (int offset = 0; offset < tile_side; offset += tile_threads_y) {
        const int tileRow = offset + threadY;
        const int rowIn = firstRowIn + tileRow;
        if (colIn < nx && rowIn < ny) {
            sharedTile[tileRow][threadX] = in[rowIn * nx + colIn];
        }
    }
    __syncthreads();

    const int colOut = blockIdx.x * tile_side + threadX;
    const int firstRowOut = blockIdx.y * tile_side;
    for (int offset = 0; offset < tile_side; offset += tile_threads_y) {
        const int tileCol = offset + threadY;
        const int rowOut = firstRowOut + tileCol;
        if (colOut < ny && rowOut < nx) {
            out[rowOut * ny + colOut] = sharedTile[threadX][tileCol];
        }
    }
    // <<< your code
}

// (f) The same with padding, so that neither side of the tile has bank conflicts.
__global__ void smem_pad(float* out, const float* in, int nx, int ny) {
    // >>> your code
    __shared__ float paddedTile[tile_side][tile_side + 1];
    const int threadX = threadIdx.x;
    const int threadY = threadIdx.y;
    const int steps = tile_side / tile_threads_y;

    const int colIn = blockIdx.y * tile_side + threadX;
    const int rowIn = blockIdx.x * tile_side + threadY;
    for (int step = 0; step < steps; step++) {
        const int down = step * tile_threads_y;
        if (colIn < nx && rowIn + down < ny) {
            const int indexIn = (rowIn + down) * nx + colIn;
            paddedTile[threadY + down][threadX] = in[indexIn];
        }
    }
    __syncthreads();

    const int colOut = blockIdx.x * tile_side + threadX;
    const int rowOut = blockIdx.y * tile_side + threadY;
    for (int step = 0; step < steps; step++) {
        const int down = step * tile_threads_y;
        if (colOut < ny && rowOut + down < nx) {
            const int indexOut = (rowOut + down) * ny + colOut;
            out[indexOut] = paddedTile[threadX][threadY + down];
        }
    }
    // <<< your code
}

// (g) The block's shape is known only at launch, so the tile is too: dynamic shared memory. A block moves a tile of blockDim.x rows
// and 2 * blockDim.x columns of `in`, two square tiles side by side, each thread as many elements of both as it takes. Rows of
// the tile are padded. The grid covers `out`, as in (e): there the tile has 2 * blockDim.x rows and blockDim.x columns.
__global__ void smem_unroll_pad(float* out, const float* in, int nx, int ny) {
    // >>> your code
    extern __shared__ float dynamicTile[];
    const int side = blockDim.x;
    const int threadX = threadIdx.x;
    const int pitch = side + side + 1;

    const int leftColIn = blockIdx.y * (2 * side) + threadX;
    const int rightColIn = leftColIn + side;
    const int topRowIn = blockIdx.x * side;
    for (int tileRow = threadIdx.y; tileRow < side; tileRow += blockDim.y) {
        const int rowIn = topRowIn + tileRow;
        const int startOfTileRow = tileRow * pitch;
        if (rowIn < ny && leftColIn < nx) {
            dynamicTile[startOfTileRow + threadX] = in[rowIn * nx + leftColIn];
        }
        if (rowIn < ny && rightColIn < nx) {
            dynamicTile[startOfTileRow + side + threadX] = in[rowIn * nx + rightColIn];
        }
    }
    __syncthreads();

    const int colOut = blockIdx.x * side + threadX;
    const int topRowOut = blockIdx.y * (2 * side);
    const int startOfMyRow = threadX * pitch;
    for (int tileCol = threadIdx.y; tileCol < side; tileCol += blockDim.y) {
        const int upperRowOut = topRowOut + tileCol;
        const int lowerRowOut = upperRowOut + side;
        if (upperRowOut < nx && colOut < ny) {
            out[upperRowOut * ny + colOut] = dynamicTile[startOfMyRow + tileCol];
        }
        if (lowerRowOut < nx && colOut < ny) {
            out[lowerRowOut * ny + colOut] = dynamicTile[startOfMyRow + side + tileCol];
        }
    }
    // <<< your code
}

// Elements along the grid's x and y that one block of smem_unroll_pad covers, and the bytes of its tile with padding.
static dim3 covered_by_smem_unroll_pad(dim3 block) {
    // >>> your code
    dim3 covered(1, 1, 1);
    covered.x = block.x;
    covered.y = 2 * block.x;
    return covered;
    // <<< your code
}

static size_t bytes_of_smem_unroll_pad(dim3 block) {
    // >>> your code
    const size_t rowsOfTile = block.x;
    const size_t floatsPerRow = 2 * block.x + 1;
    return rowsOfTile * floatsPerRow * sizeof(float);
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
