// expect: 139 · device
// The host follows a device pointer: SIGSEGV (128 + 11 from the shell), with a word about what the address is.
#include <cstdio>
__global__ void set(int* data) { data[threadIdx.x] = threadIdx.x; }

int main() {
    int* data;
    cudaMalloc(&data, 32 * sizeof(int));
    set<<<1, 32>>>(data);
    cudaDeviceSynchronize();
    printf("%d\n", data[3]);
    cudaFree(data);
    return 0;
}
