// expect: 70 · out of bounds in global memory · directly past the end of a 64-byte allocation
__global__ void count(const int* bin, int* histogram) { atomicAdd(&histogram[bin[threadIdx.x]], 1); }

int main() {
    int h[32], *bin, *histogram;
    for (int i = 0; i < 32; i++) h[i] = i == 30 ? 16 : i % 16;
    cudaMalloc(&bin, sizeof h);
    cudaMalloc(&histogram, 16 * sizeof(int));
    cudaMemcpy(bin, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(histogram, 0, 16 * sizeof(int));
    count<<<1, 32>>>(bin, histogram);
    cudaDeviceSynchronize();
    cudaFree(bin);
    cudaFree(histogram);
    return 0;
}
