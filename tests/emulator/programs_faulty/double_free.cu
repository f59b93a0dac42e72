// expect: 3 · second free: invalid argument · double_free.cu:6: cudaFree failed with cudaErrorInvalidValue: the memory is freed twice
#include <cstdio>
int main() {
    int* data;
    cudaMalloc(&data, 256);
    cudaError_t first = cudaFree(data), second = cudaFree(data);
    fprintf(stderr, "second free: %s\n", cudaGetErrorString(second));
    return first == cudaSuccess && second == cudaErrorInvalidValue ? 3 : 1;
}
