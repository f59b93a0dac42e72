// expect: 70 · barrier · barrier_missed.cu:7
// The bounds test holds the barrier: threads 50 to 63 are still alive and never come to it.
__global__ void tail(int* data, int n) {
    __shared__ int buffer[64];
    if (threadIdx.x < n) {
        buffer[threadIdx.x] = data[threadIdx.x];
        __syncthreads();
        data[threadIdx.x] = buffer[n - 1 - threadIdx.x];
    }
    data[64 + threadIdx.x] = 1;
}

int main() {
    int* data;
    cudaMalloc(&data, 128 * sizeof(int));
    cudaMemset(data, 0, 128 * sizeof(int));
    tail<<<1, 64>>>(data, 50);
    cudaDeviceSynchronize();
    cudaFree(data);
    return 0;
}
// check: barriers
