// Threads of one block hold a lock one after another, in global memory (test and test-and-set, freed by a volatile store; a ticket lock)
// and in shared.
#include <cstdio>

__device__ int lock, guarded;
__device__ volatile unsigned serving;
__device__ unsigned next_ticket;
__device__ int drawn[64], draws;

__global__ void count() {
    for (bool done = false; !done;) {
        if (*(volatile int*)&lock != 0 || atomicCAS(&lock, 0, 1) != 0) continue;
        __threadfence();
        guarded += 1;
        __threadfence();
        *(volatile int*)&lock = 0;
        done = true;
    }
}

__global__ void draw() {
    if (threadIdx.x % 32 != 0) return;
    const unsigned mine = atomicAdd(&next_ticket, 1);
    while (serving != mine) {
    }
    __threadfence();
    drawn[draws++] = threadIdx.x;
    __threadfence();
    serving = mine + 1;
}

__global__ void sum_in_shared(int* out) {
    __shared__ int held, sum;
    if (threadIdx.x == 0) held = sum = 0;
    __syncthreads();
    for (bool done = false; !done;) {
        if (atomicCAS(&held, 0, 1) != 0) continue;
        __threadfence_block();
        sum += threadIdx.x;
        __threadfence_block();
        atomicExch(&held, 0);
        done = true;
    }
    __syncthreads();
    if (threadIdx.x == 0) *out = sum;
}

int main() {
    int counted = 0, tickets = 0, sum = 0, *out;
    cudaMalloc(&out, sizeof(int));
    count<<<2, 64>>>();
    draw<<<2, 128>>>();
    sum_in_shared<<<1, 64>>>(out);
    cudaMemcpyFromSymbol(&counted, guarded, sizeof(int));
    cudaMemcpyFromSymbol(&tickets, draws, sizeof(int));
    cudaMemcpy(&sum, out, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(out);
    printf("%d %d %d\n", counted, tickets, sum);
    return cudaGetLastError() != cudaSuccess || counted != 128 || tickets != 8 || sum != 2016;
}
