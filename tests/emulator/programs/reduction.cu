// Sums of an array by the well-known ladder of kernels, each step removing one cost of the one before.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK_CUDA(call)                                                                                \
    do {                                                                                                \
        cudaError_t status_ = (call);                                                                   \
        if (status_ != cudaSuccess) {                                                                   \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status_)); \
            exit(EXIT_FAILURE);                                                                         \
        }                                                                                               \
    } while (0)

// Neighbours in pairs, threads chosen by modulo: divergent.
__global__ void reduceInterleavedModulo(const int* in, int* out, unsigned n) {
    extern __shared__ int sdata[];
    unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sdata[0];
}

// Neighbours in pairs, the first threads busy: bank conflicts.
__global__ void reduceInterleavedStrided(const int* in, int* out, unsigned n) {
    extern __shared__ int sdata[];
    unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        unsigned index = 2 * s * tid;
        if (index < blockDim.x) sdata[index] += sdata[index + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sdata[0];
}

// Halves: neither.
__global__ void reduceSequential(const int* in, int* out, unsigned n) {
    extern __shared__ int sdata[];
    unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sdata[0];
}

// First addition on the way in, last warp unrolled with explicit warp barriers.
template <unsigned blockSize>
__global__ void reduceUnrolledLastWarp(const int* in, int* out, unsigned n) {
    __shared__ volatile int sdata[blockSize];
    unsigned tid = threadIdx.x, i = blockIdx.x * (blockSize * 2) + tid;
    int sum = i < n ? in[i] : 0;
    if (i + blockSize < n) sum += in[i + blockSize];
    sdata[tid] = sum;
    __syncthreads();
    if (blockSize >= 512) {
        if (tid < 256) sdata[tid] = sum = sum + sdata[tid + 256];
        __syncthreads();
    }
    if (blockSize >= 256) {
        if (tid < 128) sdata[tid] = sum = sum + sdata[tid + 128];
        __syncthreads();
    }
    if (blockSize >= 128) {
        if (tid < 64) sdata[tid] = sum = sum + sdata[tid + 64];
        __syncthreads();
    }
    if (tid < 32) {
        sum += sdata[tid + 32];
        __syncwarp();
#pragma unroll
        for (unsigned s = 16; s > 0; s >>= 1) {
            sdata[tid] = sum;
            __syncwarp();
            int other = tid < s ? sdata[tid + s] : 0;
            __syncwarp();
            sum += other;
        }
    }
    if (tid == 0) out[blockIdx.x] = sum;
}

__inline__ __device__ int warpReduceSum(int val) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2) val += __shfl_down_sync(0xffffffff, val, offset);
    return val;
}

// Registers and shuffles; shared memory only between warps.
__global__ void reduceShuffle(const int* in, int* out, unsigned n) {
    static __shared__ int shared[32];
    int sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];
    int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
    sum = warpReduceSum(sum);
    if (lane == 0) shared[wid] = sum;
    __syncthreads();
    sum = threadIdx.x < blockDim.x / warpSize ? shared[lane] : 0;
    if (wid == 0) sum = warpReduceSum(sum);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// Vector loads and one atomic a warp.
__global__ void reduceVectorAtomic(const int* in, int* out, unsigned n) {
    int sum = 0;
    unsigned idx = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned i = idx; i < n / 4; i += blockDim.x * gridDim.x) {
        int4 v = reinterpret_cast<const int4*>(in)[i];
        sum += (v.x + v.y) + (v.z + v.w);
    }
    unsigned tail = idx + n / 4 * 4;
    if (tail < n) sum += in[tail];
    sum = warpReduceSum(sum);
    if ((threadIdx.x & (warpSize - 1)) == 0) atomicAdd(out, sum);
}

// The hardware's own warp reduction (compute capability 8.0 and later), a shuffle tree before.
__global__ void reduceWarpInstruction(const int* in, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = i < n ? in[i] : 0;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    v = __reduce_add_sync(0xffffffffu, v);
#else
    v = warpReduceSum(v);
#endif
    if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}

static long long sumOnHost(const int* v, size_t n) {
    long long s = 0;
    for (size_t i = 0; i < n; i++) s += v[i];
    return s;
}

int main(int argc, char** argv) {
    const unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 100003;
    const int threads = 256, blocks = (n + threads - 1) / threads;
    int *h_in = (int*)malloc(n * sizeof(int)), *h_out = (int*)malloc(blocks * sizeof(int));
    for (unsigned i = 0; i < n; i++) h_in[i] = (int)(i * 2654435761u >> 24) - 100;
    const long long expected = sumOnHost(h_in, n);
    int *d_in, *d_out;
    CHECK_CUDA(cudaMalloc(&d_in, n * sizeof(int)));
    CHECK_CUDA(cudaMalloc(&d_out, blocks * sizeof(int)));
    CHECK_CUDA(cudaMemcpy(d_in, h_in, n * sizeof(int), cudaMemcpyHostToDevice));

    const char* names[] = {"interleaved, modulo", "interleaved, strided", "sequential", "last warp unrolled", "shuffle",
                           "vector and atomic",   "warp instruction"};
    int failures = 0;
    for (int variant = 0; variant < 7; variant++) {
        int outputs = blocks;
        CHECK_CUDA(cudaMemset(d_out, 0, blocks * sizeof(int)));
        switch (variant) {
            case 0:
                reduceInterleavedModulo<<<blocks, threads, threads * sizeof(int)>>>(d_in, d_out, n);
                break;
            case 1:
                reduceInterleavedStrided<<<blocks, threads, threads * sizeof(int)>>>(d_in, d_out, n);
                break;
            case 2:
                reduceSequential<<<blocks, threads, threads * sizeof(int)>>>(d_in, d_out, n);
                break;
            case 3:
                outputs = (n + 2 * threads - 1) / (2 * threads);
                reduceUnrolledLastWarp<threads><<<outputs, threads>>>(d_in, d_out, n);
                break;
            case 4:
                outputs = 17;
                reduceShuffle<<<outputs, threads>>>(d_in, d_out, n);
                break;
            case 5:
                reduceVectorAtomic<<<33, threads>>>(d_in, d_out, n);
                outputs = 1;
                break;
            case 6:
                reduceWarpInstruction<<<blocks, threads>>>(d_in, d_out, n);
                outputs = 1;
                break;
        }
        CHECK_CUDA(cudaGetLastError());
        CHECK_CUDA(cudaMemcpy(h_out, d_out, outputs * sizeof(int), cudaMemcpyDeviceToHost));
        long long got = sumOnHost(h_out, outputs);
        printf("%-22s sum %lld %s\n", names[variant], got, got == expected ? "ok" : "WRONG");
        failures += got != expected;
    }
    CHECK_CUDA(cudaFree(d_in));
    CHECK_CUDA(cudaFree(d_out));
    free(h_in);
    free(h_out);
    printf("%s\n", failures ? "Test FAILED" : "Test PASSED");
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
