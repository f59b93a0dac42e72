// Dot product with a shared cache a block, and a second version whose last block finishes the sum (threadfence, atomicInc).
#include <stdio.h>

#define imin(a, b) (a < b ? a : b)
#define sum_squares(x) (x * (x + 1) * (2 * x + 1) / 6)

const int N = 33 * 1024;
const int threadsPerBlock = 256;
const int blocksPerGrid = imin(32, (N + threadsPerBlock - 1) / threadsPerBlock);

__global__ void dot(double* a, double* b, double* c) {
    __shared__ double cache[threadsPerBlock];
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    int cacheIndex = threadIdx.x;
    double temp = 0;
    while (tid < N) {
        temp += a[tid] * b[tid];
        tid += blockDim.x * gridDim.x;
    }
    cache[cacheIndex] = temp;
    __syncthreads();
    int i = blockDim.x / 2;
    while (i != 0) {
        if (cacheIndex < i) cache[cacheIndex] += cache[cacheIndex + i];
        __syncthreads();
        i /= 2;
    }
    if (cacheIndex == 0) c[blockIdx.x] = cache[0];
}

__device__ unsigned int blocks_done = 0;

__global__ void dot_single_pass(const double* a, const double* b, volatile double* partial, double* result) {
    __shared__ double cache[threadsPerBlock];
    __shared__ bool is_last;
    double sum = 0;
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < N; i += blockDim.x * gridDim.x) sum += a[i] * b[i];
    cache[threadIdx.x] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s; s /= 2) {
        if (threadIdx.x < s) cache[threadIdx.x] += cache[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = cache[0];
        __threadfence();
        unsigned ticket = atomicInc(&blocks_done, gridDim.x);
        is_last = ticket == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        double total = 0;
        for (unsigned i = 0; i < gridDim.x; i++) total += partial[i];
        *result = total;
        blocks_done = 0;
    }
}

int main(void) {
    double *a = (double*)malloc(N * sizeof(double)), *b = (double*)malloc(N * sizeof(double));
    double partial_c[blocksPerGrid], *dev_a, *dev_b, *dev_partial_c, *dev_result;
    cudaMalloc((void**)&dev_a, N * sizeof(double));
    cudaMalloc((void**)&dev_b, N * sizeof(double));
    cudaMalloc((void**)&dev_partial_c, blocksPerGrid * sizeof(double));
    cudaMalloc((void**)&dev_result, sizeof(double));
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = i * 2;
    }
    cudaMemcpy(dev_a, a, N * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(dev_b, b, N * sizeof(double), cudaMemcpyHostToDevice);
    dot<<<blocksPerGrid, threadsPerBlock>>>(dev_a, dev_b, dev_partial_c);
    cudaMemcpy(partial_c, dev_partial_c, blocksPerGrid * sizeof(double), cudaMemcpyDeviceToHost);
    double c = 0;
    for (int i = 0; i < blocksPerGrid; i++) c += partial_c[i];
    double want = 2 * sum_squares((double)(N - 1));
    printf("Does GPU value %.6g = %.6g?\n", c, want);
    bool ok = c == want;  // integers below 2^53: exact in any order
    for (int round = 0; round < 2; round++) {
        double again = -1;
        dot_single_pass<<<blocksPerGrid, threadsPerBlock>>>(dev_a, dev_b, dev_partial_c, dev_result);
        cudaMemcpy(&again, dev_result, sizeof again, cudaMemcpyDeviceToHost);
        ok = ok && again == want;
    }
    cudaFree(dev_a);
    cudaFree(dev_b);
    cudaFree(dev_partial_c);
    cudaFree(dev_result);
    free(a);
    free(b);
    printf("%s: %s\n", cudaGetErrorString(cudaGetLastError()), ok ? "PASSED" : "FAILED");
    return ok ? 0 : 1;
}
