// expect: 70 · host memory
#include <stdlib.h>
__global__ void increment(int* data) { data[threadIdx.x] += 1; }

int main() {
    int* data = (int*)calloc(64, sizeof(int));
    increment<<<1, 64>>>(data);  // never copied to the device
    cudaDeviceSynchronize();
    free(data);
    return 0;
}
