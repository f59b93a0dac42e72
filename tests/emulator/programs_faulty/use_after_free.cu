// expect: 70 · freed at · use_after_free.cu:8
__global__ void increment(int* data) { data[threadIdx.x] += 1; }

int main() {
    int* data;
    cudaMalloc(&data, 256);
    cudaMemset(data, 0, 256);
    cudaFree(data);
    increment<<<1, 64>>>(data);
    cudaDeviceSynchronize();
    return 0;
}
