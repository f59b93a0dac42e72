// expect: 70 · seen 1024 times
// check: init
// Each of the 32 unrolled iterations reads an element that has no value: one finding, with the reads of all of them.
__global__ void sum(float* out) {
    float own[64];
    own[threadIdx.x + 32] = 1;
    float total = 0;
    for (int i = 0; i < 32; ++i) total += own[(i + threadIdx.x) % 32] * i;
    out[threadIdx.x] = total;
}

int main() {
    float* out = nullptr;
    cudaMalloc(&out, 32 * sizeof(float));
    sum<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
