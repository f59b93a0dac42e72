// c = a + b, element by element: the whole program of handouts/primer.md.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

// Adds one pair of elements; n is the length of the arrays.
__global__ void add(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}

// Ends the program if `error` is one.
static void check(cudaError_t error, const char* step) {
    if (error != cudaSuccess) {
        printf("%s: %s\n", step, cudaGetErrorString(error));
        exit(1);
    }
}

int main() {
    const int n = 1000;
    const size_t bytes = n * sizeof(float);
    float a[n], b[n], c[n];
    for (int i = 0; i < n; ++i) {
        a[i] = i;
        b[i] = 2 * i;
    }

    float *a_device, *b_device, *c_device;
    check(cudaMalloc(&a_device, bytes), "allocate a");
    check(cudaMalloc(&b_device, bytes), "allocate b");
    check(cudaMalloc(&c_device, bytes), "allocate c");
    check(cudaMemcpy(a_device, a, bytes, cudaMemcpyHostToDevice), "copy a in");
    check(cudaMemcpy(b_device, b, bytes, cudaMemcpyHostToDevice), "copy b in");

    const int block = 256;                     // threads of a block
    const int grid = (n + block - 1) / block;  // blocks: n / block, rounded up
    add<<<grid, block>>>(a_device, b_device, c_device, n);
    check(cudaGetLastError(), "launch");
    check(cudaDeviceSynchronize(), "kernel");

    check(cudaMemcpy(c, c_device, bytes, cudaMemcpyDeviceToHost), "copy c out");
    check(cudaFree(a_device), "free a");
    check(cudaFree(b_device), "free b");
    check(cudaFree(c_device), "free c");

    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        wrong += c[i] != 3 * i;
    }
    printf("%d blocks of %d threads, %d elements, %d wrong; c[999] = %g\n", grid, block, n, wrong, c[999]);
    return wrong == 0 ? 0 : 1;
}
