// Keeps the elements that satisfy a predicate: order-preserving in a block with ballots, unordered with one atomic a warp.
#include <algorithm>
#include <cstdio>
#include <vector>

template <typename Predicate>
__global__ void compact_block(const int* in, int* out, int* kept, int n, Predicate keep) {
    __shared__ int warp_offset[33];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const int base = blockIdx.x * blockDim.x, i = base + threadIdx.x;
    const bool mine = i < n && keep(in[i]);
    const unsigned votes = __ballot_sync(0xffffffff, mine);
    if (lane == 0) warp_offset[warp + 1] = __popc(votes);
    if (threadIdx.x == 0) warp_offset[0] = 0;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 0; w < warps; ++w) warp_offset[w + 1] += warp_offset[w];
    __syncthreads();
    if (mine) out[base + warp_offset[warp] + __popc(votes & ((1u << lane) - 1))] = in[i];
    if (threadIdx.x == 0) kept[blockIdx.x] = warp_offset[warps];
}

__device__ int warp_aggregated_increment(int* counter) {
    unsigned active = __activemask();
    int leader = __ffs(active) - 1, lane = threadIdx.x % 32, start = 0;
    if (lane == leader) start = atomicAdd(counter, __popc(active));
    start = __shfl_sync(active, start, leader);
    return start + __popc(active & ((1u << lane) - 1));
}

__global__ void compact_any_order(const int* in, int* out, int* counter, int n, int above) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > above) out[warp_aggregated_increment(counter)] = in[i];
}

struct Above {
    int limit;
    __host__ __device__ bool operator()(int v) const { return v > limit; }
};

int main() {
    const int n = 12345, block = 128, blocks = (n + block - 1) / block, limit = 600;
    std::vector<int> input(n), want;
    for (int i = 0; i < n; ++i) input[i] = (i * 7919 + 13) % 1009;
    std::copy_if(input.begin(), input.end(), std::back_inserter(want), Above{limit});
    int *in, *out, *kept;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, blocks * block * sizeof(int));
    cudaMalloc(&kept, blocks * sizeof(int));
    cudaMemcpy(in, input.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    compact_block<<<blocks, block>>>(in, out, kept, n, Above{limit});
    std::vector<int> parts(blocks * block), counts(blocks), got;
    cudaMemcpy(parts.data(), out, parts.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(counts.data(), kept, counts.size() * sizeof(int), cudaMemcpyDeviceToHost);
    for (int b = 0; b < blocks; ++b) got.insert(got.end(), parts.begin() + b * block, parts.begin() + b * block + counts[b]);
    bool ordered = got == want;

    cudaMemset(kept, 0, sizeof(int));
    compact_any_order<<<blocks, block>>>(in, out, kept, n, limit);
    int count = 0;
    cudaMemcpy(&count, kept, sizeof count, cudaMemcpyDeviceToHost);
    bool unordered = count == (int)want.size();
    if (unordered) {
        got.resize(count);
        cudaMemcpy(got.data(), out, count * sizeof(int), cudaMemcpyDeviceToHost);
        std::sort(got.begin(), got.end());
        std::sort(want.begin(), want.end());
        unordered = got == want;
    }
    printf("kept %d of %d; ordered %s, any order %s\n", count, n, ordered ? "ok" : "wrong", unordered ? "ok" : "wrong");
    cudaFree(in);
    cudaFree(out);
    cudaFree(kept);
    bool ok = ordered && unordered && cudaGetLastError() == cudaSuccess;
    puts(ok ? "PASSED" : "FAILED");
    return ok ? 0 : 1;
}
