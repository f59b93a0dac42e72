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
#include <cstring>

#define CM(i, j, ld) ((j) * (ld) + (i))
#define RM(i, j, ld) ((i) * (ld) + (j))

#define NTHR 128
#define CBX 32
#define CBY 8
#define KB 16

static __host__ __device__ int iceil(int a, int b) { return a / b + (a % b != 0 ? 1 : 0); }
// <<< your code

// (a) y = A x in tiles. Blocks are BLOCK x BLOCK threads, the grid is rows / BLOCK blocks along x; rows and cols are multiples of
// BLOCK. A block has BLOCK rows of y. It goes through their columns BLOCK at a time: each thread loads one element of A's tile,
// those with threadIdx.y = 0 also load the BLOCK elements of x, and after a barrier each of those adds to the sum of one row.
// Let threadIdx.x choose the row: neighbours in a warp then read neighbours in memory. Both tiles are in static shared memory.
template <int BLOCK>
__global__ void matvec_static(const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    __shared__ float as[BLOCK * BLOCK];
    __shared__ float xs[BLOCK];
    const int i = threadIdx.x;
    const int j = threadIdx.y;
    const int ig = blockIdx.x * BLOCK + i;
    const int nstep = cols / BLOCK;

    float s = 0.0f;
    for (int step = 0; step < nstep; step++) {
        const int jg = step * BLOCK + j;
        as[CM(i, j, BLOCK)] = A[CM(ig, jg, rows)];
        if (j == 0) xs[i] = x[step * BLOCK + i];
        __syncthreads();
        if (j == 0)
            for (int k = 0; k < BLOCK; k++) s += as[CM(i, k, BLOCK)] * xs[k];
        __syncthreads();
    }
    if (j == 0) y[ig] = s;
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
    extern __shared__ float work[];
    const int nb = blockDim.x;
    float* xs = work;
    float* as = work + nb;
    const int i = threadIdx.x;
    const int j = threadIdx.y;
    const int ig = nb * blockIdx.x + i;
    const float* a = A + CM(ig, j, rows);

    float s = 0.0f;
    for (int j0 = 0; j0 < cols; j0 += nb) {
        as[CM(i, j, nb)] = *a;
        a += (size_t)nb * rows;
        if (j == 0) xs[i] = x[j0 + i];
        __syncthreads();
        if (j == 0) {
            for (int k = 0; k < nb; k++) s += as[CM(i, k, nb)] * xs[k];
        }
        __syncthreads();
    }
    if (j == 0) y[ig] = s;
    // <<< your code
}

// Its launch in blocks of block x block threads, with exactly the dynamic shared memory that the two tiles take: one of
// block x block elements, one of block. Returns the launch's error.
cudaError_t launch_matvec_dynamic(int block, const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    dim3 threads(block, block);
    dim3 grid(rows / block);
    size_t nfloat = block * (block + 1);
    matvec_dynamic<<<grid, threads, nfloat * sizeof(float)>>>(A, x, y, rows, cols);
    return cudaGetLastError();
    // <<< your code
}

// (c) The same for any rows and cols: the last block has rows that don't exist, the last tile columns that don't. A thread whose
// element doesn't exist reads nothing, stores 0 in place of its element, and still reaches every barrier.
__global__ void matvec_any(const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    extern __shared__ float work[];
    const int nb = blockDim.x;
    float* xs = work;
    float* as = work + nb;
    const int i = threadIdx.x;
    const int j = threadIdx.y;
    const int ig = nb * blockIdx.x + i;
    const bool first = (j == 0);

    float s = 0.0f;
    for (int j0 = 0; j0 < cols; j0 += nb) {
        float aij = 0.0f;
        float xi = 0.0f;
        if (ig < rows && j0 + j < cols) aij = A[CM(ig, j0 + j, rows)];
        if (first && j0 + i < cols) xi = x[j0 + i];
        as[CM(i, j, nb)] = aij;
        if (first) xs[i] = xi;
        __syncthreads();
        if (first) {
            for (int k = 0; k < nb; k++) s += as[CM(i, k, nb)] * xs[k];
        }
        __syncthreads();
    }
    if (first && ig < rows) y[ig] = s;
    // <<< your code
}

// Its launch in blocks of block x block threads: as many blocks as rows need, and not one more. Returns the launch's error.
cudaError_t launch_matvec_any(int block, const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    dim3 threads(block, block);
    dim3 grid(iceil(rows, block));
    size_t nfloat = block * (block + 1);
    matvec_any<<<grid, threads, nfloat * sizeof(float)>>>(A, x, y, rows, cols);
    return cudaGetLastError();
    // <<< your code
}

// (d) C = A B in tiles as in lab 3, for any sizes: A is m x k, B is k x n, C is m x n, all row-major.
// A block computes TILE x TILE elements of C, or more of them if you like. Note the limits of a grid: 2^31 - 1 blocks along x, but only
// 65535 along y, and C may have more than a million rows, or columns.
constexpr int TILE = 16;
__global__ void matmul_any(const float* A, const float* B, float* C, int m, int n, int k) {
    // >>> your code
    __shared__ float as[TILE][TILE];
    __shared__ float bs[TILE][TILE];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int nbj = iceil(n, TILE);
    const int bi = blockIdx.x / nbj;
    const int bj = blockIdx.x - bi * nbj;
    const int i = bi * TILE + ty;
    const int j = bj * TILE + tx;

    float cij = 0.0f;
    for (int l0 = 0; l0 < k; l0 += TILE) {
        float ail = 0.0f;
        float blj = 0.0f;
        if (i < m && l0 + tx < k) ail = A[RM(i, l0 + tx, k)];
        if (l0 + ty < k && j < n) blj = B[RM(l0 + ty, j, n)];
        as[ty][tx] = ail;
        bs[ty][tx] = blj;
        __syncthreads();
        for (int l = 0; l < TILE; l++) cij += as[ty][l] * bs[l][tx];
        __syncthreads();
    }
    if (i < m && j < n) C[RM(i, j, n)] = cij;
    // <<< your code
}

