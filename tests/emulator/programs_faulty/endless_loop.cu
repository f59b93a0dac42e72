// expect: 70 · endless
__global__ void wait_for(volatile int* flag) {
    while (*flag == 0) {
    }
}

int main() {
    int* flag;
    cudaMalloc(&flag, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    wait_for<<<1, 32>>>(flag);
    cudaDeviceSynchronize();
    cudaFree(flag);
    return 0;
}
