// Cooperative groups: a block, tiles of a warp, and the currently active threads of a warp. Grid synchronisation (this_grid().sync()) is
// not supported, since the emulator's blocks need not be resident together.
#pragma once

#include "cuda_runtime.h"

namespace cooperative_groups {

#define LAB_GROUP LAB_INLINE

// All threads of the block.
class thread_block {
public:
    LAB_GROUP static void sync() { __syncthreads(); }
    LAB_GROUP static unsigned thread_rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
    LAB_GROUP static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
    LAB_GROUP static unsigned size() { return num_threads(); }
    LAB_GROUP static dim3 group_index() { return blockIdx; }
    LAB_GROUP static dim3 thread_index() { return threadIdx; }
    LAB_GROUP static dim3 group_dim() { return blockDim; }
    LAB_GROUP static dim3 dim_threads() { return blockDim; }
};
static LAB_GROUP thread_block this_thread_block() { return {}; }

// Threads of the grid, for numbering only.
class grid_group {
public:
    LAB_GROUP static unsigned long long thread_rank() { return block_rank() * thread_block::num_threads() + thread_block::thread_rank(); }
    LAB_GROUP static unsigned long long num_threads() { return num_blocks() * thread_block::num_threads(); }
    LAB_GROUP static unsigned long long size() { return num_threads(); }
    LAB_GROUP static unsigned long long num_blocks() { return 1ULL * gridDim.x * gridDim.y * gridDim.z; }
    LAB_GROUP static unsigned long long block_rank() { return (1ULL * blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
    LAB_GROUP static dim3 dim_blocks() { return gridDim; }
    LAB_GROUP static bool is_valid() { return false; }  // is_valid() would promise sync()
    __device__ static void sync() __attribute__((error("the emulator does not synchronise a whole grid: run this program on a GPU")));
};
static LAB_GROUP grid_group this_grid() { return {}; }

// Base of tiles and coalesced groups: some lanes of one warp.
class lane_group {
public:
    LAB_GROUP explicit lane_group(unsigned mask) : mask_(mask) {}
    LAB_GROUP void sync() const { __syncwarp(mask_); }
    LAB_GROUP int any(int predicate) const { return __any_sync(mask_, predicate); }
    LAB_GROUP int all(int predicate) const { return __all_sync(mask_, predicate); }

protected:
    friend class thread_group;
    unsigned mask_;
};

// The threads of a warp that are active at its construction.
class coalesced_group : public lane_group {
public:
    LAB_GROUP explicit coalesced_group(unsigned mask) : lane_group(mask) {}
    LAB_GROUP unsigned num_threads() const { return __popc(mask_); }
    LAB_GROUP unsigned size() const { return num_threads(); }
    LAB_GROUP unsigned thread_rank() const { return __popc(mask_ & __lanemask_lt()); }
    LAB_GROUP unsigned ballot(int predicate) const { return packed(__ballot_sync(mask_, predicate)); }
    template <class T>
    LAB_GROUP unsigned match_any(T value) const {
        return packed(__match_any_sync(mask_, value));
    }
    template <class T>
    LAB_GROUP T shfl(T value, unsigned rank) const {
        return __shfl_sync(mask_, value, lane_of(rank % num_threads()));
    }
    template <class T>
    LAB_GROUP T shfl_up(T value, unsigned by) const {
        const unsigned rank = thread_rank();
        return __shfl_sync(mask_, value, lane_of(rank >= by ? rank - by : rank));
    }
    template <class T>
    LAB_GROUP T shfl_down(T value, unsigned by) const {
        const unsigned rank = thread_rank();
        return __shfl_sync(mask_, value, lane_of(rank + by < num_threads() ? rank + by : rank));
    }

private:
    // The lane of the thread with this rank; the bits of `lanes` moved to the ranks of their lanes.
    LAB_GROUP int lane_of(unsigned rank) const {
        unsigned left = mask_;
        for (unsigned i = 0; i < rank; ++i) left &= left - 1;
        return __ffs((int)left) - 1;
    }
    LAB_GROUP unsigned packed(unsigned lanes) const {
        unsigned ranks = 0, rank = 0;
        for (unsigned left = mask_; left != 0; left &= left - 1, ++rank) {
            if (lanes & left & (0U - left)) ranks |= 1U << rank;
        }
        return ranks;
    }
};
static LAB_GROUP coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// Size adjacent lanes of a warp. Parent exists for CUDA's signatures only.
template <unsigned Size, class Parent = void>
class thread_block_tile : public lane_group {
    static_assert(Size != 0 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");

public:
    LAB_GROUP thread_block_tile() : lane_group(own_mask()) {}
    template <class Other>
    LAB_GROUP thread_block_tile(const thread_block_tile<Size, Other>&) : lane_group(own_mask()) {}
    LAB_GROUP static constexpr unsigned num_threads() { return Size; }
    LAB_GROUP static constexpr unsigned size() { return Size; }
    LAB_GROUP static unsigned thread_rank() { return thread_block::thread_rank() % Size; }
    LAB_GROUP static unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
    LAB_GROUP static unsigned meta_group_size() { return (thread_block::num_threads() + Size - 1) / Size; }
    LAB_GROUP unsigned ballot(int predicate) const { return __ballot_sync(mask_, predicate) >> first_lane(); }
    template <class T>
    LAB_GROUP unsigned match_any(T value) const {
        return __match_any_sync(mask_, value) >> first_lane();
    }
    template <class T>
    LAB_GROUP T shfl(T value, int rank) const {
        return __shfl_sync(mask_, value, rank, Size);
    }
    template <class T>
    LAB_GROUP T shfl_up(T value, unsigned by) const {
        return __shfl_up_sync(mask_, value, by, Size);
    }
    template <class T>
    LAB_GROUP T shfl_down(T value, unsigned by) const {
        return __shfl_down_sync(mask_, value, by, Size);
    }
    template <class T>
    LAB_GROUP T shfl_xor(T value, unsigned lanes) const {
        return __shfl_xor_sync(mask_, value, (int)lanes, Size);
    }

private:
    LAB_GROUP static unsigned first_lane() { return thread_block::thread_rank() % 32 / Size * Size; }
    LAB_GROUP static unsigned own_mask() { return (0xffffffffU >> (32 - Size)) << first_lane(); }
};

// Any of the above behind one type, for functions that take any group.
class thread_group {
public:
    LAB_GROUP thread_group(const thread_block&) : mask_(0), size_(thread_block::num_threads()), rank_(thread_block::thread_rank()) {}
    LAB_GROUP thread_group(const coalesced_group& group) : mask_(group.mask_), size_(group.num_threads()), rank_(group.thread_rank()) {}
    template <unsigned Size, class Parent>
    LAB_GROUP thread_group(const thread_block_tile<Size, Parent>& group) : mask_(group.mask_), size_(Size), rank_(group.thread_rank()) {}
    LAB_GROUP thread_group(unsigned mask, unsigned size, unsigned rank) : mask_(mask), size_(size), rank_(rank) {}
    LAB_GROUP void sync() const {
        if (mask_ == 0) {
            __syncthreads();
        } else {
            __syncwarp(mask_);
        }
    }
    LAB_GROUP unsigned num_threads() const { return size_; }
    LAB_GROUP unsigned size() const { return size_; }
    LAB_GROUP unsigned thread_rank() const { return rank_; }

private:
    unsigned mask_;  // 0: the whole block
    unsigned size_, rank_;
};
// Tiles of `size` threads, a power of two up to 32, chosen at run time.
template <class Parent>
LAB_GROUP thread_group tiled_partition(const Parent&, unsigned size) {
    const unsigned rank = thread_block::thread_rank();
    return {(0xffffffffU >> (32 - size)) << (rank % 32 / size * size), size, rank % size};
}

template <unsigned Size, class Parent>
LAB_GROUP thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
    return {};
}
template <class Group>
LAB_GROUP void sync(const Group& group) {
    group.sync();
}

#undef LAB_GROUP

}  // namespace cooperative_groups
