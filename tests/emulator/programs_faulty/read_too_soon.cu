// expect: 70 · read_too_soon.cu:14: the host reads memory that cudaMemcpyAsync may still be writing · made at read_too_soon.cu:9 · cudaStreamSynchronize
// check: host
// The copy back is only started when the host looks.
#include <cstdio>
__global__ void set(int* data) { data[threadIdx.x] = 1; }

int main() {
    int *h, *data;
    cudaMallocHost(&h, 128);
    cudaMalloc(&data, 128);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    set<<<1, 32, 0, stream>>>(data);
    cudaMemcpyAsync(h, data, 128, cudaMemcpyDeviceToHost, stream);
    printf("%d\n", h[3]);
    cudaStreamSynchronize(stream);
    return 0;
}
