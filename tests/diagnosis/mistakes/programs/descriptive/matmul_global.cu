// Lab 2 · Matrix product from global memory
//
// P = M N on the GPU, one thread for each element of P. All matrices are W x W floats, row-major: element (row, col) is at
// index row * W + col.
//
// Write only between the lines `// >>> your code` and `// <<< your code`; the text around them stays as it is.
#include "common/api/lab2.h"

// Your own helper functions and further #includes, if any.
// >>> your code
#include <cstddef>
#include <initializer_list>

static unsigned ceil_div(const unsigned dividend, const unsigned divisor) {
    return dividend / divisor + (dividend % divisor != 0 ? 1 : 0);
}

// Frees its device memory at the end of its scope, whichever return leads there.
struct DeviceMatrix {
    float* data = nullptr;

    DeviceMatrix() = default;
    DeviceMatrix(const DeviceMatrix&) = delete;
    DeviceMatrix& operator=(const DeviceMatrix&) = delete;
    ~DeviceMatrix() { cudaFree(data); }

    cudaError_t allocate(const size_t bytes) { return cudaMalloc(&data, bytes); }
};

// The dot product of a row, contiguous, and a column, whose elements are a row's length apart.
static __device__ float dot_product(const float* row_of_M, const float* column_of_N, const int W) {
    float sum = 0.0f;
    for (int k = 0; k < W; ++k) {
        sum += row_of_M[k] * *column_of_N;
        column_of_N += W;
    }
    return sum;
}
// <<< your code

// (a) One thread computes one element of P. Blocks and grid are two-dimensional and of any shape; together they cover
// the matrix, and often more: a thread beyond the matrix must neither read nor write.
// Let threadIdx.x run along a row of P: neighbouring threads of a warp then read neighbouring elements of N and write
// neighbouring elements of P, and each request needs few 32-byte sectors.
__global__ void matmul_global(const float* M, const float* N, float* P, int W) {
    // >>> your code
    const int col = blockDim.x * blockIdx.x + threadIdx.x;
    const int row = blockDim.y * blockIdx.y + threadIdx.y;
    if (row >= W || col >= W) {
        return;
    }
    const size_t row_begin = size_t(row) * W;
    P[row_begin + col] = dot_product(M + row_begin, N + col, W);
    // <<< your code
}

// (b) The whole host side. M, N and P are host pointers; W is at least 1.
// Allocate device memory, copy M and N in, launch matmul_global in blocks of your choice, check for launch errors, copy P
// out, free all allocations. Returns cudaSuccess or the first error; even after an error nothing may stay allocated.
cudaError_t matmul_on_device(const float* M, const float* N, float* P, int W) {
    // >>> your code
    const size_t element_count = size_t(W) * W;
    const size_t byte_count = element_count * sizeof(float);

    DeviceMatrix M_device;
    DeviceMatrix N_device;
    DeviceMatrix P_device;
    for (DeviceMatrix* const matrix : {&M_device, &N_device, &P_device}) {
        const cudaError_t error = matrix->allocate(byte_count);
        if (error != cudaSuccess) {
            return error;
        }
    }

    cudaError_t error = cudaMemcpy(M_device.data, M, byte_count, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) {
        return error;
    }
    error = cudaMemcpy(N_device.data, N, byte_count, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) {
        return error;
    }

    const dim3 block(32, 8);
    const dim3 grid(ceil_div(W, block.x), ceil_div(W, block.y));
    matmul_global<<<grid, block>>>(M_device.data, N_device.data, P_device.data, W);
    error = cudaGetLastError();
    if (error != cudaSuccess) {
        return error;
    }
    return cudaMemcpy(P, P_device.data, byte_count, cudaMemcpyDeviceToHost);
    // <<< your code
}

// (c) Thread geometry. The same kernel with x mapped to rows: threadIdx.x and blockIdx.x choose the row of P, y the
// column. It has to be right for every grid that covers the matrix, too. What does it do to a warp's accesses?
__global__ void matmul_global_x_rows(const float* M, const float* N, float* P, int W) {
    // >>> your code
    const int row = blockDim.x * blockIdx.x + threadIdx.x;
    const int col = blockDim.y * blockIdx.y + threadIdx.y;
    if (row < W && col < W) {
        float* const result = P + size_t(row) * W + col;
        *result = dot_product(M + size_t(row) * W, N + col, W);
    }
    // <<< your code
}

// Before you measure: in which order do you expect these launches, fastest first? block_256x2 is 256 threads along x and 2
// along y; x_rows_32x32 is the kernel above in blocks of 32 x 32. Name each Geometry (common/api/lab2.h) once.
const Geometry predicted_order[geometry_count] = {
    // >>> your code
    Geometry::block_256x2,
    Geometry::block_32x32,
    Geometry::block_16x16,
    Geometry::block_8x8,
    Geometry::block_2x256,
    Geometry::x_rows_32x32,
    // <<< your code
};

// Given: how the suite launches your kernels.
cudaError_t launch_matmul_global(dim3 grid, dim3 block, const float* M, const float* N, float* P, int W) {
    matmul_global<<<grid, block>>>(M, N, P, W);
    return cudaGetLastError();
}

cudaError_t launch_matmul_global_x_rows(dim3 grid, dim3 block, const float* M, const float* N, float* P, int W) {
    matmul_global_x_rows<<<grid, block>>>(M, N, P, W);
    return cudaGetLastError();
}
