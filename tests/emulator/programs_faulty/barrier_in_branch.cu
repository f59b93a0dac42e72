// expect: 70 · barrier · barrier_in_branch.cu:7 · barrier_in_branch.cu:10
// Threads of one warp wait at different barriers: even ones at line 7, odd ones at line 10.
__global__ void halves(int* data) {
    __shared__ int buffer[64];
    buffer[threadIdx.x] = data[threadIdx.x];
    if (threadIdx.x % 2 == 0) {
        __syncthreads();
        data[threadIdx.x] = buffer[threadIdx.x] + 1;
    } else {
        __syncthreads();
        data[threadIdx.x] = buffer[threadIdx.x] - 1;
    }
}

int main() {
    int* data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    halves<<<1, 64>>>(data);
    cudaDeviceSynchronize();
    cudaFree(data);
    return 0;
}
