// C = A x B: naive, tiled in shared memory (block size a template argument), and for any rectangle with guards.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Matrix {
    int width, height, stride;
    float* elements;
};

__device__ float GetElement(const Matrix A, int row, int col) { return A.elements[row * A.stride + col]; }
__device__ void SetElement(Matrix A, int row, int col, float value) { A.elements[row * A.stride + col] = value; }
__device__ Matrix GetSubMatrix(Matrix A, int row, int col, int size) {
    Matrix sub;
    sub.width = sub.height = size;
    sub.stride = A.stride;
    sub.elements = &A.elements[A.stride * size * row + size * col];
    return sub;
}

__global__ void MatMulNaive(Matrix A, Matrix B, Matrix C) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= C.height || col >= C.width) return;
    float sum = 0;
    for (int e = 0; e < A.width; ++e) sum += A.elements[row * A.width + e] * B.elements[e * B.width + col];
    C.elements[row * C.width + col] = sum;
}

template <int BLOCK_SIZE>
__global__ void MatMulTiled(Matrix A, Matrix B, Matrix C) {
    Matrix Csub = GetSubMatrix(C, blockIdx.y, blockIdx.x, BLOCK_SIZE);
    float Cvalue = 0;
    int row = threadIdx.y, col = threadIdx.x;
    for (int m = 0; m < (A.width / BLOCK_SIZE); ++m) {
        Matrix Asub = GetSubMatrix(A, blockIdx.y, m, BLOCK_SIZE);
        Matrix Bsub = GetSubMatrix(B, m, blockIdx.x, BLOCK_SIZE);
        __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
        __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
        As[row][col] = GetElement(Asub, row, col);
        Bs[row][col] = GetElement(Bsub, row, col);
        __syncthreads();
#pragma unroll
        for (int e = 0; e < BLOCK_SIZE; ++e) Cvalue += As[row][e] * Bs[e][col];
        __syncthreads();
    }
    SetElement(Csub, row, col, Cvalue);
}

__global__ void MatMulAny(Matrix A, Matrix B, Matrix C) {
    constexpr int T = 16;
    __shared__ float As[T][T], Bs[T][T];
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < A.width; k += T) {
        As[threadIdx.y][threadIdx.x] = (row < A.height && k + threadIdx.x < A.width) ? A.elements[row * A.stride + k + threadIdx.x] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] =
            (k + threadIdx.y < B.height && col < B.width) ? B.elements[(k + threadIdx.y) * B.stride + col] : 0.0f;
        __syncthreads();
        for (int e = 0; e < T; ++e) sum = fmaf(As[threadIdx.y][e], Bs[e][threadIdx.x], sum);
        __syncthreads();
    }
    if (row < C.height && col < C.width) C.elements[row * C.stride + col] = sum;
}

static Matrix OnDevice(int height, int width) {
    Matrix m{width, height, width, nullptr};
    if (cudaMalloc(&m.elements, sizeof(float) * width * height) != cudaSuccess) {
        fprintf(stderr, "out of device memory\n");
        exit(EXIT_FAILURE);
    }
    return m;
}

enum Kind { NAIVE, TILED16, TILED32, ANY };

static bool Run(Kind kind, const char* name, int m, int k, int n) {
    float *a = (float*)malloc(sizeof(float) * m * k), *b = (float*)malloc(sizeof(float) * k * n),
          *c = (float*)malloc(sizeof(float) * m * n);
    for (int i = 0; i < m * k; ++i) a[i] = (float)(i * 7 % 31) * 0.125f - 1.5f;
    for (int i = 0; i < k * n; ++i) b[i] = (float)(i * 5 % 29) * 0.25f - 3.0f;
    Matrix A = OnDevice(m, k), B = OnDevice(k, n), C = OnDevice(m, n);
    cudaMemcpy(A.elements, a, sizeof(float) * m * k, cudaMemcpyHostToDevice);
    cudaMemcpy(B.elements, b, sizeof(float) * k * n, cudaMemcpyHostToDevice);
    int t = kind == TILED32 ? 32 : 16;
    dim3 threads(t, t), grid((n + t - 1) / t, (m + t - 1) / t);
    switch (kind) {
        case NAIVE:
            MatMulNaive<<<grid, threads>>>(A, B, C);
            break;
        case TILED16:
            MatMulTiled<16><<<grid, threads>>>(A, B, C);
            break;
        case TILED32:
            MatMulTiled<32><<<grid, threads>>>(A, B, C);
            break;
        case ANY:
            MatMulAny<<<grid, threads>>>(A, B, C);
            break;
    }
    bool correct =
        cudaGetLastError() == cudaSuccess && cudaMemcpy(c, C.elements, sizeof(float) * m * n, cudaMemcpyDeviceToHost) == cudaSuccess;
    for (int i = 0; i < m && correct; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0, magnitude = 0;
            for (int e = 0; e < k; ++e) {
                double product = (double)a[i * k + e] * b[e * n + j];
                sum += product;
                magnitude += fabs(product);
            }
            if (!(fabs(c[i * n + j] - sum) <= magnitude * k * 6e-8)) {
                printf("Error! C[%d][%d]=%.8f, expected %.8f\n", i, j, c[i * n + j], sum);
                correct = false;
                break;
            }
        }
    printf("%s A(%dx%d) B(%dx%d): Result = %s\n", name, m, k, k, n, correct ? "PASS" : "FAIL");
    for (float* p : {A.elements, B.elements, C.elements}) cudaFree(p);
    free(a);
    free(b);
    free(c);
    return correct;
}

int main(int argc, char** argv) {
    int w = 64;
    for (int i = 1; i < argc; ++i)
        if (!strncmp(argv[i], "-w=", 3)) w = atoi(argv[i] + 3);
    bool ok = Run(NAIVE, "naive", w + 5, w - 3, w + 11);
    ok = Run(TILED16, "tiled 16", w, 2 * w, 3 * w) && ok;
    ok = Run(TILED32, "tiled 32", 2 * w, w, w) && ok;
    ok = Run(ANY, "any shape", w + 5, w - 3, w + 11) && ok;
    ok = Run(ANY, "any shape", 1, 1, 1) && ok;
    ok = Run(ANY, "any shape", 1, 200, 17) && ok;
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
