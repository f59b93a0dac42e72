// Least-significant-digit radix sort: ballots for the local rank of a bit, a block-wide histogram of digits, a scan, a scatter.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int kBits = 4, kDigits = 1 << kBits, kBlock = 128;

// Rank of the thread among those of its block with the same digit, in thread order.
__device__ int rank_in_block(int digit, int* block_count) {
    __shared__ int per_warp[kBlock / 32][kDigits];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned same = 0xffffffff;
    for (int bit = 0; bit < kBits; ++bit) {
        unsigned votes = __ballot_sync(0xffffffff, digit >> bit & 1);
        same &= digit >> bit & 1 ? votes : ~votes;
    }
    if (lane < kDigits) per_warp[warp][lane] = 0;
    __syncwarp();
    int rank = __popc(same & ((1u << lane) - 1));
    if (rank == 0) per_warp[warp][digit] = __popc(same);
    __syncthreads();
    for (int w = 0; w < warp; ++w) rank += per_warp[w][digit];
    if (threadIdx.x < kDigits) {
        int total = 0;
        for (int w = 0; w < kBlock / 32; ++w) total += per_warp[w][threadIdx.x];
        block_count[threadIdx.x] = total;
    }
    __syncthreads();
    return rank;
}

__global__ void count_digits(const uint32_t* keys, int* counts, int n, int shift) {
    __shared__ int block_count[kDigits + 1];
    int i = blockIdx.x * kBlock + threadIdx.x;
    // Padding threads take the largest digit; they are last in the last block, so they disturb no rank.
    int digit = i < n ? keys[i] >> shift & (kDigits - 1) : kDigits - 1;
    rank_in_block(digit, block_count);
    if (threadIdx.x < kDigits) counts[threadIdx.x * gridDim.x + blockIdx.x] = block_count[threadIdx.x];
}

__global__ void scan_counts(int* counts, int n) {
    __shared__ int carry, sums[2][kBlock];
    if (threadIdx.x == 0) carry = 0;
    __syncthreads();
    for (int base = 0; base < n; base += kBlock) {
        int i = base + threadIdx.x, value = i < n ? counts[i] : 0, from = 0;
        sums[0][threadIdx.x] = value;
        __syncthreads();
        for (int d = 1; d < kBlock; d *= 2) {
            sums[1 - from][threadIdx.x] = sums[from][threadIdx.x] + (threadIdx.x >= d ? sums[from][threadIdx.x - d] : 0);
            from = 1 - from;
            __syncthreads();
        }
        if (i < n) counts[i] = carry + sums[from][threadIdx.x] - value;
        __syncthreads();
        if (threadIdx.x == kBlock - 1) carry += sums[from][threadIdx.x];
        __syncthreads();
    }
}

__global__ void scatter(const uint32_t* in, uint32_t* out, const int* offsets, int n, int shift) {
    __shared__ int block_count[kDigits];
    int i = blockIdx.x * kBlock + threadIdx.x;
    uint32_t key = i < n ? in[i] : ~0u;
    int digit = i < n ? key >> shift & (kDigits - 1) : kDigits - 1;
    int rank = rank_in_block(digit, block_count);
    if (i < n) out[offsets[digit * gridDim.x + blockIdx.x] + rank] = key;
}

int main() {
    const int n = 5003, blocks = (n + kBlock - 1) / kBlock;
    std::vector<uint32_t> h(n), got(n);
    uint32_t x = 88172645;
    for (auto& v : h) {
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        v = x % 5 ? x : x & 0xfff;
    }
    uint32_t *a, *b;
    int* counts;
    cudaMalloc(&a, n * sizeof *a);
    cudaMalloc(&b, n * sizeof *b);
    cudaMalloc(&counts, blocks * kDigits * sizeof(int));
    cudaMemcpy(a, h.data(), n * sizeof *a, cudaMemcpyHostToDevice);
    for (int shift = 0; shift < 32; shift += kBits) {
        count_digits<<<blocks, kBlock>>>(a, counts, n, shift);
        scan_counts<<<1, kBlock>>>(counts, blocks * kDigits);
        scatter<<<blocks, kBlock>>>(a, b, counts, n, shift);
        std::swap(a, b);
    }
    cudaError_t e = cudaMemcpy(got.data(), a, n * sizeof *a, cudaMemcpyDeviceToHost);
    std::sort(h.begin(), h.end());
    bool ok = e == cudaSuccess && got == h;
    printf("%d keys: %s, %s\n", n, cudaGetErrorString(e), ok ? "PASSED" : "FAILED");
    cudaFree(a);
    cudaFree(b);
    cudaFree(counts);
    return ok ? 0 : 1;
}
