// Allocates an array (line 9), launches too many threads (line 10), whose error it does not check, and stores past the array's end.
#include <cuda_runtime.h>

__global__ void store(float* x) { x[threadIdx.x] = 1; }

int main() {
    constexpr size_t bytes = 32 * sizeof(float);
    float* x = nullptr;
    cudaMalloc(&x, bytes);
    store<<<1, 2048>>>(x);
    store<<<1, 33>>>(x);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
