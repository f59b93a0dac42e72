// expect: 70 · stream_race.cu:15: race between streams: cudaMemcpyAsync reads memory that the kernel set may still be writing · stream_race.cu:15 is in stream 1 · the kernel set at stream_race.cu:14 is in the default stream · made at stream_race.cu:9 · cudaStreamWaitEvent
// check: host
// Nothing makes the copy wait for the kernel: its stream does not wait for the default one.
#include <cstdio>
__global__ void set(int* data) { data[threadIdx.x] = 1; }

int main() {
    int h[32], *data;
    cudaMalloc(&data, 128);
    cudaMemset(data, 0, 128);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    set<<<1, 32>>>(data);
    cudaMemcpyAsync(h, data, 128, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    printf("%d\n", h[3]);
    cudaStreamDestroy(stream);
    cudaFree(data);
    return 0;
}
