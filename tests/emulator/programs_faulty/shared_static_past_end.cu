// expect: 70 · out of bounds in shared memory · shared_static_past_end.cu:6
__global__ void reverse(int* data, int n) {
    __shared__ int buffer[64];
    buffer[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = buffer[n - threadIdx.x];  // one too far: n - 1 - threadIdx.x was meant
}

int main() {
    int* data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    reverse<<<1, 64>>>(data, 64);
    cudaDeviceSynchronize();
    cudaFree(data);
    return 0;
}
