// Figures of a GPU: limits for launches, and rates for the time model.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lab::devices {

// Allocation granularity of registers, warps and shared memory.
struct Allocation {
    std::uint32_t register_unit = 256;  // registers are allocated in multiples of this ...
    bool registers_per_block = false;   // ... to a whole block (compute capability 1.x) or to each warp
    std::uint32_t warp_unit = 4;        // warps of a block are rounded up to this
    std::uint32_t shared_unit = 128;    // bytes
    std::uint32_t shared_reserved = 0;  // bytes a block that the system reserves
    std::uint32_t checked_unit = 4;     // a block's registers must fit with its warps rounded up to this
};

struct Device {
    std::string id;        // "h100": what --device takes
    std::string name;      // "NVIDIA H100 80GB HBM3": what cudaGetDeviceProperties says
    std::string found_as;  // device_of() finds the device again by it, from any folder: its id, or its file's absolute path
    int major = 0, minor = 0;

    // Limits. Sizes in bytes.
    std::uint32_t sm_count = 0;
    std::uint32_t max_threads_per_block = 1024;
    std::uint32_t max_block[3] = {1024, 1024, 64};
    std::uint32_t max_grid[3] = {2147483647, 65535, 65535};
    std::uint32_t max_threads_per_sm = 0;
    std::uint32_t max_blocks_per_sm = 0;
    std::uint32_t registers_per_sm = 0;
    std::uint32_t registers_per_block = 0;
    std::uint32_t max_registers_per_thread = 255;
    std::uint32_t shared_per_sm = 0;
    std::uint32_t shared_per_block = 48 * 1024;  // by default
    std::uint32_t shared_per_block_optin = 0;    // after cudaFuncSetAttribute
    std::uint32_t constant_bytes = 64 * 1024;
    std::uint64_t memory_bytes = 0;
    std::uint32_t l2_bytes = 0;         // 0: every transaction of global memory goes to DRAM
    std::uint32_t partitions = 0;       // interleaved partitions of DRAM; 0: a hash spreads addresses evenly
    std::uint32_t partition_bytes = 0;  // consecutive bytes of one partition
    bool has_ecc = true;
    Allocation allocation;

    // Rates.
    double clock_mhz = 0;
    double issue_per_clock = 0;    // warp instructions that an SM issues each clock
    double fp32_per_clock = 0;     // results of 32-bit add, multiply or fma that an SM gives each clock
    double special_per_clock = 0;  // of approximate reciprocals, roots, exponentials, logarithms, sines
    std::uint32_t shared_banks = 32;
    double l1_bytes_per_clock = 0;           // an SM, for the L1 cache and shared memory together
    double conflict_clocks = 0;              // clocks for each bank conflict; 0: those of a wavefront
    std::uint32_t l1_bytes = 0;              // L1 for global loads, since 7.0 together with shared memory; 0: loads bypass L1
    std::uint32_t l1_ways = 0;               // cache lines of a set, which is (address / 128) mod the number of sets; 0: fully associative
    std::uint32_t constant_cache_bytes = 0;  // an SM's constant cache, in cache lines of 64 bytes; 0: every access hits
    std::uint32_t constant_cache_ways = 0;   // as l1_ways
    // L2 of the whole device. A request of loads or stores takes time for its bytes, then for the cache lines that it touches. 0 for
    // stores: the rate of loads; 0 for cache lines: no cost.
    double l2_bytes_per_clock = 0;  // 0: no L2
    double l2_store_bytes_per_clock = 0;
    double l2_load_lines_per_clock = 0;
    double l2_store_lines_per_clock = 0;
    // Number of cache lines with partial sectors that L2 can keep until other stores complete them; and the time of a sector fill beyond
    // that, in picoseconds of the whole device. 0: not modelled.
    double l2_partial_lines = 0;
    double l2_sector_fill_ps = 0;
    // Contended atomics: clocks of each lane that changes the same word, and additional clocks of a request for a sector if L2 served
    // another cache line before it. 0: like other stores.
    double atomic_lane_clocks = 0, atomic_line_change_clocks = 0;
    double memory_clock_mhz = 0;
    std::uint32_t memory_bus_bits = 0;
    double memory_gb_per_s = 0;        // peak, 10^9 bytes
    double memory_efficiency = 0;      // of the peak, for long streams
    double camped_efficiency = 0;      // share of a partition's peak if only that one is accessed; devices with partitions only
    double dram_half_pair_bytes = 0;   // DRAM time, as bytes, of a pair of sectors of which one is accessed; 0: not modelled
    std::uint32_t dram_row_bytes = 0;  // consecutive addresses in open rows of all channels; 0: rows are not modelled
    double dram_row_ns = 0;            // of the whole DRAM, to open another row
    int single_to_double_ratio = 2;

    // Latencies in clocks: of a dependent instruction, of loads, of a barrier, and additional clocks per warp at the barrier. If that of
    // memory is 0, latencies are unknown and waiting costs nothing.
    double instruction_clocks = 0;
    double shared_latency_clocks = 0, l1_latency_clocks = 0, l2_latency_clocks = 0, memory_latency_clocks = 0;
    double barrier_clocks = 0;
    double constant_miss_clocks = 0;  // of a constant that misses in the constant cache

    // Fixed costs, in microseconds, and the rates of copies over the bus, in 10^9 bytes per second.
    double launch_us = 0;                      // time between two events that an empty kernel adds
    double event_us = 0;                       // between two events with nothing between them
    double blocks_per_us = 0;                  // started by the whole device; 0: unknown, no cost
    double block_us = 0, block_us_a_warp = 0;  // from a block's end to the next block's first instruction
    double copy_us = 0;                        // of any copy between host and device
    double pinned_gb_per_s = 0;
    double pageable_gb_per_s = 0;
    double device_copy_us = 0;  // of a copy or memset within the device

    std::uint64_t default_max_instructions = 10'000'000'000;  // watchdog: warp instructions of a launch
};

// All devices that the emulator knows: the files in known/, oldest first.
[[nodiscard]] const std::vector<Device>& all_devices();
// The device that --device names: by id, or by a file of the same form, whose name has a slash or ends in .json. Lives as long as the
// program. Throws BadDevice (device_file.h).
[[nodiscard]] const Device& device_of(std::string_view id_or_file);
// For a message: "gtx280, c1060, h100, h200".
[[nodiscard]] std::string device_ids();

}  // namespace lab::devices
