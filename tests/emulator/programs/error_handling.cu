// The runtime's answers to wrong calls, and how the last error is kept and cleared: nothing here breaks the context.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__global__ void fill(int* p, int n, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = value;
}
__global__ void needs_shared(int* p) {
    extern __shared__ int buffer[];
    buffer[threadIdx.x] = threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}
__global__ void __launch_bounds__(64) at_most_64(int* p) { p[threadIdx.x] = 1; }

// A bad shape of grid or block: the manual's cudaErrorInvalidConfiguration became cudaErrorInvalidValue in CUDA 13 (seen on an H100).
#if CUDART_VERSION >= 13000
static const cudaError_t bad_shape = cudaErrorInvalidValue;
#else
static const cudaError_t bad_shape = cudaErrorInvalidConfiguration;
#endif

static int bad = 0;
static void expect(cudaError_t got, cudaError_t want, const char* what) {
    if (got == want) return;
    printf("%s: got %s, expected %s\n", what, cudaGetErrorName(got), cudaGetErrorName(want));
    bad++;
}

int main() {
    int *d = nullptr, h[256];
    expect(cudaGetLastError(), cudaSuccess, "nothing has happened");
    expect(cudaMalloc(&d, sizeof h), cudaSuccess, "malloc");
    fill<<<1, 1025>>>(d, 256, 7);
    expect(cudaPeekAtLastError(), bad_shape, "1025 threads, peeked");
    expect(cudaGetLastError(), bad_shape, "1025 threads");
    expect(cudaGetLastError(), cudaSuccess, "the last error is cleared when read");
    fill<<<0, 32>>>(d, 256, 7);
    expect(cudaGetLastError(), bad_shape, "no blocks");
    fill<<<1, 0>>>(d, 256, 7);
    expect(cudaGetLastError(), bad_shape, "no threads");
    fill<<<dim3(1, 65536), 32>>>(d, 256, 7);
    expect(cudaGetLastError(), bad_shape, "grid too high");
    fill<<<1, dim3(1, 1, 65)>>>(d, 256, 7);
    expect(cudaGetLastError(), bad_shape, "block too deep");
    needs_shared<<<1, 32, 1 << 20>>>(d);
    expect(cudaGetLastError(), cudaErrorInvalidValue, "a megabyte of shared memory");
    needs_shared<<<1, 32, 60 * 1024>>>(d);
    expect(cudaGetLastError(), cudaErrorInvalidValue, "60 KiB without asking first");
    expect(cudaFuncSetAttribute(needs_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 60 * 1024), cudaSuccess, "asking");
    needs_shared<<<1, 32, 60 * 1024>>>(d);
    expect(cudaDeviceSynchronize(), cudaSuccess, "60 KiB after asking");
    expect(cudaMemcpy(h, d, 32 * sizeof(int), cudaMemcpyDeviceToHost), cudaSuccess, "copy");
    for (int i = 0; i < 32; i++) bad += h[i] != 31 - i;
    at_most_64<<<1, 65>>>(d);
    expect(cudaGetLastError(), cudaErrorInvalidValue, "more threads than the launch bounds");

    fill<<<1, 256>>>(d, 256, 5);
    expect(cudaGetLastError(), cudaSuccess, "a good launch after bad ones");
    expect(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost), cudaSuccess, "copy");
    for (int v : h) bad += v != 5;
    expect(cudaMemcpy(nullptr, d, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue, "copy to null");
    expect(cudaMemcpy(h, d, 0, cudaMemcpyDeviceToHost), cudaSuccess, "copy of nothing");
    expect(cudaMemcpy(h, d, 4, (cudaMemcpyKind)17), cudaErrorInvalidMemcpyDirection, "direction 17");
    expect(cudaGetLastError(), cudaErrorInvalidMemcpyDirection, "the error of a plain call is the last one, too");
    void* huge = nullptr;
    expect(cudaMalloc(&huge, (size_t)1 << 50), cudaErrorMemoryAllocation, "a petabyte");
    expect(cudaMalloc((void**)nullptr, 4), cudaErrorInvalidValue, "malloc to null");
    expect(cudaFree(h), cudaErrorInvalidValue, "free of host memory");
    expect(cudaFree(nullptr), cudaSuccess, "free of null");
    expect(cudaSetDevice(1000), cudaErrorInvalidDevice, "device 1000");
    cudaGetLastError();
    cudaEvent_t start, stop;
    float ms;
    expect(cudaEventCreate(&start), cudaSuccess, "event");
    expect(cudaEventCreate(&stop), cudaSuccess, "event");
    expect(cudaEventElapsedTime(&ms, start, stop), cudaErrorInvalidResourceHandle, "events never recorded");
    expect(cudaEventRecord(start), cudaSuccess, "record");
    expect(cudaEventRecord(stop), cudaSuccess, "record");
    expect(cudaEventSynchronize(stop), cudaSuccess, "synchronize");
    expect(cudaEventElapsedTime(&ms, start, stop), cudaSuccess, "elapsed");
    expect(cudaEventDestroy(start), cudaSuccess, "destroy");
    expect(cudaEventDestroy(stop), cudaSuccess, "destroy");
    cudaGetLastError();
    expect(cudaFree(d), cudaSuccess, "free");

    if (strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") != 0) bad++;
    if (strcmp(cudaGetErrorString(cudaSuccess), "no error") != 0) bad++;
    if (strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") != 0) bad++;
    if (strcmp(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument") != 0) bad++;
    printf("%d surprises\n%s\n", bad, bad ? "FAILED" : "PASSED");
    return bad ? 1 : 0;
}
