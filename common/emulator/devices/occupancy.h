// How many blocks of a kernel an SM can hold at a time, and which resource says so.
#pragma once

#include <cstdint>

#include "common/emulator/devices/device.h"

namespace lab::devices {

struct KernelNeeds {
    std::uint32_t threads = 0;       // a block
    std::uint32_t registers = 0;     // a thread
    std::uint32_t shared_bytes = 0;  // a block, static and dynamic
};

enum class Limit : std::uint8_t { none, threads, blocks, registers, shared };

struct Occupancy {
    std::uint32_t blocks = 0;  // an SM
    std::uint32_t warps = 0;   // an SM
    std::uint32_t max_warps = 0;
    Limit limit = Limit::none;  // the resource that is used up first; `none` when the kernel can't run at all
    // What each resource alone would allow.
    std::uint32_t by_threads = 0, by_blocks = 0, by_registers = 0, by_shared = 0;
    std::uint32_t registers_taken = 0, shared_taken = 0;  // by a block, rounded up as the device does
    [[nodiscard]] double fraction() const { return max_warps == 0 ? 0 : static_cast<double>(warps) / max_warps; }
};

// Rules: CUDA's occupancy calculator, by the device's own units of allocation.
[[nodiscard]] Occupancy occupancy(const Device& device, const KernelNeeds& needs);

}  // namespace lab::devices
