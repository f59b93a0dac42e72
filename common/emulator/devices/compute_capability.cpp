// Sources. 1.0 to 3.5: the tables of NVIDIA's spreadsheet CUDA_Occupancy_calculator.xls and "Technical Specifications per Compute
// Capability" of the CUDA C Programming Guide, versions 3 to 8. 3.7 and later: that table in later versions, CCCL's
// cuda::arch_traits from 6.0 on, and the toolkit's cuda_occupancy.h, against which occupancy_reference_test.cpp checks all from 3.0 on.
// Results of fp32 and of special functions a clock: "Throughput of Native Arithmetic Instructions" of the same guide.
#include "common/emulator/devices/compute_capability.h"

#include <array>

namespace lab::devices {
namespace {

struct Row {
    int major, minor;
    std::uint32_t threads_per_sm, blocks_per_sm;
    std::uint32_t registers_per_sm, registers_per_block;  // in 1024
    std::uint32_t registers_per_thread;
    std::uint32_t shared_per_sm, shared_optin;  // KiB; maximum per block after cudaFuncSetAttribute, 0: no more than without
    double fp32_per_clock, special_per_clock;
};

constexpr std::array<Row, 31> rows{{
    {1, 0, 768, 8, 8, 8, 124, 16, 0, 8, 2},
    {1, 1, 768, 8, 8, 8, 124, 16, 0, 8, 2},
    {1, 2, 1024, 8, 16, 16, 124, 16, 0, 8, 2},
    {1, 3, 1024, 8, 16, 16, 124, 16, 0, 8, 2},
    {2, 0, 1536, 8, 32, 32, 63, 48, 0, 32, 4},
    {2, 1, 1536, 8, 32, 32, 63, 48, 0, 48, 8},
    {3, 0, 2048, 16, 64, 64, 63, 48, 0, 192, 32},
    {3, 2, 2048, 16, 64, 32, 255, 48, 0, 192, 32},
    {3, 5, 2048, 16, 64, 64, 255, 48, 0, 192, 32},
    {3, 7, 2048, 16, 128, 64, 255, 112, 0, 192, 32},
    {5, 0, 2048, 32, 64, 64, 255, 64, 0, 128, 32},
    {5, 2, 2048, 32, 64, 64, 255, 96, 0, 128, 32},
    {5, 3, 2048, 32, 64, 32, 255, 64, 0, 128, 32},
    {6, 0, 2048, 32, 64, 64, 255, 64, 0, 64, 16},
    {6, 1, 2048, 32, 64, 64, 255, 96, 0, 128, 32},
    {6, 2, 2048, 32, 64, 32, 255, 64, 0, 128, 32},
    {7, 0, 2048, 32, 64, 64, 255, 96, 96, 64, 16},
    {7, 2, 2048, 32, 64, 64, 255, 96, 96, 64, 16},
    {7, 5, 1024, 16, 64, 64, 255, 64, 64, 64, 16},
    {8, 0, 2048, 32, 64, 64, 255, 164, 163, 64, 16},
    {8, 6, 1536, 16, 64, 64, 255, 100, 99, 128, 16},
    {8, 7, 1536, 16, 64, 64, 255, 164, 163, 128, 16},
    {8, 8, 1536, 16, 64, 64, 255, 100, 99, 128, 16},
    {8, 9, 1536, 24, 64, 64, 255, 100, 99, 128, 16},
    {9, 0, 2048, 32, 64, 64, 255, 228, 227, 128, 16},
    {10, 0, 2048, 32, 64, 64, 255, 228, 227, 128, 16},
    {10, 1, 1536, 24, 64, 64, 255, 228, 227, 128, 16},  // 11.0 since CUDA 13
    {10, 3, 2048, 32, 64, 64, 255, 228, 227, 128, 16},
    {11, 0, 1536, 24, 64, 64, 255, 228, 227, 128, 16},
    {12, 0, 1536, 24, 64, 64, 255, 100, 99, 128, 16},
    {12, 1, 1536, 24, 64, 64, 255, 100, 99, 128, 16},
}};

// {register unit, per block, warp rounding, shared memory unit, reserved shared memory, checked warps}
Allocation allocation_of(const Row& row) {
    if (row.major == 1) return {row.minor < 2 ? 256U : 512U, true, 2, 512, 0, 2};
    if (row.major == 2) return {64, false, 2, 128, 0, 2};
    if (row.major == 6 && row.minor == 0) return {256, false, 2, 256, 0, 4};  // two schedulers; checked like its relatives with four
    if (row.major < 8) return {256, false, 4, 256, 0, 4};
    return {256, false, 4, 128, 1024, 4};
}

std::string spelled(const Row& row) { return std::to_string(row.major) + "." + std::to_string(row.minor); }

Device limits_in(const Row& row) {
    Device device{.id = "cc" + spelled(row), .name = "compute capability " + spelled(row), .major = row.major, .minor = row.minor};
    if (row.major == 1) {
        device.max_threads_per_block = device.max_block[0] = device.max_block[1] = 512;
        device.max_grid[2] = 1;
    }
    if (row.major < 3) device.max_grid[0] = 65535;
    device.max_threads_per_sm = row.threads_per_sm;
    device.max_blocks_per_sm = row.blocks_per_sm;
    device.registers_per_sm = row.registers_per_sm * 1024;
    device.registers_per_block = row.registers_per_block * 1024;
    device.max_registers_per_thread = row.registers_per_thread;
    device.shared_per_sm = row.shared_per_sm * 1024;
    if (row.major == 1) device.shared_per_block = 16 * 1024;
    device.shared_per_block_optin = row.shared_optin * 1024;
    device.allocation = allocation_of(row);
    device.fp32_per_clock = row.fp32_per_clock;
    device.special_per_clock = row.special_per_clock;
    return device;
}

}  // namespace

std::optional<Device> limits_of(int major, int minor) {
    for (const Row& row : rows) {
        if (row.major == major && row.minor == minor) return limits_in(row);
    }
    return std::nullopt;
}

std::optional<Device> limits_of(const std::string& capability) {
    for (const Row& row : rows) {
        if (spelled(row) == capability) return limits_in(row);
    }
    return std::nullopt;
}

std::vector<std::string> known_capabilities() {
    std::vector<std::string> known;
    known.reserve(rows.size());
    for (const Row& row : rows) known.push_back(spelled(row));
    return known;
}

}  // namespace lab::devices
