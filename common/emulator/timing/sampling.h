// Sampled blocks of a launch, and the traffic that their accesses cause.
#pragma once

#include <cstdint>

#include "common/trace/modelled_time.h"

namespace lab::timing {

// Blocks to sample, and the caches to simulate for them.
struct Sampling {
    std::uint64_t first = 0;   // index of the first sampled block
    std::uint64_t blocks = 0;  // consecutive blocks from `first` on whose DRAM traffic is counted
    // Blocks that share one SM's L1, from `first` on: each SM has every `apart`th of the concurrent blocks.
    std::uint64_t cache_blocks = 0, apart = 1;
    std::uint64_t cache_bytes = 0;  // L1 capacity; 0: loads bypass L1
    std::uint32_t cache_ways = 0;   // associativity; 0: fully associative
    bool whole_lines = false;       // a miss fetches the cache line of 128 bytes, not the sector
    std::uint32_t row_bytes = 0;    // DRAM row; 0: rows are not counted
    bool merges_stores = false;     // L1 merges stores of adjacent warps to one sector
    // L1 constant cache of the same blocks, in cache lines of 64 bytes; 0: not simulated.
    std::uint64_t constant_bytes = 0;
    std::uint32_t constant_ways = 0;
    // Consecutive blocks from `first` on whose footprint is compared with `window_bytes` of L2. `resident`: blocks of the whole device.
    std::uint64_t window_blocks = 0, window_bytes = 0, resident = 0;
};

using trace::PartialSectors;
using trace::SampledTraffic;
using trace::WindowTraffic;

}  // namespace lab::timing
