// Prefix sums of a block: Hillis-Steele, Blelloch's work-efficient one, warp shuffles; and a three-kernel scan of any length.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define BLOCK 256
#define LOG_BANKS 5
#define CONFLICT_FREE(n) ((n) + ((n) >> LOG_BANKS))

inline void check(cudaError_t code, const char* file, int line) {
    if (code != cudaSuccess) {
        fprintf(stderr, "GPU error: %s %s %d\n", cudaGetErrorString(code), file, line);
        exit(code);
    }
}
#define gpuErrchk(ans) check((ans), __FILE__, __LINE__)

__global__ void hillis_steele_inclusive(const int* in, int* out, int n) {
    __shared__ int temp[2][BLOCK];
    int tid = threadIdx.x, pout = 0, pin = 1;
    int i = blockIdx.x * BLOCK + tid;
    temp[pout][tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (int offset = 1; offset < BLOCK; offset *= 2) {
        pout = 1 - pout;
        pin = 1 - pout;
        if (tid >= offset)
            temp[pout][tid] = temp[pin][tid] + temp[pin][tid - offset];
        else
            temp[pout][tid] = temp[pin][tid];
        __syncthreads();
    }
    if (i < n) out[i] = temp[pout][tid];
}

// Exclusive; each thread owns two elements.
__global__ void blelloch_exclusive(const int* in, int* out, int* sums, int n) {
    extern __shared__ int temp[];
    int thid = threadIdx.x, m = 2 * blockDim.x, base = blockIdx.x * m;
    int ai = thid, bi = thid + blockDim.x;
    temp[CONFLICT_FREE(ai)] = base + ai < n ? in[base + ai] : 0;
    temp[CONFLICT_FREE(bi)] = base + bi < n ? in[base + bi] : 0;
    int offset = 1;
    for (int d = m >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (thid < d) {
            int a = CONFLICT_FREE(offset * (2 * thid + 1) - 1), b = CONFLICT_FREE(offset * (2 * thid + 2) - 1);
            temp[b] += temp[a];
        }
        offset *= 2;
    }
    if (thid == 0) {
        int last = CONFLICT_FREE(m - 1);
        if (sums) sums[blockIdx.x] = temp[last];
        temp[last] = 0;
    }
    for (int d = 1; d < m; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int a = CONFLICT_FREE(offset * (2 * thid + 1) - 1), b = CONFLICT_FREE(offset * (2 * thid + 2) - 1);
            int t = temp[a];
            temp[a] = temp[b];
            temp[b] += t;
        }
    }
    __syncthreads();
    if (base + ai < n) out[base + ai] = temp[CONFLICT_FREE(ai)];
    if (base + bi < n) out[base + bi] = temp[CONFLICT_FREE(bi)];
}

__global__ void add_block_sums(int* out, const int* sums, int n) {
    int base = blockIdx.x * 2 * blockDim.x + threadIdx.x;
    if (base < n) out[base] += sums[blockIdx.x];
    if (base + (int)blockDim.x < n) out[base + blockDim.x] += sums[blockIdx.x];
}

__global__ void shuffle_inclusive(const int* in, int* out, int n) {
    __shared__ int warp_sums[BLOCK / 32];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int value = i < n ? in[i] : 0;
#pragma unroll
    for (int d = 1; d <= 16; d *= 2) {
        int below = __shfl_up_sync(0xffffffff, value, d);
        if (lane >= d) value += below;
    }
    if (lane == 31) warp_sums[warp] = value;
    __syncthreads();
    if (warp == 0 && lane < BLOCK / 32) {
        int sum = warp_sums[lane];
        unsigned mask = (1u << (BLOCK / 32)) - 1;
        for (int d = 1; d < BLOCK / 32; d *= 2) {
            int below = __shfl_up_sync(mask, sum, d, BLOCK / 32);
            if (lane >= d) sum += below;
        }
        warp_sums[lane] = sum;
    }
    __syncthreads();
    if (warp > 0) value += warp_sums[warp - 1];
    if (i < n) out[i] = value;
}

static int compare(const char* name, const std::vector<int>& got, const std::vector<int>& want) {
    for (size_t i = 0; i < want.size(); i++)
        if (got[i] != want[i]) {
            printf("%s: FAILED at %zu: got %d, expected %d\n", name, i, got[i], want[i]);
            return 1;
        }
    printf("%s: PASSED\n", name);
    return 0;
}

int main(int argc, char* argv[]) {
    int n = argc > 1 ? atoi(argv[1]) : 30011;
    std::vector<int> h(n), got(n), per_block(n), exclusive(n);
    for (int i = 0; i < n; i++) h[i] = (i * 7 + 3) % 23 - 5;
    for (int i = 0, total = 0; i < n; i++) {
        per_block[i] = h[i] + (i % BLOCK ? per_block[i - 1] : 0);
        exclusive[i] = total;
        total += h[i];
    }
    size_t bytes = n * sizeof(int);
    int *in, *out, *sums, *offsets;
    int blocks = (n + 2 * BLOCK - 1) / (2 * BLOCK);
    gpuErrchk(cudaMalloc((void**)&in, bytes));
    gpuErrchk(cudaMalloc((void**)&out, bytes));
    gpuErrchk(cudaMalloc((void**)&sums, blocks * sizeof(int)));
    gpuErrchk(cudaMalloc((void**)&offsets, blocks * sizeof(int)));
    gpuErrchk(cudaMemcpy(in, h.data(), bytes, cudaMemcpyHostToDevice));
    int failures = 0;
    hillis_steele_inclusive<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n);
    gpuErrchk(cudaPeekAtLastError());
    gpuErrchk(cudaMemcpy(got.data(), out, bytes, cudaMemcpyDeviceToHost));
    failures += compare("Hillis-Steele", got, per_block);

    gpuErrchk(cudaMemset(out, 0xee, bytes));
    shuffle_inclusive<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n);
    gpuErrchk(cudaPeekAtLastError());
    gpuErrchk(cudaMemcpy(got.data(), out, bytes, cudaMemcpyDeviceToHost));
    failures += compare("warp shuffles", got, per_block);

    if (blocks > 2 * BLOCK) {
        printf("n is too large for two levels\n");
        return EXIT_FAILURE;
    }
    gpuErrchk(cudaMemset(out, 0xee, bytes));
    size_t smem = CONFLICT_FREE(2 * BLOCK) * sizeof(int);
    blelloch_exclusive<<<blocks, BLOCK, smem>>>(in, out, sums, n);
    blelloch_exclusive<<<1, BLOCK, smem>>>(sums, offsets, nullptr, blocks);
    add_block_sums<<<blocks, BLOCK>>>(out, offsets, n);
    gpuErrchk(cudaDeviceSynchronize());
    gpuErrchk(cudaMemcpy(got.data(), out, bytes, cudaMemcpyDeviceToHost));
    failures += compare("Blelloch, any length", got, exclusive);
    for (int* p : {in, out, sums, offsets}) gpuErrchk(cudaFree(p));
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
