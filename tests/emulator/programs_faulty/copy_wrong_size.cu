// expect: 3 · copy failed: invalid argument · copy_wrong_size.cu:9: cudaMemcpy failed · the destination is too small: 1024 bytes asked for, 256 there
// Elements counted twice: 256 bytes allocated, 1024 copied.
#include <cstdio>
int main() {
    static int h[4096];
    int* data;
    const size_t bytes = 64 * sizeof(int);
    cudaMalloc(&data, bytes);
    cudaError_t e = cudaMemcpy(data, h, bytes * sizeof(int), cudaMemcpyHostToDevice);
    fprintf(stderr, "copy failed: %s\n", cudaGetErrorString(e));
    cudaGetLastError();
    cudaFree(data);
    return e == cudaErrorInvalidValue ? 3 : 1;
}
