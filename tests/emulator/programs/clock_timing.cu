// Times blocks with clock() and clock64(): later readings are later, and more work takes longer.
#include <assert.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>

#define NUM_BLOCKS 16
#define NUM_THREADS 64

__global__ static void timedReduction(const float* input, float* output, clock_t* timer) {
    extern __shared__ float shared[];
    const int tid = threadIdx.x;
    const int bid = blockIdx.x;
    if (tid == 0) timer[bid] = clock();
    shared[tid] = input[tid];
    shared[tid + blockDim.x] = input[tid + blockDim.x];
    for (int d = blockDim.x; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) {
            float f0 = shared[tid];
            float f1 = shared[tid + d];
            if (f1 < f0) shared[tid] = f1;
        }
    }
    if (tid == 0) output[bid] = shared[0];
    __syncthreads();
    if (tid == 0) timer[bid + gridDim.x] = clock();
}

__global__ void work(int n, float* out, long long* cycles) {
    float x = threadIdx.x;
    long long start = clock64();
    for (int i = 0; i < n; i++) x = x * 1.0001f + 0.5f;
    out[threadIdx.x] = x;
    cycles[threadIdx.x] = clock64() - start;
}

__global__ void order(long long* out) {
    unsigned long long ns;
    out[0] = clock64();
    __threadfence();
    out[1] = clock64();
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    out[2] = ns;
}

int main() {
    float *dinput = NULL, *doutput = NULL, input[NUM_THREADS * 2], output[NUM_BLOCKS];
    clock_t *dtimer = NULL, timer[NUM_BLOCKS * 2];
    for (int i = 0; i < NUM_THREADS * 2; i++) input[i] = (float)((i * 29 + 11) % (NUM_THREADS * 2)) + 3;
    cudaMalloc((void**)&dinput, sizeof(input));
    cudaMalloc((void**)&doutput, sizeof(output));
    cudaMalloc((void**)&dtimer, sizeof(timer));
    cudaMemcpy(dinput, input, sizeof(input), cudaMemcpyHostToDevice);
    timedReduction<<<NUM_BLOCKS, NUM_THREADS, sizeof(float) * 2 * NUM_THREADS>>>(dinput, doutput, dtimer);
    cudaMemcpy(timer, dtimer, sizeof(timer), cudaMemcpyDeviceToHost);
    cudaMemcpy(output, doutput, sizeof(output), cudaMemcpyDeviceToHost);
    bool ok = true;
    long double average = 0;
    for (int i = 0; i < NUM_BLOCKS; i++) {
        ok = ok && timer[i + NUM_BLOCKS] > timer[i] && output[i] == 3;
        average += (long double)(timer[i + NUM_BLOCKS] - timer[i]);
    }
    printf("Average clocks/block = %Lf\n", average / NUM_BLOCKS);
    long long *dcycles, few[32], many[32], stamps[3];
    cudaMalloc(&dcycles, sizeof few);
    work<<<1, 32>>>(100, dinput, dcycles);
    cudaMemcpy(few, dcycles, sizeof few, cudaMemcpyDeviceToHost);
    work<<<1, 32>>>(10000, dinput, dcycles);
    cudaMemcpy(many, dcycles, sizeof many, cudaMemcpyDeviceToHost);
    printf("100 steps: %lld cycles, 10000 steps: %lld\n", few[0], many[0]);
    ok = ok && few[0] > 0 && many[0] > 10 * few[0];
    order<<<1, 1>>>(dcycles);
    cudaMemcpy(stamps, dcycles, sizeof stamps, cudaMemcpyDeviceToHost);
    ok = ok && stamps[1] >= stamps[0] && stamps[2] != 0;
    ok = ok && cudaGetLastError() == cudaSuccess;
    cudaFree(dinput);
    cudaFree(doutput);
    cudaFree(dtimer);
    cudaFree(dcycles);
    puts(ok ? "PASSED" : "FAILED");
    return ok ? 0 : 1;
}
