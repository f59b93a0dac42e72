#include "common/emulator/devices/occupancy.h"

#include <algorithm>

namespace lab::devices {
namespace {

constexpr std::uint32_t threads_per_warp = 32;

std::uint32_t round_up(std::uint32_t value, std::uint32_t to) { return (value + to - 1) / to * to; }

// The warps of a block are rounded up only if registers are allocated per block.
std::uint32_t registers_of_block(const Device& device, std::uint32_t warps, std::uint32_t registers) {
    const Allocation& rule = device.allocation;
    if (rule.registers_per_block) return round_up(round_up(warps, rule.warp_unit) * threads_per_warp * registers, rule.register_unit);
    return round_up(registers * threads_per_warp, rule.register_unit) * warps;
}

// Blocks that the register file can hold.
std::uint32_t blocks_by_registers(const Device& device, std::uint32_t warps, std::uint32_t registers) {
    if (registers == 0) return device.max_blocks_per_sm;
    if (registers > device.max_registers_per_thread) return 0;
    const Allocation& rule = device.allocation;
    if (rule.registers_per_block) {
        const std::uint32_t block = registers_of_block(device, warps, registers);
        return block > device.registers_per_block ? 0 : device.registers_per_sm / block;
    }
    // A warp's registers come from its scheduler's part of the register file; there are warp_unit parts.
    const std::uint32_t warp = round_up(registers * threads_per_warp, rule.register_unit);
    if (warp * round_up(warps, rule.checked_unit) > device.registers_per_block) return 0;
    const std::uint32_t warps_held = device.registers_per_sm / rule.warp_unit / warp * rule.warp_unit;
    return warps_held / warps;
}

std::uint32_t shared_of_block(const Device& device, std::uint32_t bytes) {
    return round_up(bytes + device.allocation.shared_reserved, device.allocation.shared_unit);
}

std::uint32_t blocks_by_shared(const Device& device, std::uint32_t bytes) {
    if (bytes > std::max(device.shared_per_block, device.shared_per_block_optin)) return 0;
    const std::uint32_t block = shared_of_block(device, bytes);
    return block == 0 ? device.max_blocks_per_sm : device.shared_per_sm / block;
}

}  // namespace

const char* name_of(Limit limit) {
    switch (limit) {
        case Limit::none:
            break;
        case Limit::threads:
            return "threads";
        case Limit::blocks:
            return "blocks";
        case Limit::registers:
            return "registers";
        case Limit::shared:
            return "shared memory";
    }
    return "nothing fits";
}

Occupancy occupancy(const Device& device, const KernelNeeds& needs) {
    Occupancy result;
    result.max_warps = device.max_threads_per_sm / threads_per_warp;
    if (needs.threads == 0 || needs.threads > device.max_threads_per_block) return result;
    const std::uint32_t warps = (needs.threads + threads_per_warp - 1) / threads_per_warp;
    result.by_threads = result.max_warps / warps;
    result.by_blocks = device.max_blocks_per_sm;
    result.by_registers = blocks_by_registers(device, warps, needs.registers);
    result.by_shared = blocks_by_shared(device, needs.shared_bytes);
    result.registers_taken = registers_of_block(device, warps, needs.registers);
    result.shared_taken = shared_of_block(device, needs.shared_bytes);
    result.blocks = std::min({result.by_threads, result.by_blocks, result.by_registers, result.by_shared});
    result.warps = result.blocks * warps;
    if (result.blocks == 0) return result;
    if (result.blocks == result.by_threads) {
        result.limit = Limit::threads;
    } else if (result.blocks == result.by_shared) {
        result.limit = Limit::shared;
    } else if (result.blocks == result.by_registers) {
        result.limit = Limit::registers;
    } else {
        result.limit = Limit::blocks;
    }
    return result;
}

}  // namespace lab::devices
