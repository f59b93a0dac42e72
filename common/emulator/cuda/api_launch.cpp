// Kernel launches: <<<>>> and cudaLaunchKernel. A launch runs to its end inside the call; what it did wrong is told later.

#include <cstdio>
#include <cstring>
#include <set>

#include "common/emulator/cuda/call.h"
#include "common/emulator/cuda/faults.h"
#include "common/emulator/devices/time_model.h"
#include "common/emulator/machine/demangle.h"
#include "common/emulator/observers/launch.h"

namespace lab::cuda {
namespace {

struct PendingLaunch {
    dim3 grid, block;
    std::size_t shared_bytes = 0;
    void* stream = nullptr;
    LabCallSite site{nullptr, 0};
};
thread_local std::vector<PendingLaunch> pending;  // between the two halves of <<<>>>
thread_local LabCallSite next_site{nullptr, 0};   // of the <<<>>> whose cudaLaunchKernel comes next

machine::Dim3 to_machine(const dim3& size) { return {size.x, size.y, size.z}; }

std::string text_of(const dim3& size) {
    return "(" + std::to_string(size.x) + ", " + std::to_string(size.y) + ", " + std::to_string(size.z) + ")";
}

struct Launch {
    const void* function = nullptr;
    dim3 grid, block;
    void** arguments = nullptr;
    std::size_t shared_bytes = 0;
    cudaStream_t stream = nullptr;
};

// What the device's limits say of a launch: cudaSuccess, or the error with its reason.
struct Verdict {
    cudaError_t error = cudaSuccess;
    std::string why;
};
Verdict check(const Launch& launch, const machine::LoadedModule::KernelInfo& kernel, const RuntimeState& state) {
    const devices::Device& device = *state.device;
    const std::uint32_t grid[] = {launch.grid.x, launch.grid.y, launch.grid.z};
    const std::uint32_t block[] = {launch.block.x, launch.block.y, launch.block.z};
    for (int i = 0; i < 3; ++i) {
        if (grid[i] == 0 || grid[i] > device.max_grid[i]) {
            return {cudaErrorInvalidConfiguration, "a grid of " + text_of(launch.grid) + " blocks; each number must be from 1 to (" +
                                                       std::to_string(device.max_grid[0]) + ", " + std::to_string(device.max_grid[1]) +
                                                       ", " + std::to_string(device.max_grid[2]) + ")"};
        }
        if (block[i] == 0 || block[i] > device.max_block[i]) {
            return {cudaErrorInvalidConfiguration, "a block of " + text_of(launch.block) + " threads; each number must be from 1 to (" +
                                                       std::to_string(device.max_block[0]) + ", " + std::to_string(device.max_block[1]) +
                                                       ", " + std::to_string(device.max_block[2]) + ")"};
        }
    }
    const std::uint64_t threads = to_machine(launch.block).count();
    if (threads > device.max_threads_per_block) {
        return {cudaErrorInvalidConfiguration, "a block of " + text_of(launch.block) + " has " + std::to_string(threads) +
                                                   " threads; this device allows " + std::to_string(device.max_threads_per_block)};
    }
    if (threads > kernel.max_threads) {
        return {cudaErrorInvalidValue, "a block of " + std::to_string(threads) + " threads; the kernel's __launch_bounds__ allows " +
                                           std::to_string(kernel.max_threads)};
    }
    const auto asked = state.max_dynamic_shared.find(launch.function);
    const std::uint64_t allowed = asked != state.max_dynamic_shared.end()
                                      ? static_cast<std::uint64_t>(asked->second) + kernel.static_shared_bytes
                                      : device.shared_per_block;
    if (launch.shared_bytes + kernel.static_shared_bytes > allowed) {
        return {cudaErrorInvalidValue, std::to_string(kernel.static_shared_bytes) + " bytes of static and " +
                                           std::to_string(launch.shared_bytes) + " of dynamic shared memory; a block may have " +
                                           std::to_string(allowed) + " here"};
    }
    return {};
}

std::vector<std::byte> packed(const machine::LoadedModule::KernelInfo& kernel, void* const* arguments) {
    std::vector<std::byte> bytes(kernel.parameter_bytes);
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        const ptx::Parameter& parameter = kernel.parameters[i];
        std::memcpy(bytes.data() + parameter.offset, arguments[i], parameter.size);
    }
    return bytes;
}

// Bytes of the allocations that the arguments point into: each aligned 8-byte word is tried as an address.
std::uint64_t footprint(const std::vector<std::byte>& parameters, const machine::Memory& memory) {
    std::set<std::uint64_t> seen;
    std::uint64_t total = 0;
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= parameters.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, parameters.data() + at, sizeof word);
        const machine::Allocation* const allocation = memory.find(word);
        if (allocation != nullptr && seen.insert(allocation->address).second) total += allocation->size;
    }
    return total;
}

