// expect: 70 · 4-byte read out of bounds in global memory · global_read_past_end.cu:7 · directly past the end of a 4000-byte
// The guard says <= for <: thread 232 of block 3 reads float 1000 of 1000.
#include <cstdio>

__global__ void twice(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) out[i] = 2 * in[i];
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
// check: bounds
