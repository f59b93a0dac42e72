// expect: 70 · race in global memory · write by thread (3,0,0) · race in shared memory · lock_missed.cu:29
// One thread adds without the lock that all others hold.
__global__ void add(int* lock, int* sum) {
    for (bool done = false; !done;) {
        if (atomicCAS(lock, 0, 1) != 0) continue;
        __threadfence();
        if (threadIdx.x != 3) *sum += 1;
        __threadfence();
        atomicExch(lock, 0);
        done = true;
    }
    __threadfence();
    if (threadIdx.x == 3) *sum += 1;
}

__global__ void add_in_shared(int* out) {
    __shared__ int lock, sum;
    if (threadIdx.x == 0) lock = sum = 0;
    __syncthreads();
    for (bool done = false; !done;) {
        if (atomicCAS(&lock, 0, 1) != 0) continue;
        __threadfence_block();
        if (threadIdx.x != 3) sum += 1;
        __threadfence_block();
        atomicExch(&lock, 0);
        done = true;
    }
    __threadfence_block();
    if (threadIdx.x == 3) sum += 1;
    __syncthreads();
    if (threadIdx.x == 0) *out = sum;
}

int main() {
    int* words;
    cudaMalloc(&words, 3 * sizeof(int));
    cudaMemset(words, 0, 3 * sizeof(int));
    add<<<1, 8>>>(words, words + 1);
    add_in_shared<<<1, 8>>>(words + 2);
    cudaDeviceSynchronize();
    cudaFree(words);
    return 0;
}