machine::LaunchConfig configured(const Launch& launch, const RuntimeState& state) {
    machine::LaunchConfig config;
    config.grid = to_machine(launch.grid);
    config.block = to_machine(launch.block);
    config.dynamic_shared_bytes = static_cast<std::uint32_t>(launch.shared_bytes);
    config.max_instructions = state.options.max_instructions != 0 ? state.options.max_instructions : state.device->default_max_instructions;
    config.threads = state.options.threads;
    config.clock_mhz = static_cast<std::uint64_t>(state.device->clock_mhz);
    config.sm_count = state.device->sm_count;
    config.checks = state.options.checks;
    config.order = state.options.order;
    config.print = [](const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); };
    return config;
}

cudaError_t launch_now(const Launch& launch, LabCallSite site) {
    Call call("kernel launch", site, AfterFault::enqueues);
    if (call.is_refused()) return call.result();
    RuntimeState& state = call.state;
    if (state.launches_until_failure != 0 && --state.launches_until_failure == 0) return call.fail(cudaErrorLaunchOutOfResources);
    if (!state.is_stream(launch.stream)) return call.fail(cudaErrorInvalidResourceHandle, "the stream does not exist");
    Unit* const unit = launch.function == nullptr ? nullptr : unit_of_function(launch.function);
    if (unit == nullptr) return call.fail(cudaErrorInvalidDeviceFunction, "this is no kernel");
    if (!load(*unit)) return call.fail(cudaErrorInvalidPtx, unit->refusal);
    const std::string& mangled = unit->functions.at(launch.function);
    const auto* const kernel = unit->module->kernel(mangled);
    if (kernel == nullptr) return call.fail(cudaErrorInvalidDeviceFunction, "the PTX has no kernel " + machine::demangle(mangled));
    const Verdict verdict = check(launch, *kernel, state);
    if (verdict.error != cudaSuccess) return call.fail(verdict.error, verdict.why);

    machine::LaunchConfig config = configured(launch, state);
    config.parameters = packed(*kernel, launch.arguments);
    const std::uint64_t footprint_bytes = footprint(config.parameters, *state.memory);
    carry_managed(Carry::to_device);
    const machine::LaunchResult result = observers::launch(*unit->module, mangled, config, *state.memory);
    carry_managed(Carry::to_host);
    std::fflush(stdout);

    LaunchRecord record;
    record.kernel = machine::demangle(mangled);
    record.mangled = mangled;
    record.grid = config.grid;
    record.block = config.block;
    record.dynamic_shared_bytes = config.dynamic_shared_bytes;
    record.shared_bytes = kernel->static_shared_bytes + config.dynamic_shared_bytes;
    record.counters = result.counters;
    record.device = state.device->id;
    record.where = call.where();
    const devices::LaunchShape shape{config.grid, config.block, record.shared_bytes, kernel->registers, footprint_bytes};
    const devices::TimeEstimate time = devices::modelled(*state.device, result.counters, shape);
    record.modelled_ms = time.ms;
    record.bound = devices::name_of(time.bound);
    state.clock_ms += time.ms;
    ++state.counts.launches;
    if (state.keeps_all_launches) state.all_launches.push_back(record);
    state.launches.push_back(std::move(record));
    keep_faults(state, result);
    return cudaSuccess;
}

}  // namespace
}  // namespace lab::cuda

using namespace lab::cuda;

extern "C" {

unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void* stream, LabCallSite lab_site) {
    pending.push_back({grid, block, shared_bytes, stream, lab_site});
    return 0;  // anything else would skip the launch
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
    if (pending.empty()) return cudaErrorMissingConfiguration;
    const PendingLaunch& top = pending.back();
    *grid = top.grid;
    *block = top.block;
    *shared_bytes = top.shared_bytes;
    *static_cast<void**>(stream) = top.stream;
    next_site = top.site;
    pending.pop_back();
    return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared_bytes, cudaStream_t stream) {
    const LabCallSite site = next_site;
    next_site = {nullptr, 0};
    return launch_now({function, grid, block, arguments, shared_bytes, stream}, site);
}

cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t, LabCallSite lab_site) {
    Call call("cudaLaunchCooperativeKernel", lab_site);
    if (call.is_refused()) return call.result();
    return call.fail(cudaErrorNotSupported, "grids that synchronise are not supported by the emulator");
}

}  // extern "C"
