// Lab 2 · Matrix product from global memory
//
// P = M N on the GPU, one thread for each element of P. All matrices are W x W floats, row-major: element (row, col) is at
// index row * W + col.
//
// Write only between the lines `// >>> your code` and `// <<< your code`; the text around them stays as it is.
#include "common/api/lab2.h"

// Your own helper functions and further #includes, if any.
// >>> your code
#define BX 32
#define BY 8
#define IDX(i, j, ld) ((i) * (ld) + (j))
#define TRY(call)                            \
    do {                                     \
        err = (call);                        \
        if (err != cudaSuccess) goto finish; \
    } while (0)
// <<< your code

// (a) One thread computes one element of P. Blocks and grid are two-dimensional and of any shape; together they cover
// the matrix, and often more: a thread beyond the matrix must neither read nor write.
// Let threadIdx.x run along a row of P: neighbouring threads of a warp then read neighbouring elements of N and write
// neighbouring elements of P, and each request needs few 32-byte sectors.
__global__ void matmul_global(const float* M, const float* N, float* P, int W) {
    // >>> your code
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= W || j >= W) return;

    float pij = 0.0f;
    for (int k = 0; k < W; k++) pij += M[IDX(i, k, W)] * N[IDX(k, j, W)];
    P[IDX(i, j, W)] = pij;
    // <<< your code
}

// (b) The whole host side. M, N and P are host pointers; W is at least 1.
// Allocate device memory, copy M and N in, launch matmul_global in blocks of your choice, check for launch errors, copy P
// out, free all allocations. Returns cudaSuccess or the first error; even after an error nothing may stay allocated.
cudaError_t matmul_on_device(const float* M, const float* N, float* P, int W) {
    // >>> your code
    cudaError_t err;
    float *dM = NULL, *dN = NULL, *dP = NULL;
    const size_t nbytes = sizeof(float) * W * W;
    dim3 block(BX, BY, 1);
    dim3 grid((W - 1) / BX + 1, (W - 1) / BY + 1, 1);

    TRY(cudaMalloc(&dM, nbytes));
    TRY(cudaMalloc(&dN, nbytes));
    TRY(cudaMalloc(&dP, nbytes));
    TRY(cudaMemcpy(dM, M, nbytes, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(dN, N, nbytes, cudaMemcpyHostToDevice));
    matmul_global<<<grid, block>>>(dM, dN, dP, W);
    TRY(cudaGetLastError());
    TRY(cudaMemcpy(P, dP, nbytes, cudaMemcpyDeviceToHost));

    finish:
    cudaFree(dP);
    cudaFree(dN);
    cudaFree(dM);
    return err;
    // <<< your code
}

// (c) Thread geometry. The same kernel with x mapped to rows: threadIdx.x and blockIdx.x choose the row of P, y the
// column. It has to be right for every grid that covers the matrix, too. What does it do to a warp's accesses?
__global__ void matmul_global_x_rows(const float* M, const float* N, float* P, int W) {
    // >>> your code
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    int j = blockDim.y * blockIdx.y + threadIdx.y;
    if (i < W && j < W) {
        const float* m = M + IDX(i, 0, W);
        const float* n = N + j;
        float acc = 0.0f;
        for (int k = 0; k < W; k++) {
            acc += m[k] * *n;
            n += W;
        }
        P[IDX(i, j, W)] = acc;
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
