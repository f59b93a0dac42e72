// What a GPU is, as far as the emulator asks: limits that launches are checked against, and rates that times follow from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lab::devices {

// How one resource is given out to blocks.
struct Allocation {
    std::uint32_t register_unit = 256;  // registers are given out in pieces of this size ...
    bool registers_per_block = false;   // ... to a whole block (compute capability 1.x) or to each warp
    std::uint32_t warp_unit = 4;        // warps of a block are rounded up to this
    std::uint32_t shared_unit = 128;    // bytes
    std::uint32_t shared_reserved = 0;  // bytes a block that the system keeps for itself
    std::uint32_t checked_unit = 4;     // a block's registers must fit with its warps rounded up to this
};

struct Device {
    std::string id;        // "h100": what --device takes
    std::string name;      // "NVIDIA H100 80GB HBM3": what cudaGetDeviceProperties says
    std::string found_as;  // what device_of() takes to find it again, from any folder: its id, or its file's whole path
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
    std::uint32_t shared_per_block = 48 * 1024;  // without asking
    std::uint32_t shared_per_block_optin = 0;    // after cudaFuncSetAttribute
    std::uint32_t constant_bytes = 64 * 1024;
    std::uint64_t memory_bytes = 0;
    std::uint32_t l2_bytes = 0;         // 0: every transaction of global memory goes to DRAM
    std::uint32_t partitions = 0;       // of DRAM, that take addresses in turn; 0: a hash spreads addresses evenly
    std::uint32_t partition_bytes = 0;  // that lie in one before the next has its turn
    bool has_ecc = true;
    Allocation allocation;

    // Rates.
    double clock_mhz = 0;
    double issue_per_clock = 0;    // warp instructions an SM starts each clock
    double fp32_per_clock = 0;     // results of 32-bit add, multiply or fma that an SM gives each clock
    double special_per_clock = 0;  // of approximate reciprocals, roots, exponentials, logarithms, sines
    std::uint32_t shared_banks = 32;
    double l1_bytes_per_clock = 0;  // an SM, for the L1 cache and shared memory together
    double conflict_clocks = 0;     // that each conflict of banks adds; 0: as long as a whole pass takes
    std::uint32_t l1_bytes = 0;     // of the cache for loads from global memory, since 7.0 with shared memory; 0: they go past it
    std::uint32_t l1_ways = 0;      // lines of a set, which is (address / 128) mod the number of sets; 0: any line may lie anywhere
    std::uint32_t constant_cache_bytes = 0;  // an SM's first-level cache of constants, in lines of 64 bytes; 0: it has them all
    std::uint32_t constant_cache_ways = 0;   // as l1_ways
    // The whole device. Loads and stores, by bytes and by the lines of 128 bytes that a request touches: L2 takes the time of both, one
    // after the other. 0: nothing for stores means as loads; for lines, that they cost nothing.
    double l2_bytes_per_clock = 0;  // 0: no L2
    double l2_store_bytes_per_clock = 0;
    double l2_load_lines_per_clock = 0;
    double l2_store_lines_per_clock = 0;
    // Lines of which L2 keeps pieces that were stored in part, until other stores complete them; and what it costs the device, in
    // picoseconds, to fetch the rest of such a piece from memory where it has too many. 0: not looked at.
    double l2_open_lines = 0;
    double l2_mending_ps = 0;
    // Of atomics, where many meet in a line of 128 bytes: what each that changes the same word takes, and how much longer a request for a
    // piece of 32 bytes takes if L2 had another line before it. 0: no longer than other stores.
    double atomic_clocks = 0, atomic_turn_clocks = 0;
    double memory_clock_mhz = 0;
    std::uint32_t memory_bus_bits = 0;
    double memory_gb_per_s = 0;    // peak, 10^9 bytes
    double memory_efficiency = 0;  // of the peak, for long streams
    double camped_efficiency = 0;  // of a partition's peak, when it alone is asked; devices with partitions only
    double dram_piece_bytes = 0;   // of DRAM's time, as bytes: what a pair of pieces takes of which only one is wanted; 0: not looked at
    std::uint32_t dram_row_bytes = 0;  // neighbouring addresses whose rows are open at a time, over all channels; 0: rows aren't looked at
    double dram_row_ns = 0;            // that opening another one takes from the whole DRAM
    int single_to_double_ratio = 2;

    // Latencies, in clocks: from one instruction of a warp to the next that needs its result, of loads, of a barrier (and more for each
    // warp that meets there). Where memory's is 0 nobody knows them, and waiting costs nothing.
    double instruction_clocks = 0;
    double shared_latency_clocks = 0, l1_latency_clocks = 0, l2_latency_clocks = 0, memory_latency_clocks = 0;
    double barrier_clocks = 0, barrier_clocks_a_warp = 0;
    double constant_miss_clocks = 0;  // of a constant that the first-level cache doesn't have, from the next

    // Fixed costs, in microseconds, and the rates of copies over the bus, in 10^9 bytes per second.
    double launch_us = 0;                      // what an empty kernel adds between two events
    double event_us = 0;                       // between two events with nothing between them
    double blocks_per_us = 0;                  // how fast the whole device starts blocks; 0: unknown, and left out
    double block_us = 0, block_us_a_warp = 0;  // from a block's end to its follower's first instruction
    double copy_us = 0;                        // of any copy between host and device
    double pinned_gb_per_s = 0;
    double pageable_gb_per_s = 0;
    double device_copy_us = 0;  // of a copy or memset within the device

    std::uint64_t default_max_instructions = 10'000'000'000;  // warp instructions after which a launch counts as endless
};

// All devices that the emulator knows: the files in known/, oldest first.
[[nodiscard]] const std::vector<Device>& all_devices();
// As --device names one: an id, or a file of the same form, whose name has a slash or ends in .json. Lives as long as the program.
// Throws BadDevice (device_file.h).
[[nodiscard]] const Device& device_of(std::string_view id_or_file);
// For a message: "gtx280, c1060, h100, h200".
[[nodiscard]] std::string device_ids();

}  // namespace lab::devices
