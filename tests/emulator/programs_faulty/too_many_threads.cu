// expect: 3 · invalid configuration argument
#include <cstdio>
__global__ void set(int* data) { data[threadIdx.x] = 1; }

int main() {
    int* data;
    cudaMalloc(&data, 2048 * sizeof(int));
    set<<<1, 2048>>>(data);
    cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess) fprintf(stderr, "launch failed: %s\n", cudaGetErrorString(e));
    cudaFree(data);
    return e == cudaErrorInvalidConfiguration ? 3 : 1;
}
