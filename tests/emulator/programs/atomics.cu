// Every atomic function in a form whose result doesn't depend on the order, including 64-bit ones, double by compare-and-swap, and a lock.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

__global__ void testKernel(int* g) {
    const unsigned int tid = blockDim.x * blockIdx.x + threadIdx.x;
    atomicAdd(&g[0], 10);
    atomicSub(&g[1], 10);
    atomicExch(&g[2], tid);
    atomicMax(&g[3], tid);
    atomicMin(&g[4], tid);
    atomicInc((unsigned int*)&g[5], 17);
    atomicDec((unsigned int*)&g[6], 137);
    atomicCAS(&g[7], tid - 1, tid);
    atomicAnd(&g[8], 2 * tid + 7);
    atomicOr(&g[9], 1 << (tid % 32));
    atomicXor(&g[10], tid);
}

__global__ void wide(unsigned long long* g, long long* s, float* f, double* d) {
    const unsigned long long tid = blockDim.x * blockIdx.x + threadIdx.x;
    atomicAdd(&g[0], tid << 33);
    atomicMax(&g[1], tid << 40);
    atomicMin(&g[2], (tid + 1) << 41);
    atomicAnd(&g[3], ~(1ull << (tid % 64)));
    atomicOr(&g[4], 1ull << (tid * 7 % 64));
    atomicXor(&g[5], tid * 0x0101010101010101ull);
    atomicMax(&s[0], (long long)tid - 5000);
    atomicMin(&s[1], 7 - (long long)tid);
    atomicAdd(f, 0.5f);
    atomicAdd(d, 0.25);
}

__device__ double multiply_by_cas(double* address, double factor) {
    unsigned long long *bits = (unsigned long long*)address, old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, (unsigned long long)__double_as_longlong(factor * __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void products(double* d) {
    if (threadIdx.x < 10) multiply_by_cas(d, 2.0);
}

struct Lock {
    int* mutex;
    __device__ void lock() {
        while (atomicCAS(mutex, 0, 1) != 0) {
        }
        __threadfence();
    }
    __device__ void unlock() {
        __threadfence();
        atomicExch(mutex, 0);
    }
};

__global__ void critical(Lock lock, volatile int* count) {
    if (threadIdx.x == 0) {
        lock.lock();
        *count = *count + 1;
        lock.unlock();
    }
}

#define EXPECT(condition)                                       \
    if (!(condition)) {                                         \
        printf("line %d: %s is false\n", __LINE__, #condition); \
        bad++;                                                  \
    }

int main() {
    const int threads = 256, blocks = 8, len = threads * blocks;
    int bad = 0, h[11] = {0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0, 0xff}, *g;
    cudaMalloc((void**)&g, sizeof h);
    cudaMemcpy(g, h, sizeof h, cudaMemcpyHostToDevice);
    testKernel<<<blocks, threads>>>(g);
    cudaMemcpy(h, g, sizeof h, cudaMemcpyDeviceToHost);
    EXPECT(h[0] == 10 * len);
    EXPECT(h[1] == -10 * len);
    EXPECT(h[2] >= 0 && h[2] < len);
    EXPECT(h[3] == len - 1);
    EXPECT(h[4] == 0);
    unsigned inc = 0, dec = 0;
    int all_and = 0xff, all_xor = 0xff;
    for (int i = 0; i < len; i++) {
        inc = inc >= 17 ? 0 : inc + 1;
        dec = dec == 0 || dec > 137 ? 137 : dec - 1;
        all_and &= 2 * i + 7;
        all_xor ^= i;
    }
    EXPECT((unsigned)h[5] == inc);
    EXPECT((unsigned)h[6] == dec);
    EXPECT(h[7] >= 0 && h[7] < len);
    EXPECT(h[8] == all_and);
    EXPECT(h[9] == -1);
    EXPECT(h[10] == all_xor);

    unsigned long long w[6] = {0, 0, ~0ull, ~0ull, 0, 0}, *gw;
    long long s[2] = {-(1ll << 60), 1ll << 60}, *gs;
    float f = 0, *gf;
    double d[2] = {1, 3}, *gd;
    cudaMalloc(&gw, sizeof w);
    cudaMalloc(&gs, sizeof s);
    cudaMalloc(&gf, sizeof f);
    cudaMalloc(&gd, sizeof d);
    cudaMemcpy(gw, w, sizeof w, cudaMemcpyHostToDevice);
    cudaMemcpy(gs, s, sizeof s, cudaMemcpyHostToDevice);
    cudaMemcpy(gf, &f, sizeof f, cudaMemcpyHostToDevice);
    cudaMemcpy(gd, d, sizeof d, cudaMemcpyHostToDevice);
    wide<<<blocks, threads>>>(gw, gs, gf, gd);
    products<<<3, 32>>>(gd + 1);
    cudaMemcpy(w, gw, sizeof w, cudaMemcpyDeviceToHost);
    cudaMemcpy(s, gs, sizeof s, cudaMemcpyDeviceToHost);
    cudaMemcpy(&f, gf, sizeof f, cudaMemcpyDeviceToHost);
    cudaMemcpy(d, gd, sizeof d, cudaMemcpyDeviceToHost);
    unsigned long long x = 0;
    for (unsigned long long i = 0; i < len; i++) x ^= i * 0x0101010101010101ull;
    EXPECT(w[0] == ((unsigned long long)len * (len - 1) / 2) << 33);
    EXPECT(w[1] == (unsigned long long)(len - 1) << 40);
    EXPECT(w[2] == 1ull << 41);
    EXPECT(w[3] == 0);
    EXPECT(w[4] == ~0ull);
    EXPECT(w[5] == x);
    EXPECT(s[0] == len - 1 - 5000);
    EXPECT(s[1] == 7 - (len - 1));
    EXPECT(f == len * 0.5f);
    EXPECT(d[0] == 1 + len * 0.25);
    EXPECT(d[1] == 3 * pow(2, 30));

    int *counters, c[2];
    cudaMalloc(&counters, sizeof c);
    cudaMemset(counters, 0, sizeof c);
    critical<<<64, 32>>>(Lock{counters}, counters + 1);
    cudaMemcpy(c, counters, sizeof c, cudaMemcpyDeviceToHost);
    EXPECT(c[0] == 0 && c[1] == 64);
    EXPECT(cudaGetLastError() == cudaSuccess);
    cudaFree(g);
    cudaFree(gw);
    cudaFree(gs);
    cudaFree(gf);
    cudaFree(gd);
    cudaFree(counters);
    printf("%s\n", bad ? "FAILED" : "PASSED");
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
