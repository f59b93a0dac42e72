// expect: 70 · trap
__global__ void give_up(const int* data) {
    if (data[threadIdx.x] == 0 && threadIdx.x == 7) __trap();
}

int main() {
    int* data;
    cudaMalloc(&data, 32 * sizeof(int));
    cudaMemset(data, 0, 32 * sizeof(int));
    give_up<<<1, 32>>>(data);
    cudaDeviceSynchronize();
    cudaFree(data);
    return 0;
}
