// expect: 70 · out of bounds in shared memory
// The launch gives shared memory for half of the threads.
__global__ void stage(float* data) {
    extern __shared__ float buffer[];
    buffer[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}

int main() {
    float* data;
    cudaMalloc(&data, 128 * sizeof(float));
    cudaMemset(data, 0, 128 * sizeof(float));
    stage<<<1, 128, 64 * sizeof(float)>>>(data);
    cudaDeviceSynchronize();
    cudaFree(data);
    return 0;
}
