// Occupancy: resident blocks of a kernel on an SM, and the resource that limits them.
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
[[nodiscard]] const char* name_of(Limit limit);  // "shared memory"; of `none`: "nothing fits"

struct Occupancy {
    std::uint32_t blocks = 0;  // an SM
    std::uint32_t warps = 0;   // an SM
    std::uint32_t max_warps = 0;
    Limit limit = Limit::none;  // the scarcest resource; `none` if the kernel can't run at all
    // Limit by each resource alone.
    std::uint32_t by_threads = 0, by_blocks = 0, by_registers = 0, by_shared = 0;
    std::uint32_t registers_taken = 0, shared_taken = 0;  // per block, rounded up like the device does
    [[nodiscard]] double fraction() const { return max_warps == 0 ? 0 : static_cast<double>(warps) / max_warps; }
};

// Rules of CUDA's occupancy calculator, with the device's own allocation units.
[[nodiscard]] Occupancy occupancy(const Device& device, const KernelNeeds& needs);

}  // namespace lab::devices
