// expect: 70 · free_of_host_memory.cu:9: cudaFree failed · ordinary host memory · was the device's pointer meant
// check: api
#include <cstdlib>
int main() {
    int *h = (int*)malloc(256), *data;
    cudaMalloc(&data, 256);
    cudaMemcpy(data, data, 256, cudaMemcpyDeviceToDevice);
    cudaFree(data);
    cudaFree(h);
    free(h);
    return 0;
}
