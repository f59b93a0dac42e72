// Variables of the device by symbol (copies to, from, address, size), function attributes, and the occupancy calculator's calls.
#include <cuda_runtime.h>

#include <cstdio>

struct Settings {
    float gain;
    int offset[3];
};
__constant__ Settings settings;
__constant__ int defaults[4] = {1, 2, 3, 4};
__device__ volatile int counter = 5;
__device__ float table[64];
__device__ const char* greeting = "hi";
static __device__ double hidden[2] = {0.5, -0.5};

__global__ void use_symbols(float* out) {
    int i = threadIdx.x;
    out[i] = settings.gain * i + settings.offset[i % 3] + defaults[i % 4] + table[i] + (float)hidden[i & 1];
    if (i == 0) {
        counter += 37;
        out[0] += greeting[1] == 'i';
    }
}

__global__ void work(int* array, int count) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < count) array[i] *= array[i];
}
template <int N>
__global__ void with_static_shared(float* p) {
    __shared__ float buffer[N];
    for (int i = threadIdx.x; i < N; i += blockDim.x) buffer[i] = p[i];
    __syncthreads();
    p[threadIdx.x] = buffer[(threadIdx.x * 7) % N];
}
static size_t shared_for_block(int threads) { return threads * sizeof(float); }

#define MUST(call)                                                                            \
    if ((call) != cudaSuccess) {                                                              \
        printf("line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(cudaGetLastError())); \
        return 1;                                                                             \
    }

int main() {
    Settings s = {0.5f, {100, 200, 300}};
    float h_table[64], *out, got[64];
    for (int i = 0; i < 64; i++) h_table[i] = -i;
    MUST(cudaMemcpyToSymbol(settings, &s, sizeof s));
    MUST(cudaMemcpyToSymbol(table, h_table, 32 * sizeof(float)));
    MUST(cudaMemcpyToSymbol(table, h_table + 32, 32 * sizeof(float), 32 * sizeof(float), cudaMemcpyHostToDevice));
    MUST(cudaMalloc(&out, sizeof got));
    use_symbols<<<1, 64>>>(out);
    MUST(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    int bad = 0, count = 0;
    for (int i = 0; i < 64; i++) bad += got[i] != 0.5f * i + s.offset[i % 3] + (i % 4 + 1) - i + (i & 1 ? -0.5f : 0.5f) + (i == 0);
    MUST(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    bad += count != 42;
    void* address = nullptr;
    size_t size = 0;
    MUST(cudaGetSymbolAddress(&address, table));
    MUST(cudaGetSymbolSize(&size, table));
    bad += size != sizeof h_table;
    MUST(cudaMemset(address, 0, size));
    MUST(cudaMemcpyFromSymbol(got, table, sizeof got));
    for (float v : got) bad += v != 0;
    MUST(cudaFree(out));
    printf("symbols: %d wrong\n", bad);

    cudaFuncAttributes attributes;
    MUST(cudaFuncGetAttributes(&attributes, with_static_shared<256>));
    printf("static shared memory %zu, most threads %d, registers %d, PTX version %d\n", attributes.sharedSizeBytes,
           attributes.maxThreadsPerBlock, attributes.numRegs, attributes.ptxVersion);
    bad += attributes.sharedSizeBytes < 1024 || attributes.maxThreadsPerBlock != 1024;

    cudaDeviceProp prop;
    MUST(cudaGetDeviceProperties(&prop, 0));
    int blocks = 0, min_grid = 0, block = 0;
    MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work, 256, 0));
    double occupancy = 100.0 * blocks * 256 / prop.maxThreadsPerMultiProcessor;
    printf("%d blocks of 256: %.0f %%\n", blocks, occupancy);
    bad += blocks * 256 != prop.maxThreadsPerMultiProcessor;
    MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work, 32, 40 * 1024));
    bad += blocks != (int)(prop.sharedMemPerMultiprocessor / (41 * 1024)) && blocks != (int)(prop.sharedMemPerMultiprocessor / (40 * 1024));
    MUST(cudaOccupancyMaxPotentialBlockSize(&min_grid, &block, work, 0, 0));
    printf("suggested block %d, smallest full grid %d\n", block, min_grid);
    bad += block < 32 || block > 1024 || block % 32 || min_grid < prop.multiProcessorCount;
    MUST(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&min_grid, &block, work, shared_for_block));
    bad += block < 32 || block > 1024;
    const int n = 1000;
    int *array, h[n];
    for (int i = 0; i < n; i++) h[i] = i;
    MUST(cudaMalloc((void**)&array, sizeof h));
    MUST(cudaMemcpy(array, h, sizeof h, cudaMemcpyHostToDevice));
    work<<<(n + block - 1) / block, block>>>(array, n);
    MUST(cudaMemcpy(h, array, sizeof h, cudaMemcpyDeviceToHost));
    MUST(cudaFree(array));
    for (int i = 0; i < n; i++) bad += h[i] != i * i;
    void* arguments[2];
    int launched = 10, *p;
    MUST(cudaMalloc(&p, 10 * sizeof(int)));
    MUST(cudaMemset(p, 1, 10 * sizeof(int)));
    arguments[0] = &p;
    arguments[1] = &launched;
    MUST(cudaLaunchKernel((const void*)work, dim3(1), dim3(32), arguments, 0, 0));
    MUST(cudaMemcpy(h, p, 10 * sizeof(int), cudaMemcpyDeviceToHost));
    MUST(cudaFree(p));
    for (int i = 0; i < 10; i++) bad += (unsigned)h[i] != 0x01010101u * 0x01010101u;
    puts(bad ? "FAILED" : "PASSED");
    return bad ? 1 : 0;
}
