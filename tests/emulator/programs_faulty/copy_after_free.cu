// expect: 70 · copy_after_free.cu:12: cudaMemcpy failed · the source is memory that was freed before · made at copy_after_free.cu:8 and freed at copy_after_free.cu:11
// check: api
// The result is copied back after its memory was freed.
#include <cstdio>
__global__ void set(int* data) { data[threadIdx.x] = 1; }
int main() {
    int h[64] = {}, *data;
    cudaMalloc(&data, sizeof h);
    set<<<1, 64>>>(data);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(data);
    cudaMemcpy(h, data, sizeof h, cudaMemcpyDeviceToHost);
    return 0;
}
