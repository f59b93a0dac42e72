// expect: 70 · 4-byte read out of bounds in global memory
// The grid is rounded up and the guard is missing: thread 232 of block 3 reads float 1000 of 1000.
#include <cstdio>

__global__ void twice(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i];
    if (i < n) out[i] = 2 * value;
}

int main() {
    float *in, *out;
    cudaMalloc(&in, 1000 * sizeof(float));
    cudaMalloc(&out, 1000 * sizeof(float));
    cudaMemset(in, 0, 1000 * sizeof(float));
    twice<<<4, 256>>>(in, out, 1000);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(in);
    cudaFree(out);
    return 0;
}
