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
#include <cstddef>

__host__ __device__ constexpr int ceil_div(const int dividend, const int divisor) {
    return dividend / divisor + (dividend % divisor == 0 ? 0 : 1);
}

// Index of an element in a column-major matrix with this many rows.
static __device__ size_t column_major(const size_t row, const size_t col, const size_t rows) { return col * rows + row; }

// Index of an element in a row-major matrix with this many columns.
static __device__ size_t row_major(const size_t row, const size_t col, const size_t cols) { return row * cols + col; }

// Bytes of a tile of A and a tile of x in dynamic shared memory.
static size_t bytes_of_tiles(const int block) {
    const size_t side = block;
    return sizeof(float) * (side * side + side);
}

// Blocks of (f): a warp has one row of C, so that its lanes read the same element of A.
constexpr int band_block_x = 32;
constexpr int band_block_y = 16;

// Threads in a block of (e).
constexpr int threads_per_block = 128;

struct DeviceArray {
    float* data = nullptr;

    DeviceArray() = default;
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    ~DeviceArray() { cudaFree(data); }

    // Allocates memory on the device and fills it from the host's.
    cudaError_t assign(const float* host, const size_t count) {
        const cudaError_t error = cudaMalloc(&data, count * sizeof(float));
        if (error != cudaSuccess) {
            return error;
        }
        return cudaMemcpy(data, host, count * sizeof(float), cudaMemcpyHostToDevice);
    }
};

// Page-locked host memory, and where the device finds it.
struct MappedArray {
    float* on_host = nullptr;
    float* on_device = nullptr;

    MappedArray() = default;
    MappedArray(const MappedArray&) = delete;
    MappedArray& operator=(const MappedArray&) = delete;
    ~MappedArray() { cudaFreeHost(on_host); }

    cudaError_t allocate(const size_t count) {
        const cudaError_t error = cudaHostAlloc(&on_host, count * sizeof(float), cudaHostAllocMapped);
        if (error != cudaSuccess) {
            return error;
        }
        return cudaHostGetDevicePointer(&on_device, on_host, 0);
    }
};
// <<< your code

