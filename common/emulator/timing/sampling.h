// Sampled blocks of a launch, and the traffic that their accesses cause.
#pragma once

#include <array>
#include <cstdint>

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

// Traffic below L2 of as many neighbouring blocks as fill L2, each cache line once.
struct WindowTraffic {
    std::uint64_t blocks = 0;    // 0: not sampled
    bool fills_cache = false;    // false: the footprint of all sampled blocks fits
    std::uint64_t accesses = 0;  // cache lines requested, repeats included
    // Aligned pairs of sectors; index 0: one sector of the pair is touched, 1: both. Loaded; stored with every sector written whole; stored
    // with a sector written in part.
    std::array<std::uint64_t, 2> loaded{}, stored{}, stored_in_part{};
};

// Partial sectors of the first concurrent blocks: cache lines with sectors that no warp stores whole, these sectors, and those that remain
// partial after all these blocks.
struct PartialSectors {
    std::uint64_t blocks = 0, lines = 0, sectors = 0, left = 0;
};

// Traffic of the sampled blocks.
struct SampledTraffic {
    // Loads of the blocks that share L1: sectors and cache lines that requests touch, and those that miss.
    std::uint64_t load_sectors = 0, load_lines = 0, missed_sectors = 0, missed_lines = 0;
    // Load requests, and those that wait for L2: for a sector that they miss, or that another warp's outstanding miss fetches.
    std::uint64_t load_requests = 0, waiting_requests = 0;
    // Stores of those blocks (store_merging.h): sectors that requests touch, sectors that L1 forwards after merging, and partial ones
    // among these.
    std::uint64_t stored_sectors = 0, forwarded_sectors = 0, forwarded_in_part = 0;
    std::uint64_t constant_lines = 0, missed_constant_lines = 0;  // cache lines of 64 bytes
    // DRAM traffic of `blocks` consecutive blocks, from `lines` cache-line accesses: distinct sectors and DRAM rows. 0: not sampled.
    std::uint64_t blocks = 0, lines = 0, distinct_load_sectors = 0, distinct_store_sectors = 0, load_rows = 0, store_rows = 0;
    WindowTraffic window;
    PartialSectors open;
};

}  // namespace lab::timing
