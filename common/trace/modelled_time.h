// The modelled time of a launch by its parts, and the sampled traffic that the model takes (handouts/time_model.md).
#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "common/findings/named_enum.h"

namespace lab::trace {

#define LAB_RESOURCES(X)               \
    X(issue, "issue")                  \
    X(arithmetic, "arithmetic")        \
    X(l1, "L1 and shared memory")      \
    X(l2, "L2")                        \
    X(dram, "DRAM")                    \
    X(bus, "bus to the host's memory") \
    X(blocks, "starting blocks")       \
    X(waiting, "latency (too few outstanding loads)")
LAB_NAMED_ENUM(Resource, LAB_RESOURCES)
inline constexpr std::size_t resource_count = names_of(Resource{}).size();

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

struct ModelledTime {
    double launch_ms = 0;
    std::map<Resource, double> resource_ms;  // what each would take alone
    SampledTraffic sample;
};

}  // namespace lab::trace
