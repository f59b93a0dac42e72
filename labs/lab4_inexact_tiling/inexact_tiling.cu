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
// <<< your code

// (a) y = A x in tiles. Blocks are BLOCK x BLOCK threads, the grid is rows / BLOCK blocks along x; rows and cols are multiples of
// BLOCK. A block has BLOCK rows of y. It goes through their columns BLOCK at a time: each thread loads one element of A's tile,
// those with threadIdx.y = 0 also load the BLOCK elements of x, and after a barrier each of those adds to the sum of one row.
// Let threadIdx.x choose the row: neighbours in a warp then read neighbours in memory. Both tiles are in static shared memory.
template <int BLOCK>
__global__ void matvec_static(const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
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
    // <<< your code
}

// Its launch in blocks of block x block threads, with exactly the dynamic shared memory that the two tiles take: one of
// block x block elements, one of block. Returns the launch's error.
cudaError_t launch_matvec_dynamic(int block, const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    return cudaErrorNotSupported;  // not written yet
    // <<< your code
}

// (c) The same for any rows and cols: the last block has rows that don't exist, the last tile columns that don't. A thread whose
// element doesn't exist reads nothing, stores 0 in place of its element, and still reaches every barrier.
__global__ void matvec_any(const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    // <<< your code
}

// Its launch in blocks of block x block threads: as many blocks as rows need, and not one more. Returns the launch's error.
cudaError_t launch_matvec_any(int block, const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    return cudaErrorNotSupported;  // not written yet
    // <<< your code
}

// (d) C = A B in tiles as in lab 3, for any sizes: A is m x k, B is k x n, C is m x n, all row-major.
// A block computes TILE x TILE elements of C, or more of them if you like. Note the limits of a grid: 2^31 - 1 blocks along x, but only
// 65535 along y, and C may have more than a million rows, or columns.
constexpr int TILE = 16;
__global__ void matmul_any(const float* A, const float* B, float* C, int m, int n, int k) {
    // >>> your code
    // <<< your code
}

// Its launch: as many blocks as C needs, and not one more. Returns the launch's error.
cudaError_t launch_matmul_any(const float* A, const float* B, float* C, int m, int n, int k) {
    // >>> your code
    return cudaErrorNotSupported;  // not written yet
    // <<< your code
}

// Given: all of constant memory, used by (e) and by (f). A copy to it and the kernels before and after that copy are ordered, since they
// are in one stream.
__constant__ float in_constant[constant_floats];

// (e) y = A x with x in constant memory, in in_constant[0] to in_constant[cols - 1]. Constant memory serves one word at a time: a
// broadcast if all lanes of a warp read the same word, otherwise one word after another. So no tile is needed. One thread a row.
__global__ void matvec_constant(const float* A, float* y, int rows, int cols) {
    // >>> your code
    // <<< your code
}

// Copies x, which is in device memory, to in_constant, and launches. If x doesn't fit: cudaErrorInvalidValue, before anything is copied or
// launched. Returns the first error.
cudaError_t launch_matvec_constant(const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    return cudaErrorNotSupported;  // not written yet
    // <<< your code
}

// (f) C = A B with a band of A in constant memory: `rows` rows of k elements, row-major, from in_constant[0] on. C points to the
// band's first row of C. Tiles of B go through shared memory. What must the lanes of a warp have in common, so that each read of
// A is one word for all of them?
__global__ void matmul_constant(const float* B, float* C, int rows, int n, int k) {
    // >>> your code
    // <<< your code
}

// For each band: copies as many rows of A, which is in device memory, as fit to in_constant, and launches. If not even one row fits:
// cudaErrorInvalidValue, before anything is copied or launched. Returns the first error.
cudaError_t launch_matmul_constant(const float* A, const float* B, float* C, int m, int n, int k) {
    // >>> your code
    return cudaErrorNotSupported;  // not written yet
    // <<< your code
}

// (g) y = A x on host pointers, with the kernel of (c). A and x are copied to the device as in lab 2. For the result allocate page-locked
// host memory that the device can reach (cudaHostAlloc with cudaHostAllocMapped), ask for its address on the device
// (cudaHostGetDevicePointer; where addresses are unified it is the host's own), and let the kernel write there: no cudaMemcpy brings it
// back. A kernel is still running when its launch returns: synchronise before you copy the result to y. Free everything, also after an
// error. Returns the first error.
cudaError_t matvec_mapped(const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    return cudaErrorNotSupported;  // not written yet
    // <<< your code
}
