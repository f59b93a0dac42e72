// expect: 70 · race · race_read_after_write.cu:7 · race_read_after_write.cu:8
// Line 7 writes, line 8 reads a neighbour's element in another warp: the barrier between is missing.
__global__ void shift(int* data) {
    __shared__ int buffer[128];
    int i = threadIdx.x;
    __syncthreads();
    buffer[i] = data[i];
    data[i] = buffer[127 - i];
}

int main() {
    int* data;
    cudaMalloc(&data, 128 * sizeof(int));
    cudaMemset(data, 0, 128 * sizeof(int));
    shift<<<1, 128>>>(data);
    cudaDeviceSynchronize();
    cudaFree(data);
    return 0;
}
