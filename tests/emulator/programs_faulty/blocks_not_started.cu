// expect: 70 · the kernel does not end: a block waits for one that has not started · only a cooperative launch promises
// All blocks count themselves and wait for the others, of which hardware runs at most some thousands at a time.
__global__ void wait_for_all(int* count) {
    atomicAdd(count, 1);
    while (*static_cast<volatile int*>(count) < gridDim.x) {
    }
}

int main() {
    int* count = nullptr;
    cudaMalloc(&count, sizeof(int));
    cudaMemset(count, 0, sizeof(int));
    wait_for_all<<<100000, 32>>>(count);
    cudaDeviceSynchronize();
    cudaFree(count);
}
