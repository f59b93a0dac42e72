// 256-bin histogram of bytes: global atomics, shared atomics, and private counters a warp merged at the end.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime.h"
#include "device_launch_parameters.h"

typedef unsigned int uint;
typedef unsigned char uchar;
#define BINS 256
#define WARP_COUNT 4

static void HandleError(cudaError_t err, const char* file, int line) {
    if (err != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
        exit(EXIT_FAILURE);
    }
}
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))

__global__ void histo_global(const uchar* buffer, long size, uint* histo) {
    long i = threadIdx.x + (long)blockIdx.x * blockDim.x;
    long stride = (long)blockDim.x * gridDim.x;
    while (i < size) {
        atomicAdd(&(histo[buffer[i]]), 1);
        i += stride;
    }
}

__global__ void histo_shared(const uchar* buffer, long size, uint* histo) {
    __shared__ uint temp[BINS];
    temp[threadIdx.x] = 0;
    __syncthreads();
    long stride = (long)blockDim.x * gridDim.x;
    for (long i = threadIdx.x + (long)blockIdx.x * blockDim.x; i < size; i += stride) atomicAdd(&temp[buffer[i]], 1);
    __syncthreads();
    atomicAdd(&(histo[threadIdx.x]), temp[threadIdx.x]);
}

__device__ inline void addWord(uint* warpHist, uint data) {
    for (int shift = 0; shift < 32; shift += 8) atomicAdd(warpHist + ((data >> shift) & 0xFFU), 1U);
}

__global__ void histo_per_warp(const uint* words, uint wordCount, uint* histo) {
    __shared__ uint hist[WARP_COUNT * BINS];
    uint* warpHist = hist + (threadIdx.x >> 5) * BINS;
    for (uint i = threadIdx.x; i < WARP_COUNT * BINS; i += blockDim.x) hist[i] = 0;
    __syncthreads();
    for (uint pos = blockIdx.x * blockDim.x + threadIdx.x; pos < wordCount; pos += blockDim.x * gridDim.x) addWord(warpHist, words[pos]);
    __syncthreads();
    for (uint bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
        uint sum = 0;
        for (uint w = 0; w < WARP_COUNT; w++) sum += hist[bin + w * BINS];
        atomicAdd(histo + bin, sum);
    }
}

int main(void) {
    const long SIZE = 200000;
    uchar* buffer = (uchar*)malloc(SIZE);
    uint seed = 12345, expected[BINS] = {0};
    for (long i = 0; i < SIZE; i++) {
        seed = seed * 1664525u + 1013904223u;
        buffer[i] = (uchar)((seed >> 24) & (i % 3 ? 0xff : 0x0f));
        expected[buffer[i]]++;
    }
    cudaEvent_t start, stop;
    HANDLE_ERROR(cudaEventCreate(&start));
    HANDLE_ERROR(cudaEventCreate(&stop));
    uchar* dev_buffer;
    uint* dev_histo;
    HANDLE_ERROR(cudaMalloc((void**)&dev_buffer, SIZE));
    HANDLE_ERROR(cudaMemcpy(dev_buffer, buffer, SIZE, cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMalloc((void**)&dev_histo, BINS * sizeof(uint)));
    cudaDeviceProp prop;
    HANDLE_ERROR(cudaGetDeviceProperties(&prop, 0));
    int blocks = prop.multiProcessorCount < 16 ? prop.multiProcessorCount : 16;
    int bad = 0;
    for (int variant = 0; variant < 3; variant++) {
        HANDLE_ERROR(cudaMemset(dev_histo, 0, BINS * sizeof(uint)));
        HANDLE_ERROR(cudaEventRecord(start, 0));
        if (variant == 0) histo_global<<<blocks * 2, 256>>>(dev_buffer, SIZE, dev_histo);
        if (variant == 1) histo_shared<<<blocks * 2, 256>>>(dev_buffer, SIZE, dev_histo);
        if (variant == 2) histo_per_warp<<<blocks, WARP_COUNT * 32>>>((uint*)dev_buffer, SIZE / 4, dev_histo);
        HANDLE_ERROR(cudaGetLastError());
        HANDLE_ERROR(cudaEventRecord(stop, 0));
        HANDLE_ERROR(cudaEventSynchronize(stop));
        float elapsedTime;
        HANDLE_ERROR(cudaEventElapsedTime(&elapsedTime, start, stop));
        printf("Time to generate:  %3.3f ms\n", elapsedTime);
        uint histo[BINS];
        HANDLE_ERROR(cudaMemcpy(histo, dev_histo, BINS * sizeof(uint), cudaMemcpyDeviceToHost));
        long sum = 0;
        for (int i = 0; i < BINS; i++) sum += histo[i];
        printf("Histogram sum:  %ld\n", sum);
        if (memcmp(histo, expected, sizeof(expected)) != 0 || sum != SIZE) bad++;
    }
    HANDLE_ERROR(cudaEventDestroy(start));
    HANDLE_ERROR(cudaEventDestroy(stop));
    cudaFree(dev_histo);
    cudaFree(dev_buffer);
    free(buffer);
    printf(bad ? "FAILED\n" : "PASSED\n");
    return bad != 0;
}
