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
static int up(int a, int b) { return (a - 1) / b + 1; }

constexpr int CW = 32;
constexpr int CH = 16;
// <<< your code

// (a) y = A x in tiles. Blocks are BLOCK x BLOCK threads, the grid is rows / BLOCK blocks along x; rows and cols are multiples of
// BLOCK. A block has BLOCK rows of y. It goes through their columns BLOCK at a time: each thread loads one element of A's tile,
// those with threadIdx.y = 0 also load the BLOCK elements of x, and after a barrier each of those adds to the sum of one row.
// Let threadIdx.x choose the row: neighbours in a warp then read neighbours in memory. Both tiles are in static shared memory.
template <int BLOCK>
__global__ void matvec_static(const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    __shared__ float a[BLOCK * BLOCK];
    __shared__ float v[BLOCK];
    int tx = threadIdx.x, ty = threadIdx.y;
    int r = blockIdx.x * BLOCK + tx;
    const float* p = A + ty * rows + r;
    float s = 0;
    for (int c = 0; c < cols; c += BLOCK) {
        if (ty == 0)
            v[tx] = x[c + tx];
        a[ty * BLOCK + tx] = p[c * rows];
        __syncthreads();
        if (ty == 0) {
            for (int k = 0; k < BLOCK; k++)
                s += v[k] * a[k * BLOCK + tx];
        }
        __syncthreads();
    }
    if (ty == 0)
        y[r] = s;
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
    extern __shared__ float sh[];
    int b = blockDim.x;
    int tx = threadIdx.x, ty = threadIdx.y;
    float* v = sh;
    float* a = sh + b;
    int r = blockIdx.x * b + tx;
    int nt = cols / b;
    float s = 0;
    for (int t = 0; t < nt; t++) {
        int c = t * b + ty;
        a[ty * b + tx] = A[c * rows + r];
        if (ty == 0)
            v[tx] = x[t * b + tx];
        __syncthreads();
        if (ty == 0) {
            for (int k = 0; k < b; k++)
                s += a[k * b + tx] * v[k];
        }
        __syncthreads();
    }
    if (ty == 0)
        y[r] = s;
    // <<< your code
}

// Its launch in blocks of block x block threads, with exactly the dynamic shared memory that the two tiles take: one of
// block x block elements, one of block. Returns the launch's error.
cudaError_t launch_matvec_dynamic(int block, const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    dim3 th(block, block);
    int sz = block * (block + 1) * sizeof(float);
    matvec_dynamic<<<rows / block, th, sz>>>(A, x, y, rows, cols);
    return cudaGetLastError();
    // <<< your code
}

// (c) The same for any rows and cols: the last block has rows that don't exist, the last tile columns that don't. A thread whose
// element doesn't exist reads nothing, stores 0 in place of its element, and still reaches every barrier.
__global__ void matvec_any(const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    extern __shared__ float sh[];
    int b = blockDim.x;
    int tx = threadIdx.x, ty = threadIdx.y;
    float* a = sh;
    float* v = &sh[b * b];
    int r = blockIdx.x * b + tx;
    float s = 0;
    for (int c0 = 0; c0 < cols; c0 += b) {
        int c = c0 + ty;
        int j = c0 + tx;
        float e = 0, f = 0;
        if (r < rows && c < cols)
            e = A[c * rows + r];
        if (ty == 0 && j < cols)
            f = x[j];
        a[ty * b + tx] = e;
        if (ty == 0)
            v[tx] = f;
        __syncthreads();
        if (ty == 0) {
            for (int k = 0; k < b; k++)
                s += a[k * b + tx] * v[k];
        }
        __syncthreads();
    }
    if (ty > 0 || r >= rows)
        return;
    y[r] = s;
    // <<< your code
}

// Its launch in blocks of block x block threads: as many blocks as rows need, and not one more. Returns the launch's error.
cudaError_t launch_matvec_any(int block, const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    int nb = up(rows, block);
    int nf = block * block + block;
    dim3 th(block, block);
    matvec_any<<<nb, th, nf * sizeof(float)>>>(A, x, y, rows, cols);
    return cudaGetLastError();
    // <<< your code
}

