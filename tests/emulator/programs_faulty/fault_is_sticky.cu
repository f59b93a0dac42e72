// expect: 70 · out of bounds in global memory
// After a fault every call fails with the same error until the process ends, as on a GPU; the program looks, and says so.
#include <cstdio>
__global__ void past(int* data) { data[threadIdx.x + 1000] = 1; }

int main() {
    int *data, h = 0;
    cudaMalloc(&data, 128);
    past<<<1, 32>>>(data);
    cudaError_t first = cudaDeviceSynchronize(), second = cudaMemcpy(&h, data, 4, cudaMemcpyDeviceToHost), third = cudaGetLastError();
    printf("%s %s %s\n", cudaGetErrorName(first), cudaGetErrorName(second), cudaGetErrorName(third));
    return first == cudaErrorIllegalAddress && second == first && third == first ? 0 : 1;
}
