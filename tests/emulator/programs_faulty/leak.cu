// expect: 0 · leak.cu:8 · 4096
#include <cstdio>
__global__ void set(int* data) { data[threadIdx.x] = 1; }

int main() {
    int *kept, *lost;
    cudaMalloc(&kept, 128);
    cudaMalloc(&lost, 4096);
    set<<<1, 32>>>(kept);
    set<<<1, 32>>>(lost);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(kept);
    return 0;
}
