// Kernel launches: <<<>>> and cudaLaunchKernel. A launch runs to its end inside the call, unless the kernel may wait for the host
// (kernel_run.h); a later call reports its faults.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <utility>

#include "common/emulator/devices/occupancy.h"
#include "common/emulator/machine/demangle.h"
#include "common/emulator/server/api.h"
#include "common/emulator/server/call.h"
#include "common/emulator/server/kernel_run.h"
#include "common/emulator/server/state.h"
#include "common/emulator/timing/time_model.h"

namespace lab::cuda {
namespace {

struct Shape {
    dim3 grid, block;
    std::size_t shared_bytes = 0;  // dynamic
};

// cudaSuccess, or the error with its reason.
struct Verdict {
    cudaError_t error = cudaSuccess;
    std::string why;
};

[[nodiscard]] inline machine::Dim3 to_machine(const dim3& size) { return {size.x, size.y, size.z}; }

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

struct Launch {
    const void* function = nullptr;
    Shape shape;
    std::vector<std::byte> parameters;
    cudaStream_t stream = nullptr;
};

// The allocations that the arguments may point into: each aligned 8-byte word is tried as an address.
std::vector<const machine::Allocation*> pointed_to(const std::vector<std::byte>& parameters, const machine::Memory& memory) {
    std::vector<const machine::Allocation*> found;
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= parameters.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, parameters.data() + at, sizeof word);
        const machine::Allocation* const allocation = memory.find(word);
        if (allocation != nullptr && std::find(found.begin(), found.end(), allocation) == found.end()) found.push_back(allocation);
    }
    return found;
}

std::vector<const machine::Allocation*> shared_with_host(const std::vector<const machine::Allocation*>& allocations) {
    std::vector<const machine::Allocation*> shared;
    for (const machine::Allocation* const allocation : allocations) {
        const auto kind = allocation->kind;
        if (kind == machine::AllocationKind::managed || kind == machine::AllocationKind::mapped) shared.push_back(allocation);
    }
    return shared;
}

machine::LaunchConfig configured(const Launch& launch, const RuntimeState& state) {
    machine::LaunchConfig config{
        .grid = to_machine(launch.shape.grid),
        .block = to_machine(launch.shape.block),
        .dynamic_shared_bytes = static_cast<std::uint32_t>(launch.shape.shared_bytes),
        .max_instructions = state.options.max_instructions != 0 ? state.options.max_instructions : state.device->default_max_instructions,
        .threads = state.is_enough ? 1 : state.options.threads,
        .clock_mhz = static_cast<std::uint64_t>(state.device->clock_mhz),
        .sm_count = state.device->sm_count,
        .checks = state.options.checks,
        .compute_capability = 10 * state.device->major + state.device->minor,
        .order = state.options.order,
        .max_blocks = state.options.max_blocks,
        .counts_by_line = state.options.counts_by_line};
    // Limit for all blocks of the launch.
    constexpr std::size_t max_printed = std::size_t{16} << 20;
    config.is_enough = state.is_enough;
    config.print = [printed = std::size_t{0}](const std::string& text) mutable {
        if (printed < max_printed) say(STDOUT_FILENO, text);
        printed += text.size();
    };
    return config;
}

// Occupancy with estimated registers. If a block doesn't fit with that estimate, the estimate was too high, since the block runs; registers
// are then ignored.
devices::Occupancy occupancy_of(const devices::Device& device, devices::KernelNeeds needs) {
    const devices::Occupancy estimated = devices::occupancy(device, needs);
    if (estimated.blocks != 0) return estimated;
    needs.registers = 0;
    return devices::occupancy(device, needs);
}

// Resident blocks of the device. Registers are ignored: PTX has no register allocation. The devices with partitions hold as many blocks as
// their threads and shared memory allow up to 16 registers a thread, which simple kernels don't exceed.
machine::Partitions partitions_of(const devices::Device& device, std::uint32_t threads, std::uint32_t shared_bytes) {
    if (device.partitions == 0) return {};
    const std::uint64_t blocks = std::max(1U, devices::occupancy(device, {threads, 0, shared_bytes}).blocks);
    return {device.partitions, device.partition_bytes, blocks * device.sm_count};
}

