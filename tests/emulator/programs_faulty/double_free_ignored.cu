// expect: 70 · double_free_ignored.cu:9: cudaFree failed with cudaErrorInvalidValue: the memory is freed twice · made at double_free_ignored.cu:7 and freed at double_free_ignored.cu:8
// check: api
#include <cstdio>
int main() {
    int* data;
    puts("freeing");
    cudaMalloc(&data, 256);
    cudaFree(data);
    cudaFree(data);
    return 0;
}
