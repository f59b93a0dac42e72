// expect: 70 · copy_beyond_source.cu:9: cudaMemcpy failed · the source is too small: 1024 bytes asked for, 256 there · sizes are in bytes
// check: api
// More is copied out than was allocated.
#include <cstdio>
int main() {
    static int h[256];
    int* data;
    cudaMalloc(&data, 256);
    cudaMemcpy(h, data, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    cudaFree(data);
    return 0;
}
