#include "common/emulator/server/launch_limits.h"

namespace lab::cuda {
namespace {

std::string text_of(const dim3& size) {
    return "(" + std::to_string(size.x) + ", " + std::to_string(size.y) + ", " + std::to_string(size.z) + ")";
}

// Whether the grid's size is a typical block size (whole warps, more than one thread in the first dimension), so that grid and block may be
// exchanged.
bool would_fit_exchanged(const Shape& shape, const devices::Device& device) {
    constexpr std::uint64_t warp_size = 32;
    const std::uint64_t blocks = to_machine(shape.grid).count();
    return blocks <= device.max_threads_per_block && blocks % warp_size == 0 && shape.grid.x <= device.max_block[0] &&
           shape.grid.y <= device.max_block[1] && shape.grid.z <= device.max_block[2];
}

}  // namespace

Verdict check(const void* function, const Shape& shape, const machine::LoadedModule::KernelInfo& kernel, const RuntimeState& state) {
    const devices::Device& device = *state.device;
    const std::uint32_t grid[] = {shape.grid.x, shape.grid.y, shape.grid.z};
    const std::uint32_t block[] = {shape.block.x, shape.block.y, shape.block.z};
    for (int i = 0; i < 3; ++i) {
        if (grid[i] == 0 || grid[i] > device.max_grid[i]) {
            return {cudaErrorInvalidConfiguration, "a grid of " + text_of(shape.grid) + " blocks; each number must be from 1 to (" +
                                                       std::to_string(device.max_grid[0]) + ", " + std::to_string(device.max_grid[1]) +
                                                       ", " + std::to_string(device.max_grid[2]) + ")"};
        }
        if (block[i] == 0 || block[i] > device.max_block[i]) {
            return {cudaErrorInvalidConfiguration, "a block of " + text_of(shape.block) + " threads; each number must be from 1 to (" +
                                                       std::to_string(device.max_block[0]) + ", " + std::to_string(device.max_block[1]) +
                                                       ", " + std::to_string(device.max_block[2]) + ")"};
        }
    }
    const std::uint64_t threads = to_machine(shape.block).count();
    if (threads > device.max_threads_per_block) {
        return {cudaErrorInvalidConfiguration,
                "a block of " + text_of(shape.block) + " has " + std::to_string(threads) + " threads; this device allows " +
                    std::to_string(device.max_threads_per_block) +
                    (would_fit_exchanged(shape, device) ? "; are grid and block exchanged in <<<grid, block>>>?" : "")};
    }
    if (threads > kernel.max_threads) {
        return {cudaErrorInvalidValue, "a block of " + std::to_string(threads) + " threads; the kernel's __launch_bounds__ allows " +
                                           std::to_string(kernel.max_threads)};
    }
    const auto asked = state.max_dynamic_shared.find(function);
    const std::uint64_t allowed = asked != state.max_dynamic_shared.end()
                                      ? static_cast<std::uint64_t>(asked->second) + kernel.static_shared_bytes
                                      : device.shared_per_block;
    if (shape.shared_bytes + kernel.static_shared_bytes > allowed) {
        return {cudaErrorInvalidValue, std::to_string(kernel.static_shared_bytes) + " bytes of static and " +
                                           std::to_string(shape.shared_bytes) + " of dynamic shared memory; a block may have " +
                                           std::to_string(allowed) + " here"};
    }
    return {};
}

}  // namespace lab::cuda
