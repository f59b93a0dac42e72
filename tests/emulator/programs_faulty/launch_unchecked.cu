// expect: 70 · launch_unchecked.cu:11: the launch of set failed with cudaErrorInvalidConfiguration, and nothing asked for the error · a block of (64, 32, 1) has 2048 threads · call cudaGetLastError()
// check: api
// The launch fails, nothing says so, and the copy brings what the memory held before.
#include <cstdio>
__global__ void set(int* data) { data[threadIdx.x] = 1; }

int main() {
    int *data, h = 0;
    cudaMalloc(&data, 2048 * sizeof(int));
    cudaMemset(data, 0, 2048 * sizeof(int));
    set<<<1, dim3(64, 32)>>>(data);
    cudaError_t e = cudaMemcpy(&h, data, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %s\n", h, cudaGetErrorString(e));
    cudaFree(data);
    return 0;
}
