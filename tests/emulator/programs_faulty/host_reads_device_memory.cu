// expect: 139 · your host code used the device pointer 0x · allocation made at host_reads_device_memory.cu:8 · copy it with cudaMemcpy first
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
