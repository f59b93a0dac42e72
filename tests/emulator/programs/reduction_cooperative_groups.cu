// Reductions written with cooperative groups: thread blocks, tiles of several sizes, coalesced groups.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

template <typename Group>
__device__ int sum_of_group(Group group, int value) {
    for (int offset = group.size() / 2; offset > 0; offset /= 2) value += group.shfl_down(value, offset);
    return value;
}

template <int TileSize>
__global__ void sum_by_tiles(const int* in, int* total, int n) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<TileSize> tile = cg::tiled_partition<TileSize>(block);
    int sum = 0;
    for (int i = block.group_index().x * block.size() + block.thread_rank(); i < n; i += gridDim.x * block.size()) sum += in[i];
    sum = sum_of_group(tile, sum);
    if (tile.thread_rank() == 0) atomicAdd(total, sum);
}

__global__ void sum_in_shared(const int* in, int* total, int n) {
    extern __shared__ int scratch[];
    cg::thread_block block = cg::this_thread_block();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    scratch[block.thread_rank()] = i < n ? in[i] : 0;
    cg::sync(block);
    for (unsigned half = block.size() / 2; half > 0; half /= 2) {
        if (block.thread_rank() < half) scratch[block.thread_rank()] += scratch[block.thread_rank() + half];
        block.sync();
    }
    if (block.thread_rank() == 0) atomicAdd(total, scratch[0]);
}

// Threads that saw an odd number elect one of them to add for all.
__global__ void count_odd(const int* in, int* total, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && (in[i] & 1)) {
        cg::coalesced_group odd = cg::coalesced_threads();
        if (odd.thread_rank() == 0) atomicAdd(total, (int)odd.size());
    }
}

int main() {
    const int n = 20000;
    std::vector<int> input(n);
    int expected = 0, expected_odd = 0;
    for (int i = 0; i < n; ++i) {
        input[i] = (i * 37) % 101;
        expected += input[i];
        expected_odd += input[i] & 1;
    }
    int *in, *total;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&total, 5 * sizeof(int));
    cudaMemcpy(in, input.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(total, 0, 5 * sizeof(int));
    sum_by_tiles<32><<<16, 128>>>(in, total, n);
    sum_by_tiles<16><<<16, 128>>>(in, total + 1, n);
    sum_by_tiles<4><<<16, 128>>>(in, total + 2, n);
    sum_in_shared<<<(n + 127) / 128, 128, 128 * sizeof(int)>>>(in, total + 3, n);
    count_odd<<<(n + 127) / 128, 128>>>(in, total + 4, n);
    int got[5];
    if (cudaMemcpy(got, total, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    bool ok = got[4] == expected_odd;
    for (int i = 0; i < 4; ++i) ok = ok && got[i] == expected;
    for (int value : got) printf("%d ", value);
    printf("expected %d and %d: %s\n", expected, expected_odd, ok ? "PASSED" : "FAILED");
    cudaFree(in);
    cudaFree(total);
    return ok ? 0 : 1;
}
