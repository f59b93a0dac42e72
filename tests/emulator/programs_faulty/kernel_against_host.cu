// expect: 70 · kernel_against_host.cu:11: the host reads memory that the kernel set may still be writing · managed allocation made at kernel_against_host.cu:9 · cudaDeviceSynchronize
// check: host
// Managed memory is read while the kernel that writes it may be running.
#include <cstdio>
__global__ void set(int* data) { data[threadIdx.x] = threadIdx.x; }

int main() {
    int* data;
    cudaMallocManaged(&data, 32 * sizeof(int));
    data[0] = 5;
    set<<<1, 32>>>(data);
    printf("%d\n", data[3]);
    cudaDeviceSynchronize();
    cudaFree(data);
    return 0;
}
