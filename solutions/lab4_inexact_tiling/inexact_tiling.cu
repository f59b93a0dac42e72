// Lab 4 · Inexact tiling
//
// In lab 3 every size was a multiple of the tile. Here tiles reach past the edge: y = A x and C = A B for any size. Then two
// other kinds of memory: constant memory, which broadcasts one word to a whole warp, and host memory that a kernel writes to.
//
// Matrices that are multiplied by a vector are rows x cols and column-major: element (row, col) is at index col * rows + row.
// Matrices of a matrix product are row-major. All sizes are at least 1.
//
// Write only between the lines `// >>> your code` and `// <<< your code`; the text around them stays as it is.
#include "common/api/lab4.h"

// Your own helper functions and further #includes, if any.
// >>> your code
#include <algorithm>
#include <cstring>

static int tiles_over(int elements, int tile) { return (elements + tile - 1) / tile; }
// <<< your code

// (a) y = A x in tiles. Blocks are BLOCK x BLOCK threads, the grid is rows / BLOCK blocks along x; rows and cols are multiples of
// BLOCK. A block has BLOCK rows of y. It goes through their columns BLOCK at a time: each thread loads one element of A's tile,
// those with threadIdx.y = 0 also load the BLOCK elements of x, and after a barrier each of those adds to the sum of one row.
// Let threadIdx.x choose the row: neighbours in a warp then read neighbours in memory. Both tiles are in static shared memory.
template <int BLOCK>
__global__ void matvec_static(const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    __shared__ float A_tile[BLOCK][BLOCK];  // [column][row]
    __shared__ float x_tile[BLOCK];
    const int row = blockIdx.x * BLOCK + threadIdx.x;
    float sum = 0;
    for (int start = 0; start < cols; start += BLOCK) {
        A_tile[threadIdx.y][threadIdx.x] = A[size_t(start + threadIdx.y) * rows + row];
        if (threadIdx.y == 0) {
            x_tile[threadIdx.x] = x[start + threadIdx.x];
        }
        __syncthreads();
        if (threadIdx.y == 0) {
            for (int k = 0; k < BLOCK; ++k) {
                sum += A_tile[k][threadIdx.x] * x_tile[k];
            }
        }
        __syncthreads();
    }
    if (threadIdx.y == 0) {
        y[row] = sum;
    }
    // <<< your code
}

// Given: how the suite launches it.
cudaError_t launch_matvec_static(int block, const float* A, const float* x, float* y, int rows, int cols) {
    const dim3 threads(block, block);
    switch (block) {
        case 8:
            matvec_static<8><<<rows / 8, threads>>>(A, x, y, rows, cols);
            break;
        case 16:
            matvec_static<16><<<rows / 16, threads>>>(A, x, y, rows, cols);
            break;
        case 32:
            matvec_static<32><<<rows / 32, threads>>>(A, x, y, rows, cols);
            break;
        default:
            return cudaErrorInvalidValue;
    }
    return cudaGetLastError();
}

// (b) The same, but the block's side is known only at launch: it is blockDim.x. Both tiles lie in one array of dynamic shared memory;
// you choose where each begins.
__global__ void matvec_dynamic(const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    extern __shared__ float tiles[];
    const int block = blockDim.x;
    float* A_tile = tiles;
    float* x_tile = tiles + block * block;
    const int row = blockIdx.x * block + threadIdx.x;
    float sum = 0;
    for (int start = 0; start < cols; start += block) {
        A_tile[threadIdx.y * block + threadIdx.x] = A[size_t(start + threadIdx.y) * rows + row];
        if (threadIdx.y == 0) {
            x_tile[threadIdx.x] = x[start + threadIdx.x];
        }
        __syncthreads();
        if (threadIdx.y == 0) {
            for (int k = 0; k < block; ++k) {
                sum += A_tile[k * block + threadIdx.x] * x_tile[k];
            }
        }
        __syncthreads();
    }
    if (threadIdx.y == 0) {
        y[row] = sum;
    }
    // <<< your code
}

// Its launch in blocks of block x block threads, with exactly the dynamic shared memory that the two tiles take: one of
// block x block elements, one of block. Returns the launch's error.
cudaError_t launch_matvec_dynamic(int block, const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    const size_t bytes = (size_t(block) * block + block) * sizeof(float);
    matvec_dynamic<<<rows / block, dim3(block, block), bytes>>>(A, x, y, rows, cols);
    return cudaGetLastError();
    // <<< your code
}

