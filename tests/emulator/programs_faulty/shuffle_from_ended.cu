// expect: 0 · not checked: shuffles from threads that have ended
// Lane 31 has ended, so that lane 15 reads what is undefined: the sum may be 31 or not.
__global__ void add_up(int* sum, int n) {
    if (threadIdx.x >= n) return;
    int value = 1;
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffff, value, distance);
    if (threadIdx.x == 0) *sum = value;
}

int main() {
    int *sum, host = 0;
    cudaMalloc(&sum, sizeof host);
    add_up<<<1, 32>>>(sum, 31);
    cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(sum);
    return 0;
}
