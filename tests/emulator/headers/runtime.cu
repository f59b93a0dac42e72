// The runtime's C++ side, and the language extensions.
#include "cuda.h"
#include "cuda_profiler_api.h"
#include "cuda_runtime.h"
#include "cuda_runtime_api.h"
#include "device_launch_parameters.h"

__constant__ float weights[16];
__device__ int counter;
__managed__ int managed = 3;

template <class T, int Tile>
__global__ void __launch_bounds__(256, 2) kernel(T* __restrict__ to, const T* __restrict__ from, int n) {
    __shared__ T tile[Tile];
    extern __shared__ unsigned char more[];
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const dim3 where = threadIdx;
    const uint3 block = blockIdx;
    tile[threadIdx.x % Tile] = from[i];
    more[threadIdx.x] = 1;
    __syncthreads();
    if (i < n) to[i] = tile[where.x % Tile] + weights[block.y % 16] + counter + managed + warpSize;
}
__device__ __noinline__ int separate(int x) { return x + 1; }
__host__ __device__ __forceinline__ int everywhere(int x) { return x * 2; }
__global__ void vectors(float4* a) {
    a[0] = make_float4(1, 2, 3, (float)separate(everywhere(4)));
    static_assert(sizeof(float3) == 12 && alignof(float4) == 16 && alignof(double2) == 16 && alignof(int2) == 8, "CUDA's layout");
}

cudaError_t host() {
    float *a = nullptr, *b = nullptr;
    register int grid = 0;  // nvcc takes `register` in any standard, and narrowing in braces
    int block = 0, blocks = 0;
    const dim3 narrowed = {grid / 32, 1};
    cudaMalloc(&a, 64);
    cudaMalloc((void**)&b, 64);
    cudaMallocHost(&b, 64);
    cudaMallocManaged(&b, 64);
    cudaHostAlloc(&b, 64, cudaHostAllocMapped);
    cudaMemcpyToSymbol(weights, b, 64);
    cudaMemcpyFromSymbol(b, counter, sizeof(int));
    cudaGetSymbolAddress((void**)&a, weights);
    kernel<float, 32><<<dim3(2, 2), 32, 64>>>(a, b, 16);
    kernel<float, 32><<<2, 32, 0, cudaStream_t()>>>(a, b, 16);
    void* arguments[] = {&a, &b, &grid};
    cudaLaunchKernel(kernel<float, 16>, dim3(1), dim3(32), arguments, 0, 0);
    cudaFuncSetAttribute(kernel<float, 16>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    cudaFuncSetCacheConfig(kernel<float, 16>, cudaFuncCachePreferShared);
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, kernel<float, 16>);
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel<float, 16>, 0, 0);
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, kernel<float, 16>, [](int threads) { return (size_t)threads * 4; });
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel<float, 16>, 256, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kernel<float, 16>, 256, 0, cudaOccupancyDefault);
    cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, kernel<float, 16>, 0, (int)narrowed.y, cudaOccupancyDefault);
    managed = 4;
    return cudaGetLastError();
}
