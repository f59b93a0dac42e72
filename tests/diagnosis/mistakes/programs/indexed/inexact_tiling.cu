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
static int divideRoundingUp(int number, int divisor) {
    int result = number / divisor;
    if (result * divisor < number) {
        result++;
    }
    return result;
}

static cudaError_t releaseAll(float* deviceA, float* deviceX, float* pinnedY, cudaError_t status) {
    if (deviceA != nullptr) {
        cudaFree(deviceA);
    }
    if (deviceX != nullptr) {
        cudaFree(deviceX);
    }
    if (pinnedY != nullptr) {
        cudaFreeHost(pinnedY);
    }
    return status;
}

constexpr int threadsOfConstant = 128;
constexpr int bandThreadsX = 32;
constexpr int bandThreadsY = 16;
// <<< your code

// (a) y = A x in tiles. Blocks are BLOCK x BLOCK threads, the grid is rows / BLOCK blocks along x; rows and cols are multiples of
// BLOCK. A block has BLOCK rows of y. It goes through their columns BLOCK at a time: each thread loads one element of A's tile,
// those with threadIdx.y = 0 also load the BLOCK elements of x, and after a barrier each of those adds to the sum of one row.
// Let threadIdx.x choose the row: neighbours in a warp then read neighbours in memory. Both tiles are in static shared memory.
template <int BLOCK>
__global__ void matvec_static(const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    __shared__ float sharedA[BLOCK][BLOCK];
    __shared__ float sharedX[BLOCK];

    const int threadX = threadIdx.x;
    const int threadY = threadIdx.y;
    const int row = blockIdx.x * BLOCK + threadX;
    const int numberOfTiles = cols / BLOCK;

    float rowSum = 0.0f;
    for (int tile = 0; tile < numberOfTiles; tile++) {
        const int firstCol = tile * BLOCK;
        const int colA = firstCol + threadY;
        const int indexA = colA * rows + row;
        sharedA[threadY][threadX] = A[indexA];
        if (threadY == 0) {
            sharedX[threadX] = x[firstCol + threadX];
        }
        __syncthreads();

        if (threadY == 0) {
            for (int col = 0; col < BLOCK; col++) {
                rowSum += sharedA[col][threadX] * sharedX[col];
            }
        }
        __syncthreads();
    }

    if (threadY == 0) {
        y[row] = rowSum;
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
    extern __shared__ float sharedMemory[];
    const int side = blockDim.x;
    const int startOfA = side;

    const int threadX = threadIdx.x;
    const int threadY = threadIdx.y;
    const int row = blockIdx.x * side + threadX;

    float rowSum = 0.0f;
    int firstCol = 0;
    while (firstCol < cols) {
        const int colA = firstCol + threadY;
        const int indexA = colA * rows + row;
        if (threadY == 0) {
            sharedMemory[threadX] = x[firstCol + threadX];
        }
        sharedMemory[startOfA + threadY * side + threadX] = A[indexA];
        __syncthreads();

        if (threadY == 0) {
            for (int k = 0; k < side; k++) {
                const float valueA = sharedMemory[startOfA + k * side + threadX];
                const float valueX = sharedMemory[k];
                rowSum += valueA * valueX;
            }
        }
        __syncthreads();
        firstCol += side;
    }

    if (threadY == 0) {
        y[row] = rowSum;
    }
    // <<< your code
}

// Its launch in blocks of block x block threads, with exactly the dynamic shared memory that the two tiles take: one of
// block x block elements, one of block. Returns the launch's error.
cudaError_t launch_matvec_dynamic(int block, const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    const dim3 blockShape(block, block);
    const int numberOfBlocks = rows / block;
    const size_t floatsOfA = (size_t)block * block;
    const size_t floatsOfX = block;
    const size_t sharedBytes = (floatsOfA + floatsOfX) * sizeof(float);
    matvec_dynamic<<<numberOfBlocks, blockShape, sharedBytes>>>(A, x, y, rows, cols);
    return cudaGetLastError();
    // <<< your code
}

// (c) The same for any rows and cols: the last block has rows that don't exist, the last tile columns that don't. A thread whose
// element doesn't exist reads nothing, stores 0 in place of its element, and still reaches every barrier.
__global__ void matvec_any(const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    extern __shared__ float sharedMemory[];
    const int side = blockDim.x;
    const int startOfX = side * side;

    const int threadX = threadIdx.x;
    const int threadY = threadIdx.y;
    const int row = blockIdx.x * side + threadX;
    const int numberOfTiles = (cols - 1) / side + 1;

    float rowSum = 0.0f;
    for (int tile = 0; tile < numberOfTiles; tile++) {
        const int colA = tile * side + threadY;
        const int colX = tile * side + threadX;
        const int placeA = threadY * side + threadX;
        float elementA = 0.0f;
        if (row < rows && colA < cols) {
            elementA = A[colA * rows + row];
        }
        if (threadY == 0) {
            if (colX < cols) {
                sharedMemory[startOfX + threadX] = x[colX];
            } else {
                sharedMemory[startOfX + threadX] = 0.0f;
            }
        }
        sharedMemory[placeA] = elementA;
        __syncthreads();

        if (threadY == 0) {
            for (int k = 0; k < side; k++) {
                const float valueA = sharedMemory[k * side + threadX];
                const float valueX = sharedMemory[startOfX + k];
                rowSum += valueA * valueX;
            }
        }
        __syncthreads();
    }

    const bool hasRow = row < rows;
    if (threadY == 0 && hasRow) {
        y[row] = rowSum;
    }
    // <<< your code
}

// Its launch in blocks of block x block threads: as many blocks as rows need, and not one more. Returns the launch's error.
cudaError_t launch_matvec_any(int block, const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    const dim3 blockShape(block, block);
    const int numberOfBlocks = divideRoundingUp(rows, block);
    const int sharedFloats = block * block + block;
    const size_t sharedBytes = sharedFloats * sizeof(float);
    matvec_any<<<numberOfBlocks, blockShape, sharedBytes>>>(A, x, y, rows, cols);
    return cudaGetLastError();
    // <<< your code
}

// (d) C = A B in tiles as in lab 3, for any sizes: A is m x k, B is k x n, C is m x n, all row-major.
// A block computes TILE x TILE elements of C, or more of them if you like. Note the limits of a grid: 2^31 - 1 blocks along x, but only
// 65535 along y, and C may have more than a million rows, or columns.
constexpr int TILE = 16;
__global__ void matmul_any(const float* A, const float* B, float* C, int m, int n, int k) {
    // >>> your code
    __shared__ float sharedA[TILE][TILE];
    __shared__ float sharedB[TILE][TILE];

    const int threadX = threadIdx.x;
    const int threadY = threadIdx.y;
    const int blocksPerRow = (n + TILE - 1) / TILE;
    const int blockRow = blockIdx.x / blocksPerRow;
    const int blockCol = blockIdx.x % blocksPerRow;
    const int rowC = blockRow * TILE + threadY;
    const int colC = blockCol * TILE + threadX;

    float dotProduct = 0.0f;
    for (int start = 0; start < k; start += TILE) {
        const int colA = start + threadX;
        const int rowB = start + threadY;
        float elementA = 0.0f;
        float elementB = 0.0f;
        if (rowC < m && colA < k) {
            elementA = A[rowC * k + colA];
        }
        if (rowB < k && colC < n) {
            elementB = B[rowB * n + colC];
        }
        sharedA[threadY][threadX] = elementA;
        sharedB[threadY][threadX] = elementB;
        __syncthreads();

        for (int step = 0; step < TILE; step++) {
            dotProduct += sharedA[threadY][step] * sharedB[step][threadX];
        }
        __syncthreads();
    }

    if (rowC < m && colC < n) {
        const int indexC = rowC * n + colC;
        C[indexC] = dotProduct;
    }
    // <<< your code
}

// Its launch: as many blocks as C needs, and not one more. Returns the launch's error.
cudaError_t launch_matmul_any(const float* A, const float* B, float* C, int m, int n, int k) {
    // >>> your code
    const int blocksDown = divideRoundingUp(m, TILE);
    const int blocksAcross = divideRoundingUp(n, TILE);
    const dim3 blockShape(TILE, TILE);
    matmul_any<<<blocksDown * blocksAcross, blockShape>>>(A, B, C, m, n, k);
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
    float rowSum = 0.0f;
    for (int col = 0; col < cols; col++) {
        const int indexA = col * rows + row;
        rowSum += A[indexA] * in_constant[col];
    }
    y[row] = rowSum;
    // <<< your code
}

// Copies x, which is in device memory, to in_constant, and launches. If x doesn't fit: cudaErrorInvalidValue, before anything is copied or
// launched. Returns the first error.
cudaError_t launch_matvec_constant(const float* A, const float* x, float* y, int rows, int cols) {
    // >>> your code
    if (cols > constant_floats) {
        return cudaErrorInvalidValue;
    }
    const size_t bytesOfX = (size_t)cols * sizeof(float);
    cudaError_t status = cudaMemcpyToSymbol(in_constant, x, bytesOfX, 0, cudaMemcpyDeviceToDevice);
    if (status == cudaSuccess) {
        const int numberOfBlocks = divideRoundingUp(rows, threadsOfConstant);
        matvec_constant<<<numberOfBlocks, threadsOfConstant>>>(A, y, rows, cols);
        status = cudaGetLastError();
    }
    return status;
    // <<< your code
}

// (f) C = A B with a band of A in constant memory: `rows` rows of k elements, row-major, from in_constant[0] on. C points to the
// band's first row of C. Tiles of B go through shared memory. What must the lanes of a warp have in common, so that each read of
// A is one word for all of them?
__global__ void matmul_constant(const float* B, float* C, int rows, int n, int k) {
    // >>> your code
    __shared__ float sharedB[bandThreadsY][bandThreadsX];

    const int threadX = threadIdx.x;
    const int threadY = threadIdx.y;
    const int rowC = blockIdx.y * bandThreadsY + threadY;
    const int colC = blockIdx.x * bandThreadsX + threadX;
    const int startOfRowA = rowC * k;

    float dotProduct = 0.0f;
    for (int start = 0; start < k; start += bandThreadsY) {
        const int rowB = start + threadY;
        float valueB = 0.0f;
        if (rowB < k && colC < n) {
            valueB = B[rowB * n + colC];
        }
        sharedB[threadY][threadX] = valueB;
        __syncthreads();

        int numberOfRowsB = k - start;
        if (numberOfRowsB > bandThreadsY) {
            numberOfRowsB = bandThreadsY;
        }
        if (rowC < rows) {
            for (int step = 0; step < numberOfRowsB; step++) {
                const float valueA = in_constant[startOfRowA + start + step];
                dotProduct += valueA * sharedB[step][threadX];
            }
        }
        __syncthreads();
    }

    if (rowC < rows && colC < n) {
        C[rowC * n + colC] = dotProduct;
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
    const int rowsThatFit = constant_floats / k;
    const dim3 blockShape(bandThreadsX, bandThreadsY);
    int firstRow = 0;
    while (firstRow < m) {
        int rowsOfBand = rowsThatFit;
        if (firstRow + rowsOfBand > m) {
            rowsOfBand = m - firstRow;
        }
        const size_t startOfA = (size_t)firstRow * k;
        const size_t startOfC = (size_t)firstRow * n;
        const size_t bandBytes = (size_t)rowsOfBand * k * sizeof(float);
        cudaError_t status = cudaMemcpyToSymbol(in_constant, &A[startOfA], bandBytes, 0, cudaMemcpyDeviceToDevice);
        if (status != cudaSuccess) {
            return status;
        }
        const dim3 gridShape(divideRoundingUp(n, bandThreadsX), divideRoundingUp(rowsOfBand, bandThreadsY));
        matmul_constant<<<gridShape, blockShape>>>(B, &C[startOfC], rowsOfBand, n, k);
        status = cudaGetLastError();
        if (status != cudaSuccess) {
            return status;
        }
        firstRow += rowsOfBand;
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
    const size_t bytesOfA = (size_t)rows * cols * sizeof(float);
    const size_t bytesOfX = (size_t)cols * sizeof(float);
    const size_t bytesOfY = (size_t)rows * sizeof(float);
    float* deviceA = nullptr;
    float* deviceX = nullptr;
    float* pinnedY = nullptr;
    float* deviceY = nullptr;

    cudaError_t status = cudaMalloc(&deviceA, bytesOfA);
    if (status != cudaSuccess) {
        return releaseAll(deviceA, deviceX, pinnedY, status);
    }
    status = cudaMemcpy(deviceA, A, bytesOfA, cudaMemcpyHostToDevice);
    if (status != cudaSuccess) {
        return releaseAll(deviceA, deviceX, pinnedY, status);
    }
    status = cudaMalloc(&deviceX, bytesOfX);
    if (status != cudaSuccess) {
        return releaseAll(deviceA, deviceX, pinnedY, status);
    }
    status = cudaMemcpy(deviceX, x, bytesOfX, cudaMemcpyHostToDevice);
    if (status != cudaSuccess) {
        return releaseAll(deviceA, deviceX, pinnedY, status);
    }
    status = cudaHostAlloc(&pinnedY, bytesOfY, cudaHostAllocMapped);
    if (status != cudaSuccess) {
        return releaseAll(deviceA, deviceX, pinnedY, status);
    }
    status = cudaHostGetDevicePointer(&deviceY, pinnedY, 0);
    if (status != cudaSuccess) {
        return releaseAll(deviceA, deviceX, pinnedY, status);
    }

    status = launch_matvec_any(16, deviceA, deviceX, deviceY, rows, cols);
    if (status != cudaSuccess) {
        return releaseAll(deviceA, deviceX, pinnedY, status);
    }
    status = cudaDeviceSynchronize();
    if (status == cudaSuccess) {
        for (int row = 0; row < rows; row++) {
            y[row] = pinnedY[row];
        }
    }
    return releaseAll(deviceA, deviceX, pinnedY, status);
    // <<< your code
}
