// Numbers behind the figures about an SM's resources, issue and bounds: from the emulator's devices and occupancy rules.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/emulator/devices/occupancy.h"

namespace lab::report {

// Issue slots of an SM: the number of the issuing warp, or -1 if none is ready. Every instruction of a warp needs the result of the one
// before, `latency` clocks after its issue; a slot has `clocks` clocks.
[[nodiscard]] std::vector<int> issue_slots(int warps, int latency, int clocks, std::size_t slots);

// Share of one of an SM's resources that its resident blocks take.
struct ResourceUse {
    std::string name;
    std::uint32_t a_block = 0, available = 0;
    bool is_limit = false;
};
struct SmUse {
    devices::Occupancy occupancy;
    std::vector<ResourceUse> resources;  // threads, registers, shared memory
};
// `capability`: "9.0". Throws std::invalid_argument for an unknown one.
[[nodiscard]] SmUse sm_use(const std::string& capability, const devices::KernelNeeds& needs);

// Occupancy, 0 to 1, as one of a kernel's needs changes.
struct OccupancyPoint {
    std::uint32_t value = 0;
    double occupancy = 0;
};
enum class Need : std::uint8_t { threads, registers, shared_bytes };
[[nodiscard]] std::vector<OccupancyPoint> occupancy_curve(const std::string& capability, const devices::KernelNeeds& needs, Need changed);

// The smaller of peak arithmetic and memory-bound rate, in GFLOP/s.
struct Roofline {
    double gb_per_s = 0, gflop_per_s = 0;
    [[nodiscard]] double at(double flop_a_byte) const;
};
// Single precision, a fused multiply-add counted as two; bandwidth of the device's memory.
[[nodiscard]] Roofline roofline_of(const devices::Device& device);
// Arithmetic intensity of a float product in tiles of that side: without tiles (1), a multiplication and an addition per two loads of 4
// bytes.
[[nodiscard]] constexpr double intensity_of_product(int tile) { return tile / 4.0; }

// A level of memory of an H100, its figures as text.
struct MemoryLevel {
    std::string name, size, latency, rate;
};
// Nearest to the lanes first. From the device's file and, for DRAM's latency and L2's rate,
// common/emulator/devices/measured/h100_figures.jsonl.
[[nodiscard]] std::vector<MemoryLevel> memory_levels();

// Units of an SM.
struct SmParts {
    int schedulers = 0, lanes = 0, warps = 0;
    std::uint32_t registers = 0, l1_and_shared_kib = 0, shared_kib = 0;
};
// For compute capability 2.x, or 7.0 and later, where L1 and shared memory are one array.
[[nodiscard]] SmParts sm_parts(const std::string& device);

}  // namespace lab::report