// (c) The same for any rows and cols: the last block has rows that don't exist, the last tile columns that don't. A thread whose
// element doesn't exist reads nothing, stores 0 in place of its element, and still reaches every barrier.
__global__ void matvec_any(const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    extern __shared__ float tiles[];
    const int block = blockDim.x;
    float* A_tile = tiles;
    float* x_tile = tiles + block * block;
    const int row = blockIdx.x * block + threadIdx.x;
    float sum = 0;
    for (int start = 0; start < cols; start += block) {
        const int col = start + threadIdx.y;
        A_tile[threadIdx.y * block + threadIdx.x] = row < rows && col < cols ? A[size_t(col) * rows + row] : 0;
        if (threadIdx.y == 0) {
            x_tile[threadIdx.x] = start + threadIdx.x < cols ? x[start + threadIdx.x] : 0;
        }
        __syncthreads();
        if (threadIdx.y == 0) {
            for (int k = 0; k < block; ++k) {
                sum += A_tile[k * block + threadIdx.x] * x_tile[k];
            }
        }
        __syncthreads();
    }
    if (threadIdx.y == 0 && row < rows) {
        y[row] = sum;
    }
    // <<< your code
}

// Its launch in blocks of block x block threads: as many blocks as rows need, and not one more. Returns the launch's error.
cudaError_t launch_matvec_any(int block, const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    const size_t bytes = (size_t(block) * block + block) * sizeof(float);
    matvec_any<<<tiles_over(rows, block), dim3(block, block), bytes>>>(A, x, y, rows, cols);
    return cudaGetLastError();
    // <<< your code
}

// (d) C = A B in tiles as in lab 3, for any sizes: A is m x k, B is k x n, C is m x n, all row-major.
// A block computes TILE x TILE elements of C, or more of them if you like. Note the limits of a grid: 2^31 - 1 blocks along x, but only
// 65535 along y, and C may have more than a million rows, or columns.
constexpr int TILE = 16;
__global__ void matmul_any(const float* A, const float* B, float* C, int m, int n, int k) {
    // >>> your code
    __shared__ float A_tile[TILE][TILE];
    __shared__ float B_tile[TILE][TILE];
    const int tiles_across = (n + TILE - 1) / TILE;
    const int row = blockIdx.x / tiles_across * TILE + threadIdx.y;
    const int col = blockIdx.x % tiles_across * TILE + threadIdx.x;
    float sum = 0;
    for (int start = 0; start < k; start += TILE) {
        const int A_col = start + threadIdx.x;
        const int B_row = start + threadIdx.y;
        A_tile[threadIdx.y][threadIdx.x] = row < m && A_col < k ? A[size_t(row) * k + A_col] : 0;
        B_tile[threadIdx.y][threadIdx.x] = B_row < k && col < n ? B[size_t(B_row) * n + col] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; ++i) {
            sum += A_tile[threadIdx.y][i] * B_tile[i][threadIdx.x];
        }
        __syncthreads();
    }
    if (row < m && col < n) {
        C[size_t(row) * n + col] = sum;
    }
    // <<< your code
}

// Its launch: as many blocks as C needs, and not one more. Returns the launch's error.
cudaError_t launch_matmul_any(const float* A, const float* B, float* C, int m, int n, int k) {
    // >>> your code
    // One row of blocks after the other, all along x: y would end at 65535.
    matmul_any<<<tiles_over(m, TILE) * tiles_over(n, TILE), dim3(TILE, TILE)>>>(A, B, C, m, n, k);
    return cudaGetLastError();
    // <<< your code
}

// Given: all of constant memory, used by (e) and by (f). A copy to it and the kernels before and after that copy are ordered, since they
// are in one stream.
__constant__ float in_constant[constant_floats];

// (e) y = A x with x in constant memory, in in_constant[0] to in_constant[cols - 1]. Constant memory serves one word at a time: a
// broadcast if all lanes of a warp read the same word, otherwise one word after another. So no tile is needed. One thread a row.
__global__ void matvec_constant(const float* A, float* y, int rows, int cols) {
    // >>> your code
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0;
        for (int col = 0; col < cols; ++col) {
            sum += A[size_t(col) * rows + row] * in_constant[col];
        }
        y[row] = sum;
    }
    // <<< your code
}

// Copies x, which is in device memory, to in_constant, and launches. If x doesn't fit: cudaErrorInvalidValue, before anything is copied or
// launched. Returns the first error.
cudaError_t launch_matvec_constant(const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    if (cols > constant_floats) {
        return cudaErrorInvalidValue;
    }
    const cudaError_t error = cudaMemcpyToSymbol(in_constant, x, cols * sizeof(float), 0, cudaMemcpyDeviceToDevice);
    if (error != cudaSuccess) {
        return error;
    }
    matvec_constant<<<tiles_over(rows, 256), 256>>>(A, y, rows, cols);
    return cudaGetLastError();
    // <<< your code
}

