// Warp-level primitives: butterfly sums, broadcast, reversal, ballots, any/all, and the lane-mask registers.
#include <cuda_runtime.h>

#include <cstdio>

constexpr unsigned kFull = 0xffffffffu;

__global__ void butterfly(int* sums) {
    int value = threadIdx.x + 1;
    for (int mask = 1; mask < 32; mask <<= 1) value += __shfl_xor_sync(kFull, value, mask);
    sums[threadIdx.x] = value;
}

__global__ void reverse_and_broadcast(float* reversed, double* broadcast) {
    int lane = threadIdx.x % 32;
    float mine = 1.5f * threadIdx.x;
    reversed[threadIdx.x] = __shfl_sync(kFull, mine, 31 - lane);
    broadcast[threadIdx.x] = __shfl_sync(kFull, (double)threadIdx.x * 1e10, 5, 8);
}

__global__ void votes(const int* in, unsigned* ballot, int* any, int* all, int* leaders) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned bits = __ballot_sync(kFull, in[i] > 0);
    int some = __any_sync(kFull, in[i] == 7), every = __all_sync(kFull, in[i] > -100);
    if (threadIdx.x % 32 == 0) {
        ballot[i / 32] = bits;
        any[i / 32] = some;
        all[i / 32] = every;
    }
    leaders[i] = __ffs(bits) - 1 == (int)(threadIdx.x % 32);
}

// Half the warp takes each side; each side talks among itself only.
__global__ void divergent_halves(int* out) {
    unsigned lane = threadIdx.x % 32;
    int value = lane;
    if (lane & 1) {
        unsigned mask = __activemask() & 0xaaaaaaaau;
        value = __popc(mask) * 100 + __shfl_sync(0xaaaaaaaau, value, 3);
    } else {
        value = __shfl_down_sync(0x55555555u, value, 2);
    }
    __syncwarp();
    out[threadIdx.x] = value;
}

int main() {
    int* d;
    cudaMalloc(&d, 4096 * sizeof(int));
    int h[128], failures = 0;
    butterfly<<<1, 64>>>(d);
    cudaMemcpy(h, d, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++) failures += h[i] != (i < 32 ? 528 : 528 + 1024);
    printf("butterfly: %d wrong\n", failures);

    float* df;
    double* dd;
    cudaMalloc(&df, 64 * sizeof(float));
    cudaMalloc(&dd, 64 * sizeof(double));
    reverse_and_broadcast<<<1, 64>>>(df, dd);
    float hf[64];
    double hd[64];
    cudaMemcpy(hf, df, sizeof hf, cudaMemcpyDeviceToHost);
    cudaMemcpy(hd, dd, sizeof hd, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++) {
        failures += hf[i] != 1.5f * (i / 32 * 32 + 31 - i % 32);
        failures += hd[i] != (i / 8 * 8 + 5) * 1e10;
    }
    printf("reverse and broadcast: %d wrong\n", failures);

    int in[128];
    for (int i = 0; i < 128; i++) in[i] = i < 32 ? (i % 3) - 1 : i < 64 ? -i : i < 96 ? 7 * (i % 2) : i == 96 ? -500 : 1;
    cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice);
    votes<<<2, 64>>>(d, (unsigned*)d + 128, d + 256, d + 384, d + 512);
    unsigned ballot[4];
    int any[4], all[4], leaders[128];
    cudaMemcpy(ballot, d + 128, sizeof ballot, cudaMemcpyDeviceToHost);
    cudaMemcpy(any, d + 256, sizeof any, cudaMemcpyDeviceToHost);
    cudaMemcpy(all, d + 384, sizeof all, cudaMemcpyDeviceToHost);
    cudaMemcpy(leaders, d + 512, sizeof leaders, cudaMemcpyDeviceToHost);
    for (int w = 0; w < 4; w++) {
        unsigned want = 0;
        bool some = false, every = true;
        for (int lane = 0; lane < 32; lane++) {
            int v = in[w * 32 + lane];
            if (v > 0) want |= 1u << lane;
            some = some || v == 7;
            every = every && v > -100;
        }
        int first = -1;
        for (int lane = 31; lane >= 0; lane--)
            if (want >> lane & 1) first = lane;
        failures += ballot[w] != want || (any[w] != 0) != some || (all[w] != 0) != every;
        for (int lane = 0; lane < 32; lane++) failures += (leaders[w * 32 + lane] != 0) != (lane == first);
    }
    printf("votes: %d wrong\n", failures);

    divergent_halves<<<1, 32>>>(d);
    cudaMemcpy(h, d, 32 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        if (i % 2 == 0 && h[i] != (i + 2 < 32 ? i + 2 : i)) failures++;
    for (int i = 1; i < 32; i += 2) failures += h[i] % 100 != 3 || h[i] / 100 < 1 || h[i] / 100 > 16;
    cudaError_t e = cudaDeviceSynchronize();
    cudaFree(d);
    cudaFree(df);
    cudaFree(dd);
    if (e != cudaSuccess) printf("%s: %s\n", cudaGetErrorName(e), cudaGetErrorString(e));
    printf("%s\n", failures == 0 && e == cudaSuccess ? "PASSED" : "FAILED");
    return failures != 0 || e != cudaSuccess;
}