std::string name_of(const void* function) {
    const Unit* const unit = function == nullptr ? nullptr : unit_of_function(function);
    return unit == nullptr ? "a kernel" : machine::demangle(unit->functions.at(function));
}

// The shape as emulator::Options::reshape wants it for this kernel.
Shape reshaped(const Launch& launch, const Unit& unit, const emulator::Reshape& wanted) {
    Shape shape = launch.shape;
    if (wanted.kernel.empty() || machine::plain_name(machine::demangle(unit.functions.at(launch.function))) != wanted.kernel) return shape;
    const auto blocks_over = [](unsigned threads, unsigned block) { return (threads + block - 1) / block; };
    shape.grid.x = blocks_over(shape.grid.x * shape.block.x, wanted.x);
    shape.grid.y = blocks_over(shape.grid.y * shape.block.y, wanted.y);
    shape.block = dim3(wanted.x, wanted.y, shape.block.z);
    return shape;
}

// Records only a program's first launch of a kernel in a shape, and at most so many shapes.
bool is_first_of_shape(RuntimeState& state, const KernelLaunch& launch) {
    constexpr std::size_t max_shapes = 16;
    const machine::Dim3& grid = launch.config.grid;
    const machine::Dim3& block = launch.config.block;
    if (state.recorded_shapes.size() == max_shapes) return false;
    return state.recorded_shapes
        .insert(fmt::format("{} {} {} {} {} {} {}", launch.mangled, grid.x, grid.y, grid.z, block.x, block.y, block.z))
        .second;
}

// A kernel that takes longer, and may be waiting for the host, goes on beside the program.
constexpr std::chrono::milliseconds kernel_patience{500};

KernelLaunch prepared(const Launch& launch, const Unit& unit, const machine::LoadedModule::KernelInfo& kernel, const Call& call) {
    RuntimeState& state = call.state;
    KernelLaunch all{.unit = &unit,
                     .mangled = unit.functions.at(launch.function),
                     .config = configured(launch, state),
                     .stream = launch.stream,
                     .call = call.name(),
                     .where = call.where()};
    all.config.parameters = launch.parameters;
    all.config.parameters.resize(kernel.parameter_bytes);
    all.config.records_accesses = state.options.records_accesses && is_first_of_shape(state, all);
    all.shared_bytes = kernel.static_shared_bytes + all.config.dynamic_shared_bytes;
    const auto threads = static_cast<std::uint32_t>(all.config.block.count());
    all.config.partitions = partitions_of(*state.device, threads, all.shared_bytes);
    all.registers = state.device->major < 2 ? kernel.registers_before_20 : kernel.registers;
    all.occupancy = occupancy_of(*state.device, {threads, all.registers, all.shared_bytes});
    all.shape.grid = all.config.grid;
    all.shape.blocks_per_sm = all.occupancy.blocks;
    all.shape.shared_bytes = all.shared_bytes;
    all.shape.local_bytes = kernel.local_bytes;
    all.shape.is_cold = state.options.is_cold;
    const auto pointed = pointed_to(all.config.parameters, *state.memory);
    for (const machine::Allocation* const allocation : pointed) {
        all.shape.footprint_bytes += allocation->size;
        state.written_allocations.insert(allocation->id);
    }
    all.shared_with_host = shared_with_host(pointed);
    all.config.may_wait_for_host = all.may_meet_host();
    // One stream orders all work; against streams created later, whole allocations are compared.
    all.config.follows_memory = state.options.checks.host && (!state.streams.empty() || !all.shared_with_host.empty());
    if (state.options.samples_traffic || !state.events.empty()) all.sampling = timing::sampling_for(*state.device, all.shape);
    return all;
}

