// Pi from random points, each thread with a generator of its own (xorshift, and a 64-bit congruential one); counted exactly on the host
// too.
#include <cstdint>
#include <cstdio>

struct XorShift {
    uint32_t state;
    __host__ __device__ explicit XorShift(uint32_t seed) : state(seed * 2654435761u + 1) {
        for (int i = 0; i < 8; ++i) next();
    }
    __host__ __device__ uint32_t next() {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return state;
    }
};

struct Congruential {
    uint64_t state;
    __host__ __device__ explicit Congruential(uint32_t seed) : state(seed + 0x9e3779b97f4a7c15ull) { next(); }
    __host__ __device__ uint32_t next() {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<uint32_t>(state >> 32);
    }
};

template <typename Generator>
__host__ __device__ unsigned hits_of(unsigned id, int points) {
    Generator generator(id);
    unsigned hits = 0;
    for (int i = 0; i < points; ++i) {
        float x = (generator.next() >> 9) * (1.0f / 8388608.0f), y = (generator.next() >> 9) * (1.0f / 8388608.0f);
        // Twelve bits of each are enough, and make the test exact on both sides.
        int xi = (int)(x * 4096.0f), yi = (int)(y * 4096.0f);
        if (xi * xi + yi * yi < 4096 * 4096) ++hits;
    }
    return hits;
}

template <typename Generator>
__global__ void throw_darts(unsigned long long* total, int points) {
    unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ unsigned block_hits;
    if (threadIdx.x == 0) block_hits = 0;
    __syncthreads();
    atomicAdd(&block_hits, hits_of<Generator>(id, points));
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(total, (unsigned long long)block_hits);
}

template <typename Generator>
bool estimate(const char* name) {
    const int blocks = 16, threads = 128, points = 200;
    unsigned long long *d, got = 0, want = 0;
    cudaMalloc(&d, sizeof *d);
    cudaMemset(d, 0, sizeof *d);
    throw_darts<Generator><<<blocks, threads>>>(d, points);
    cudaError_t e = cudaMemcpy(&got, d, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(d);
    for (unsigned id = 0; id < blocks * threads; ++id) want += hits_of<Generator>(id, points);
    double pi = 4.0 * got / (double(blocks) * threads * points);
    printf("%s: pi is about %f (%llu hits, expected %llu), %s\n", name, pi, got, want, cudaGetErrorString(e));
    return got == want && pi > 3.12 && pi < 3.16;
}

int main() {
    bool ok = estimate<XorShift>("xorshift");
    ok = estimate<Congruential>("congruential") && ok;
    puts(ok ? "PASSED" : "FAILED");
    return !ok;
}
