// expect: 70 · misaligned
__global__ void pairs(double* out, int skew) {
    __shared__ __align__(8) int words[66];
    words[threadIdx.x] = threadIdx.x;
    __syncthreads();
    const int* first = words + 2 * threadIdx.x + skew;
    if (threadIdx.x < 16) out[threadIdx.x] = *reinterpret_cast<const double*>(first);
}

int main() {
    double* out;
    cudaMalloc(&out, 16 * sizeof(double));
    pairs<<<1, 64>>>(out, 1);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
