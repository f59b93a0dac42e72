#include "cooperative_groups.h"
#include "cooperative_groups/reduce.h"

namespace cg = cooperative_groups;

__device__ unsigned any_group(cg::thread_group group) {
    group.sync();
    return group.thread_rank() + group.size();
}
__global__ void groups(int* out, float x) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    auto half = cg::tiled_partition<16>(warp);
    int sum = warp.shfl_down((int)block.thread_rank(), 4) + cg::reduce(warp, 1, cg::plus<int>()) + (int)half.meta_group_rank();
    sum += (int)(any_group(block) + any_group(half) + any_group(cg::tiled_partition(block, 8)));
    cg::coalesced_group active = cg::coalesced_threads();
    if (active.thread_rank() == 0) atomicAdd(out, (int)active.size());
    cg::sync(block);
    out[block.thread_rank()] = sum + (int)warp.ballot(sum > 3) + active.shfl(sum, 0) + warp.any(sum) + (int)cg::this_grid().thread_rank();
    out[1] += (int)cg::reduce(warp, x, cg::greater<float>());
}
