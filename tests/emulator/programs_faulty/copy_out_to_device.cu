// expect: 70 · copy_out_to_device.cu:12: cudaMemcpy failed · the direction is wrong · for these pointers it is cudaMemcpyDeviceToHost
// check: api
// The result is copied back with the direction of the way in.
#include <cstdio>
__global__ void set(int* data) { data[threadIdx.x] = 1; }

int main() {
    int h[64] = {}, *data;
    cudaMalloc(&data, sizeof h);
    set<<<1, 64>>>(data);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaMemcpy(h, data, sizeof h, cudaMemcpyHostToDevice);
    cudaFree(data);
    return 0;
}