// (f) C = A B with a band of A in constant memory: `rows` rows of k elements, row-major, from in_constant[0] on. C points to the
// band's first row of C. Tiles of B go through shared memory. What must the lanes of a warp have in common, so that each read of
// A is one word for all of them?
__global__ void matmul_constant(const float* B, float* C, int rows, int n, int k) {
    // >>> your code
    constexpr int across = 32;  // a warp is a row of the block: its threads share the row of A
    constexpr int down = 8;
    __shared__ float B_tile[down][across];
    const int row = blockIdx.y * down + threadIdx.y;
    const int col = blockIdx.x * across + threadIdx.x;
    float sum = 0;
    for (int start = 0; start < k; start += down) {
        const int B_row = start + threadIdx.y;
        B_tile[threadIdx.y][threadIdx.x] = B_row < k && col < n ? B[size_t(B_row) * n + col] : 0;
        __syncthreads();
        if (row < rows) {  // beyond the band in_constant holds something else
            for (int i = 0; i < down && start + i < k; ++i) {
                sum += in_constant[row * k + start + i] * B_tile[i][threadIdx.x];
            }
        }
        __syncthreads();
    }
    if (row < rows && col < n) {
        C[size_t(row) * n + col] = sum;
    }
    // <<< your code
}

// For each band: copies as many rows of A, which is in device memory, as fit to in_constant, and launches. If not even one row fits:
// cudaErrorInvalidValue, before anything is copied or launched. Returns the first error.
cudaError_t launch_matmul_constant(const float* A, const float* B, float* C, int m, int n, int k) {
    // >>> your code
    if (k > constant_floats) {
        return cudaErrorInvalidValue;
    }
    const int band = constant_floats / k;
    for (int first = 0; first < m; first += band) {
        const int rows = std::min(band, m - first);
        cudaError_t error =
            cudaMemcpyToSymbol(in_constant, A + size_t(first) * k, size_t(rows) * k * sizeof(float), 0, cudaMemcpyDeviceToDevice);
        if (error == cudaSuccess) {
            matmul_constant<<<dim3(tiles_over(n, 32), tiles_over(rows, 8)), dim3(32, 8)>>>(B, C + size_t(first) * n, rows, n, k);
            error = cudaGetLastError();
        }
        if (error != cudaSuccess) {
            return error;
        }
    }
    return cudaSuccess;
    // <<< your code
}

// (g) y = A x on host pointers, with the kernel of (c). A and x are copied to the device as in lab 2. For the result allocate page-locked
// host memory that the device can reach (cudaHostAlloc with cudaHostAllocMapped), ask for its address on the device
// (cudaHostGetDevicePointer; where addresses are unified it is the host's own), and let the kernel write there: no cudaMemcpy brings it
// back. A kernel is still running when its launch returns: synchronise before you copy the result to y. Free everything, also after an
// error. Returns the first error.
cudaError_t matvec_mapped(const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    const size_t A_bytes = size_t(rows) * cols * sizeof(float);
    const size_t x_bytes = cols * sizeof(float);
    const size_t y_bytes = rows * sizeof(float);
    float* A_device = nullptr;
    float* x_device = nullptr;
    float* y_mapped = nullptr;
    float* y_device = nullptr;  // the same memory, as the device knows it
    cudaError_t error = cudaMalloc(&A_device, A_bytes);
    if (error == cudaSuccess) {
        error = cudaMalloc(&x_device, x_bytes);
    }
    if (error == cudaSuccess) {
        error = cudaHostAlloc(&y_mapped, y_bytes, cudaHostAllocMapped);
    }
    if (error == cudaSuccess) {
        error = cudaHostGetDevicePointer(&y_device, y_mapped, 0);
    }
    if (error == cudaSuccess) {
        error = cudaMemcpy(A_device, A, A_bytes, cudaMemcpyHostToDevice);
    }
    if (error == cudaSuccess) {
        error = cudaMemcpy(x_device, x, x_bytes, cudaMemcpyHostToDevice);
    }
    if (error == cudaSuccess) {
        error = launch_matvec_any(16, A_device, x_device, y_device, rows, cols);
    }
    if (error == cudaSuccess) {
        error = cudaDeviceSynchronize();
    }
    if (error == cudaSuccess) {
        std::memcpy(y, y_mapped, y_bytes);
    }
    cudaFree(A_device);
    cudaFree(x_device);
    cudaFreeHost(y_mapped);
    return error;
    // <<< your code
}