// Its launch: as many blocks as C needs, and not one more. Returns the launch's error.
cudaError_t launch_matmul_any(const float* A, const float* B, float* C, int m, int n, int k) {
    // >>> your code
    const int nblocks = iceil(m, TILE) * iceil(n, TILE);
    matmul_any<<<nblocks, dim3(TILE, TILE)>>>(A, B, C, m, n, k);
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
    const int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= rows) return;

    const float* a = A + i;
    float s = 0.0f;
    for (int j = 0; j < cols; j++, a += rows) s += *a * in_constant[j];
    y[i] = s;
    // <<< your code
}

// Copies x, which is in device memory, to in_constant, and launches. If x doesn't fit: cudaErrorInvalidValue, before anything is copied or
// launched. Returns the first error.
cudaError_t launch_matvec_constant(const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    if (cols > constant_floats) return cudaErrorInvalidValue;

    cudaError_t err = cudaMemcpyToSymbol(in_constant, x, sizeof(float) * cols, 0, cudaMemcpyDeviceToDevice);
    if (err == cudaSuccess) {
        matvec_constant<<<iceil(rows, NTHR), NTHR>>>(A, y, rows, cols);
        err = cudaGetLastError();
    }
    return err;
    // <<< your code
}

// (f) C = A B with a band of A in constant memory: `rows` rows of k elements, row-major, from in_constant[0] on. C points to the
// band's first row of C. Tiles of B go through shared memory. What must the lanes of a warp have in common, so that each read of
// A is one word for all of them?
__global__ void matmul_constant(const float* B, float* C, int rows, int n, int k) {
    // >>> your code
    __shared__ float bs[KB][CBX];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int i = CBY * blockIdx.y + ty;
    const int j = CBX * blockIdx.x + tx;

    float cij = 0.0f;
    for (int l0 = 0; l0 < k; l0 += KB) {
        for (int l = ty; l < KB; l += CBY) {
            bs[l][tx] = (l0 + l < k && j < n) ? B[RM(l0 + l, j, n)] : 0.0f;
        }
        __syncthreads();
        if (i < rows) {
            const int lmax = k - l0 < KB ? k - l0 : KB;
            for (int l = 0; l < lmax; l++) cij += in_constant[RM(i, l0 + l, k)] * bs[l][tx];
        }
        __syncthreads();
    }
    if (i < rows && j < n) C[RM(i, j, n)] = cij;
    // <<< your code
}

// For each band: copies as many rows of A, which is in device memory, as fit to in_constant, and launches. If not even one row fits:
// cudaErrorInvalidValue, before anything is copied or launched. Returns the first error.
cudaError_t launch_matmul_constant(const float* A, const float* B, float* C, int m, int n, int k) {
    // >>> your code
    if (k > constant_floats) return cudaErrorInvalidValue;

    const int band = constant_floats / k;
    const dim3 threads(CBX, CBY);
    int done = 0;
    while (done < m) {
        const int nrow = m - done < band ? m - done : band;
        const size_t nbytes = sizeof(float) * nrow * k;
        cudaError_t err = cudaMemcpyToSymbol(in_constant, A + RM(done, 0, k), nbytes, 0, cudaMemcpyDeviceToDevice);
        if (err != cudaSuccess) return err;

        const dim3 grid(iceil(n, CBX), iceil(nrow, CBY));
        matmul_constant<<<grid, threads>>>(B, C + RM(done, 0, n), nrow, n, k);
        err = cudaGetLastError();
        if (err != cudaSuccess) return err;
        done += nrow;
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
    const size_t na = sizeof(float) * rows * cols;
    const size_t nx = sizeof(float) * cols;
    const size_t ny = sizeof(float) * rows;
    float *da = NULL, *dx = NULL;
    float *hy = NULL, *dy = NULL;
    cudaError_t err;

    if ((err = cudaMalloc(&da, na)) != cudaSuccess) goto finish;
    if ((err = cudaMalloc(&dx, nx)) != cudaSuccess) goto finish;
    if ((err = cudaMemcpy(da, A, na, cudaMemcpyHostToDevice)) != cudaSuccess) goto finish;
    if ((err = cudaMemcpy(dx, x, nx, cudaMemcpyHostToDevice)) != cudaSuccess) goto finish;
    if ((err = cudaHostAlloc(&hy, ny, cudaHostAllocMapped)) != cudaSuccess) goto finish;
    if ((err = cudaHostGetDevicePointer(&dy, hy, 0)) != cudaSuccess) goto finish;
    if ((err = launch_matvec_any(16, da, dx, dy, rows, cols)) != cudaSuccess) goto finish;
    if ((err = cudaDeviceSynchronize()) != cudaSuccess) goto finish;
    std::memcpy(y, hy, ny);

    finish:
    cudaFreeHost(hy);
    cudaFree(dx);
    cudaFree(da);
    return err;
    // <<< your code
}
