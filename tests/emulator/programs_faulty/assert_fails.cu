// expect: 70 · value[threadIdx.x] < 40
#include <cassert>
#include <cstdio>
__global__ void check(const int* value) { assert(value[threadIdx.x] < 40 && "too large"); }

int main() {
    int h[64], *value;
    for (int i = 0; i < 64; i++) h[i] = i;
    cudaMalloc(&value, sizeof h);
    cudaMemcpy(value, h, sizeof h, cudaMemcpyHostToDevice);
    check<<<1, 64>>>(value);
    cudaError_t e = cudaDeviceSynchronize();
    printf("%d %s\n", (int)e, cudaGetErrorName(e));
    cudaFree(value);
    return e == cudaErrorAssert ? 0 : 1;
}