machine::LaunchResult launched_without_end(const Call& call, const std::string& mangled) {
    Finding fault{.kind = FindingKind::endless,
                  .headline = "kernels are launched again and again",
                  .stops = true,
                  .kernel = machine::demangle(mangled)};
    fault.places.push_back({PlaceRole::at, call.where(), {}, {}, {}, {}});
    fault.measured = {{Quantity::launches, static_cast<std::uint64_t>(call.state.counts.launches)},
                      {Quantity::warp_instructions, call.state.instructions},
                      {Quantity::instruction_limit, call.state.options.max_instructions_together}};
    fault.advice = "does the loop around the launch end?";
    machine::LaunchResult result;
    result.fault = std::move(fault);
    return result;
}

// `is_checkable`: the program got the error as a return value, so it could check it.
cudaError_t launch_now(Launch launch, LabCallSite site, bool is_checkable) {
    Call call("kernel launch", site, AfterFault::enqueues);
    if (call.is_refused()) return call.result();
    RuntimeState& state = call.state;
    if (state.watcher.launch_begins) {
        const auto& [grid, block, shared_bytes] = launch.shape;
        state.watcher.launch_begins({launch.function,
                                     {grid.x, grid.y, grid.z},
                                     {block.x, block.y, block.z},
                                     shared_bytes,
                                     launch.parameters,
                                     site.file,
                                     site.line});
    }
    const auto& [grid, block, shared_bytes] = launch.shape;
    call.launches({grid.x, grid.y, grid.z}, {block.x, block.y, block.z});
    const auto refuse = [&](cudaError_t error, const std::string& why) {
        call.fail(error, why);
        state.has_refused_launch = true;
        const std::string reason = why.empty() ? cudaGetErrorString(error) : why;
        if (!is_checkable) state.launch_errors.failed({name_of(launch.function), error, reason, call.where()});
        return error;
    };
    if (state.launches_until_failure != 0 && --state.launches_until_failure == 0) return refuse(cudaErrorLaunchOutOfResources, {});
    if (!state.is_stream(launch.stream)) return refuse(cudaErrorInvalidResourceHandle, "the stream does not exist");
    Unit* const unit = launch.function == nullptr ? nullptr : unit_of_function(launch.function);
    if (unit == nullptr) return refuse(cudaErrorInvalidDeviceFunction, "this is no kernel");
    if (!load(*unit)) return refuse(cudaErrorInvalidPtx, unit->refusal);
    const std::string& mangled = unit->functions.at(launch.function);
    const auto* const kernel = unit->module->kernel(mangled);
    if (kernel == nullptr) return refuse(cudaErrorInvalidDeviceFunction, "the PTX has no kernel " + machine::demangle(mangled));
    launch.shape = reshaped(launch, *unit, state.options.reshape);
    const Verdict verdict = check(launch.function, launch.shape, *kernel, state);
    if (verdict.error != cudaSuccess) return refuse(verdict.error, verdict.why);
    if (state.skips_kernels) return cudaSuccess;

    if (const std::uint64_t most = state.options.max_instructions_together; most != 0 && state.instructions > most) {
        keep_findings(state, launched_without_end(call, mangled));
        return cudaSuccess;
    }
    auto run = std::make_shared<KernelRun>(state, prepared(launch, *unit, *kernel, call));
    if (!run->may_wait_for_host()) {
        run->run();
    } else if (!run->run_beside(kernel_patience)) {
        state.kernel_beside = std::move(run);
        return cudaSuccess;
    }
    run->finish();
    return cudaSuccess;
}

}  // namespace

cudaError_t launch(const void* function, dim3 grid, dim3 block, std::size_t shared_bytes, cudaStream_t stream,
                   std::vector<std::byte> parameters, LabCallSite site) {
    return launch_now({function, {grid, block, shared_bytes}, std::move(parameters), stream}, site, site.file == nullptr);
}

cudaError_t launch_cooperative(LabCallSite site) {
    Call call("cudaLaunchCooperativeKernel", site);
    if (call.is_refused()) return call.result();
    return call.fail(cudaErrorNotSupported, "grids that synchronise are not supported by the emulator");
}

}  // namespace lab::cuda