// (a) y = A x in tiles. Blocks are BLOCK x BLOCK threads, the grid is rows / BLOCK blocks along x; rows and cols are multiples of
// BLOCK. A block has BLOCK rows of y. It goes through their columns BLOCK at a time: each thread loads one element of A's tile,
// those with threadIdx.y = 0 also load the BLOCK elements of x, and after a barrier each of those adds to the sum of one row.
// Let threadIdx.x choose the row: neighbours in a warp then read neighbours in memory. Both tiles are in static shared memory.
template <int BLOCK>
__global__ void matvec_static(const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    __shared__ float tile_of_A[BLOCK][BLOCK];  // a row of the tile is a column of A
    __shared__ float tile_of_x[BLOCK];
    const unsigned local_row = threadIdx.x;
    const unsigned local_col = threadIdx.y;
    const int row = blockIdx.x * BLOCK + local_row;
    const bool adds = local_col == 0;

    float sum = 0.0f;
    const int tile_count = cols / BLOCK;
    for (int tile = 0; tile < tile_count; ++tile) {
        const int first_col = tile * BLOCK;
        tile_of_A[local_col][local_row] = A[column_major(row, first_col + local_col, rows)];
        if (adds) {
            tile_of_x[local_row] = x[first_col + local_row];
        }
        __syncthreads();
        if (adds) {
            for (int i = 0; i < BLOCK; ++i) {
                sum += tile_of_A[i][local_row] * tile_of_x[i];
            }
        }
        __syncthreads();
    }
    if (adds) {
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
    extern __shared__ float dynamic_tiles[];
    const int side = blockDim.x;
    float* const tile_of_x = dynamic_tiles;
    float* const tile_of_A = tile_of_x + side;
    const int row = blockIdx.x * side + threadIdx.x;

    float sum = 0.0f;
    for (int first_col = 0; first_col < cols; first_col += side) {
        const int col = first_col + threadIdx.y;
        tile_of_A[threadIdx.y * side + threadIdx.x] = A[column_major(row, col, rows)];
        if (threadIdx.y == 0) {
            tile_of_x[threadIdx.x] = x[first_col + threadIdx.x];
        }
        __syncthreads();
        if (threadIdx.y == 0) {
            const float* element_of_A = tile_of_A + threadIdx.x;
            for (int i = 0; i < side; ++i) {
                sum += *element_of_A * tile_of_x[i];
                element_of_A += side;
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
    const dim3 threads(block, block);
    const dim3 blocks(rows / block);
    matvec_dynamic<<<blocks, threads, bytes_of_tiles(block)>>>(A, x, y, rows, cols);
    return cudaGetLastError();
    // <<< your code
}

// (c) The same for any rows and cols: the last block has rows that don't exist, the last tile columns that don't. A thread whose
// element doesn't exist reads nothing, stores 0 in place of its element, and still reaches every barrier.
__global__ void matvec_any(const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    extern __shared__ float dynamic_tiles[];
    const int side = blockDim.x;
    float* const tile_of_x = dynamic_tiles;
    float* const tile_of_A = tile_of_x + side;
    const int row = blockIdx.x * side + threadIdx.x;
    const bool row_exists = row < rows;

    float sum = 0.0f;
    const int tile_count = ceil_div(cols, side);
    for (int tile = 0; tile < tile_count; ++tile) {
        const int col_of_A = tile * side + threadIdx.y;
        float element_of_A = 0.0f;
        if (row_exists && col_of_A < cols) {
            element_of_A = A[column_major(row, col_of_A, rows)];
        }
        tile_of_A[threadIdx.y * side + threadIdx.x] = element_of_A;

        if (threadIdx.y == 0) {
            const int index_in_x = tile * side + threadIdx.x;
            tile_of_x[threadIdx.x] = index_in_x < cols ? x[index_in_x] : 0.0f;
        }
        __syncthreads();

        if (threadIdx.y == 0) {
            for (int i = 0; i < side; ++i) {
                sum += tile_of_A[i * side + threadIdx.x] * tile_of_x[i];
            }
        }
        __syncthreads();
    }
    if (row_exists && threadIdx.y == 0) {
        y[row] = sum;
    }
    // <<< your code
}

// Its launch in blocks of block x block threads: as many blocks as rows need, and not one more. Returns the launch's error.
cudaError_t launch_matvec_any(int block, const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    const dim3 threads(block, block);
    const dim3 blocks(ceil_div(rows, block));
    matvec_any<<<blocks, threads, bytes_of_tiles(block)>>>(A, x, y, rows, cols);
    return cudaGetLastError();
    // <<< your code
}

// (d) C = A B in tiles as in lab 3, for any sizes: A is m x k, B is k x n, C is m x n, all row-major.
// A block computes TILE x TILE elements of C, or more of them if you like. Note the limits of a grid: 2^31 - 1 blocks along x, but only
// 65535 along y, and C may have more than a million rows, or columns.
constexpr int TILE = 16;
__global__ void matmul_any(const float* A, const float* B, float* C, int m, int n, int k) {
    // >>> your code
    __shared__ float tile_of_A[TILE][TILE];
    __shared__ float tile_of_B[TILE][TILE];
    const int tiles_per_row = ceil_div(n, TILE);
    const int tile_row = blockIdx.x / tiles_per_row;
    const int tile_col = blockIdx.x - tile_row * tiles_per_row;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = tile_row * TILE + ty;
    const int col = tile_col * TILE + tx;

    const auto element_of_A = [&](const int A_row, const int A_col) {
        return A_row < m && A_col < k ? A[row_major(A_row, A_col, k)] : 0.0f;
    };
    const auto element_of_B = [&](const int B_row, const int B_col) {
        return B_row < k && B_col < n ? B[row_major(B_row, B_col, n)] : 0.0f;
    };

    float sum = 0.0f;
    for (int first = 0; first < k; first += TILE) {
        tile_of_A[ty][tx] = element_of_A(row, first + tx);
        tile_of_B[ty][tx] = element_of_B(first + ty, col);
        __syncthreads();
        for (int i = 0; i < TILE; ++i) {
            sum += tile_of_A[ty][i] * tile_of_B[i][tx];
        }
        __syncthreads();
    }

    if (row < m && col < n) {
        C[row_major(row, col, n)] = sum;
    }
    // <<< your code
}

// Its launch: as many blocks as C needs, and not one more. Returns the launch's error.
cudaError_t launch_matmul_any(const float* A, const float* B, float* C, int m, int n, int k) {
    // >>> your code
    const dim3 threads(TILE, TILE);
    const int tile_rows = ceil_div(m, TILE);
    const int tile_cols = ceil_div(n, TILE);
    matmul_any<<<tile_rows * tile_cols, threads>>>(A, B, C, m, n, k);
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
    if (row >= rows) {
        return;
    }
    const float* element = A + row;
    float sum = 0.0f;
    for (int col = 0; col < cols; ++col) {
        sum += in_constant[col] * *element;
        element += rows;
    }
    y[row] = sum;
    // <<< your code
}

// Copies x, which is in device memory, to in_constant, and launches. If x doesn't fit: cudaErrorInvalidValue, before anything is copied or
// launched. Returns the first error.
cudaError_t launch_matvec_constant(const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    if (cols > constant_floats) {
        return cudaErrorInvalidValue;
    }
    const size_t bytes_of_x = cols * sizeof(float);
    const cudaError_t copied = cudaMemcpyToSymbol(in_constant, x, bytes_of_x, 0, cudaMemcpyDeviceToDevice);
    if (copied != cudaSuccess) {
        return copied;
    }
    const int blocks = ceil_div(rows, threads_per_block);
    matvec_constant<<<blocks, threads_per_block>>>(A, y, rows, cols);
    return cudaGetLastError();
    // <<< your code
}

// (f) C = A B with a band of A in constant memory: `rows` rows of k elements, row-major, from in_constant[0] on. C points to the
// band's first row of C. Tiles of B go through shared memory. What must the lanes of a warp have in common, so that each read of
// A is one word for all of them?
__global__ void matmul_constant(const float* B, float* C, int rows, int n, int k) {
    // >>> your code
    __shared__ float tile_of_B[band_block_y][band_block_x];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * band_block_y + ty;
    const int col = blockIdx.x * band_block_x + tx;

    float sum = 0.0f;
    for (int first = 0; first < k; first += band_block_y) {
        const int row_of_B = first + ty;
        const bool exists = row_of_B < k && col < n;
        tile_of_B[ty][tx] = exists ? B[row_major(row_of_B, col, n)] : 0.0f;
        __syncthreads();

        if (row < rows) {
            const int begin = row * k + first;
            const int left = k - first;
            const int count = left < band_block_y ? left : band_block_y;
            for (int i = 0; i < count; ++i) {
                sum += in_constant[begin + i] * tile_of_B[i][tx];
            }
        }
        __syncthreads();
    }

    if (row < rows && col < n) {
        C[row_major(row, col, n)] = sum;
    }
    // <<< your code
}

// For each band: copies as many rows of A, which is in device memory, as fit to in_constant, and launches. If not even one row fits:
// cudaErrorInvalidValue, before anything is copied or launched. Returns the first error.
cudaError_t launch_matmul_constant(const float* A, const float* B, float* C, int m, int n, int k) {
    // >>> your code
    const int rows_that_fit = constant_floats / k;
    if (rows_that_fit == 0) {
        return cudaErrorInvalidValue;
    }
    const dim3 threads(band_block_x, band_block_y);
    int done = 0;
    while (done < m) {
        const int rows = std::min(rows_that_fit, m - done);
        const size_t band_bytes = size_t(rows) * k * sizeof(float);
        const float* const band = A + size_t(done) * k;
        cudaError_t error = cudaMemcpyToSymbol(in_constant, band, band_bytes, 0, cudaMemcpyDeviceToDevice);
        if (error != cudaSuccess) {
            return error;
        }
        const dim3 blocks(ceil_div(n, band_block_x), ceil_div(rows, band_block_y));
        matmul_constant<<<blocks, threads>>>(B, C + size_t(done) * n, rows, n, k);
        error = cudaGetLastError();
        if (error != cudaSuccess) {
            return error;
        }
        done += rows;
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
    constexpr int block = 16;
    DeviceArray A_device;
    DeviceArray x_device;
    MappedArray result;

    cudaError_t error = A_device.assign(A, size_t(rows) * cols);
    if (error != cudaSuccess) {
        return error;
    }
    error = x_device.assign(x, cols);
    if (error != cudaSuccess) {
        return error;
    }
    error = result.allocate(rows);
    if (error != cudaSuccess) {
        return error;
    }
    error = launch_matvec_any(block, A_device.data, x_device.data, result.on_device, rows, cols);
    if (error != cudaSuccess) {
        return error;
    }
    error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        return error;
    }
    std::copy(result.on_host, result.on_host + rows, y);
    return cudaSuccess;
    // <<< your code
}
