// expect: 3 · copy failed: invalid argument
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