// (d) C = A B in tiles as in lab 3, for any sizes: A is m x k, B is k x n, C is m x n, all row-major.
// A block computes TILE x TILE elements of C, or more of them if you like. Note the limits of a grid: 2^31 - 1 blocks along x, but only
// 65535 along y, and C may have more than a million rows, or columns.
constexpr int TILE = 16;
__global__ void matmul_any(const float* A, const float* B, float* C, int m, int n, int k) {
    // >>> your code
    __shared__ float a[TILE * TILE];
    __shared__ float b[TILE * TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int w = (n - 1) / TILE + 1;
    int by = blockIdx.x / w;
    int bx = blockIdx.x - by * w;
    int r = by * TILE + ty;
    int c = bx * TILE + tx;
    int me = ty * TILE + tx;
    float s = 0;
    for (int t = 0; t < k; t += TILE) {
        float e = 0, f = 0;
        if (r < m && t + tx < k)
            e = A[r * k + t + tx];
        if (c < n && t + ty < k)
            f = B[(t + ty) * n + c];
        a[me] = e;
        b[me] = f;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            s += a[ty * TILE + i] * b[i * TILE + tx];
        __syncthreads();
    }
    if (r < m && c < n)
        C[r * n + c] = s;
    // <<< your code
}

// Its launch: as many blocks as C needs, and not one more. Returns the launch's error.
cudaError_t launch_matmul_any(const float* A, const float* B, float* C, int m, int n, int k) {
    // >>> your code
    dim3 th(TILE, TILE);
    int nb = up(m, TILE) * up(n, TILE);
    matmul_any<<<nb, th>>>(A, B, C, m, n, k);
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
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    const float* p = A + r;
    float s = 0;
    for (int j = 0; j < cols; j++) {
        s += *p * in_constant[j];
        p += rows;
    }
    y[r] = s;
    // <<< your code
}

// Copies x, which is in device memory, to in_constant, and launches. If x doesn't fit: cudaErrorInvalidValue, before anything is copied or
// launched. Returns the first error.
cudaError_t launch_matvec_constant(const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    if (cols > constant_floats)
        return cudaErrorInvalidValue;
    cudaError_t e = cudaMemcpyToSymbol(in_constant, x, sizeof(float) * cols, 0, cudaMemcpyDeviceToDevice);
    if (e != cudaSuccess)
        return e;
    int th = 128;
    matvec_constant<<<up(rows, th), th>>>(A, y, rows, cols);
    return cudaGetLastError();
    // <<< your code
}

// (f) C = A B with a band of A in constant memory: `rows` rows of k elements, row-major, from in_constant[0] on. C points to the
// band's first row of C. Tiles of B go through shared memory. What must the lanes of a warp have in common, so that each read of
// A is one word for all of them?
__global__ void matmul_constant(const float* B, float* C, int rows, int n, int k) {
    // >>> your code
    __shared__ float b[CH * CW];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int c = blockIdx.x * CW + tx;
    int r = blockIdx.y * CH + ty;
    float s = 0;
    for (int t = 0; t < k; t += CH) {
        float f = 0;
        if (t + ty < k && c < n)
            f = B[(t + ty) * n + c];
        b[ty * CW + tx] = f;
        __syncthreads();
        int h = k - t;
        if (h > CH)
            h = CH;
        if (r < rows) {
            for (int i = 0; i < h; i++)
                s += in_constant[r * k + t + i] * b[i * CW + tx];
        }
        __syncthreads();
    }
    if (r >= rows || c >= n)
        return;
    C[r * n + c] = s;
    // <<< your code
}

// For each band: copies as many rows of A, which is in device memory, as fit to in_constant, and launches. If not even one row fits:
// cudaErrorInvalidValue, before anything is copied or launched. Returns the first error.
cudaError_t launch_matmul_constant(const float* A, const float* B, float* C, int m, int n, int k) {
    // >>> your code
    if (k > constant_floats)
        return cudaErrorInvalidValue;
    int max = constant_floats / k;
    int done = 0;
    while (done < m) {
        int h = m - done;
        if (h > max)
            h = max;
        const float* src = A + done * k;
        cudaError_t e = cudaMemcpyToSymbol(in_constant, src, sizeof(float) * h * k, 0, cudaMemcpyDeviceToDevice);
        if (e != cudaSuccess)
            return e;
        dim3 g(up(n, CW), up(h, CH));
        matmul_constant<<<g, dim3(CW, CH)>>>(B, C + done * n, h, n, k);
        e = cudaGetLastError();
        if (e != cudaSuccess)
            return e;
        done += h;
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
    float *a = 0, *v = 0, *h = 0, *d = 0;
    size_t na = sizeof(float) * rows * cols;
    size_t nv = sizeof(float) * cols;
    size_t nh = sizeof(float) * rows;
    cudaError_t e;
    do {
        if ((e = cudaMalloc(&a, na)) != cudaSuccess)
            break;
        if ((e = cudaMalloc(&v, nv)) != cudaSuccess)
            break;
        if ((e = cudaHostAlloc(&h, nh, cudaHostAllocMapped)) != cudaSuccess)
            break;
        if ((e = cudaHostGetDevicePointer(&d, h, 0)) != cudaSuccess)
            break;
        if ((e = cudaMemcpy(a, A, na, cudaMemcpyHostToDevice)) != cudaSuccess)
            break;
        if ((e = cudaMemcpy(v, x, nv, cudaMemcpyHostToDevice)) != cudaSuccess)
            break;
        if ((e = launch_matvec_any(16, a, v, d, rows, cols)) != cudaSuccess)
            break;
        if ((e = cudaDeviceSynchronize()) != cudaSuccess)
            break;
        for (int i = 0; i < rows; i++)
            y[i] = h[i];
    } while (0);
    if (h)
        cudaFreeHost(h);
    cudaFree(v);
    cudaFree(a);
    return e;
    // <<< your code
}
