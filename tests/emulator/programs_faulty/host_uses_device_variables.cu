// expect: 70 · reads counter, a __device__ variable · cudaMemcpyFromSymbol · reads scale, a __constant__ variable · writes factors, a __device__ variable · cudaMemcpyToSymbol
// check: host
// The host uses variables of the device by name: in a function, through a pointer in a template, and by an assignment.
#include <cstdio>
__device__ int counter;
__constant__ float scale;
static __device__ float factors[4] = {1, 2, 3, 4};

__global__ void count(float* sum) {
    atomicAdd(&counter, 1);
    *sum = scale * factors[1];
}
template <class T>
T value_at(const T* where) {
    return *where;
}
int main() {
    float* sum;
    cudaMalloc(&sum, sizeof(float));
    count<<<1, 32>>>(sum);
    cudaDeviceSynchronize();
    printf("%d %g\n", counter, value_at(&scale));
    factors[2] = 5;
    cudaFree(sum);
    return 0;
}
