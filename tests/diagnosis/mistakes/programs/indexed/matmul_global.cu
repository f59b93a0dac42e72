// Lab 2 · Matrix product from global memory
//
// P = M N on the GPU, one thread for each element of P. All matrices are W x W floats, row-major: element (row, col) is at
// index row * W + col.
//
// Write only between the lines `// >>> your code` and `// <<< your code`; the text around them stays as it is.
#include "common/api/lab2.h"

// Your own helper functions and further #includes, if any.
// >>> your code
static void freeMatrices(float* first, float* second, float* third) {
    cudaFree(first);
    cudaFree(second);
    cudaFree(third);
}
// <<< your code

// (a) One thread computes one element of P. Blocks and grid are two-dimensional and of any shape; together they cover
// the matrix, and often more: a thread beyond the matrix must neither read nor write.
// Let threadIdx.x run along a row of P: neighbouring threads of a warp then read neighbouring elements of N and write
// neighbouring elements of P, and each request needs few 32-byte sectors.
__global__ void matmul_global(const float* M, const float* N, float* P, int W) {
    // >>> your code
    const int colP = blockIdx.x * blockDim.x + threadIdx.x;
    const int rowP = blockIdx.y * blockDim.y + threadIdx.y;
    if (colP >= W || rowP >= W) {
        return;
    }
    const int startOfRow = rowP * W;
    float dotProduct = 0.0f;
    for (int k = 0; k < W; k++) {
        const float valueM = M[startOfRow + k];
        const float valueN = N[k * W + colP];
        dotProduct += valueM * valueN;
    }
    P[startOfRow + colP] = dotProduct;
    // <<< your code
}

// (b) The whole host side. M, N and P are host pointers; W is at least 1.
// Allocate device memory, copy M and N in, launch matmul_global in blocks of your choice, check for launch errors, copy P
// out, free all allocations. Returns cudaSuccess or the first error; even after an error nothing may stay allocated.
cudaError_t matmul_on_device(const float* M, const float* N, float* P, int W) {
    // >>> your code
    const size_t numberOfElements = (size_t)W * (size_t)W;
    const size_t numberOfBytes = numberOfElements * sizeof(float);
    float* deviceM = nullptr;
    float* deviceN = nullptr;
    float* deviceP = nullptr;

    cudaError_t status = cudaMalloc(&deviceM, numberOfBytes);
    if (status != cudaSuccess) {
        return status;
    }
    status = cudaMalloc(&deviceN, numberOfBytes);
    if (status != cudaSuccess) {
        freeMatrices(deviceM, deviceN, deviceP);
        return status;
    }
    status = cudaMalloc(&deviceP, numberOfBytes);
    if (status != cudaSuccess) {
        freeMatrices(deviceM, deviceN, deviceP);
        return status;
    }

    status = cudaMemcpy(deviceM, M, numberOfBytes, cudaMemcpyHostToDevice);
    if (status != cudaSuccess) {
        freeMatrices(deviceM, deviceN, deviceP);
        return status;
    }
    status = cudaMemcpy(deviceN, N, numberOfBytes, cudaMemcpyHostToDevice);
    if (status != cudaSuccess) {
        freeMatrices(deviceM, deviceN, deviceP);
        return status;
    }

    const int threadsX = 32;
    const int threadsY = 8;
    int blocksX = W / threadsX;
    if (W % threadsX != 0) {
        blocksX++;
    }
    int blocksY = W / threadsY;
    if (W % threadsY != 0) {
        blocksY++;
    }
    const dim3 blockShape(threadsX, threadsY);
    const dim3 gridShape(blocksX, blocksY);
    matmul_global<<<gridShape, blockShape>>>(deviceM, deviceN, deviceP, W);
    status = cudaGetLastError();
    if (status == cudaSuccess) {
        status = cudaMemcpy(P, deviceP, numberOfBytes, cudaMemcpyDeviceToHost);
    }
    freeMatrices(deviceM, deviceN, deviceP);
    return status;
    // <<< your code
}

// (c) Thread geometry. The same kernel with x mapped to rows: threadIdx.x and blockIdx.x choose the row of P, y the
// column. It has to be right for every grid that covers the matrix, too. What does it do to a warp's accesses?
__global__ void matmul_global_x_rows(const float* M, const float* N, float* P, int W) {
    // >>> your code
    const int rowP = blockDim.x * blockIdx.x + threadIdx.x;
    const int colP = blockDim.y * blockIdx.y + threadIdx.y;
    const bool isInside = rowP < W && colP < W;
    if (isInside) {
        float total = 0.0f;
        int indexM = rowP * W;
        int indexN = colP;
        for (int step = 0; step < W; step++) {
            total += M[indexM] * N[indexN];
            indexM += 1;
            indexN += W;
        }
        const int indexP = rowP * W + colP;
        P[indexP] = total;
    }
    // <<< your code
}

// Before you measure: in which order do you expect these launches, fastest first? block_256x2 is 256 threads along x and 2
// along y; x_rows_32x32 is the kernel above in blocks of 32 x 32. Name each Geometry (common/api/lab2.h) once.
const Geometry predicted_order[geometry_count] = {
    // >>> your code
    Geometry::block_32x32,
    Geometry::block_256x2,
    Geometry::block_16x16,
    Geometry::block_8x8,
    Geometry::block_2x256,
    Geometry::x_rows_32x32
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
