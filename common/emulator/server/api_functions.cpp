// Attributes and occupancy of kernels.
#include <algorithm>

#include "common/emulator/devices/occupancy.h"
#include "common/emulator/server/api.h"
#include "common/emulator/server/call.h"

namespace lab::cuda {
namespace {

using KernelInfo = machine::LoadedModule::KernelInfo;

// The kernel behind a host stub; null, with the call failed, if there is none.
const KernelInfo* find_kernel(Call& call, const void* function) {
    Unit* const unit = function == nullptr ? nullptr : unit_of_function(function);
    if (unit == nullptr) {
        call.fail(cudaErrorInvalidDeviceFunction, "this is no kernel");
        return nullptr;
    }
    if (!load(*unit)) {
        call.fail(cudaErrorInvalidPtx, unit->refusal);
        return nullptr;
    }
    const KernelInfo* const kernel = unit->module->kernel(unit->functions.at(function));
    if (kernel == nullptr) call.fail(cudaErrorInvalidDeviceFunction, "the PTX does not have this kernel");
    return kernel;
}

// Maximum dynamic shared memory of a launch of the kernel.
std::uint32_t dynamic_limit(const RuntimeState& state, const void* function, const KernelInfo& kernel) {
    const auto asked = state.max_dynamic_shared.find(function);
    if (asked != state.max_dynamic_shared.end()) return static_cast<std::uint32_t>(asked->second);
    return state.device->shared_per_block - std::min(kernel.static_shared_bytes, state.device->shared_per_block);
}

cudaError_t set_max_dynamic_shared(Call& call, const void* function, const KernelInfo& kernel, int value) {
    const std::uint32_t most = std::max(call.state.device->shared_per_block, call.state.device->shared_per_block_optin);
    if (value < 0 || static_cast<std::uint32_t>(value) + kernel.static_shared_bytes > most) {
        return call.fail(cudaErrorInvalidValue, std::to_string(value) + " bytes beside " + std::to_string(kernel.static_shared_bytes) +
                                                    " static ones; a block of this device can have " + std::to_string(most) + " at most");
    }
    call.state.max_dynamic_shared[function] = value;
    return cudaSuccess;
}

cudaError_t active_blocks(const char* name, int* blocks, const void* function, int threads, size_t shared_bytes, LabCallSite site) {
    Call call(name, site);
    if (call.is_refused()) return call.result();
    if (blocks == nullptr || threads <= 0) return call.fail(cudaErrorInvalidValue);
    const KernelInfo* const kernel = find_kernel(call, function);
    if (kernel == nullptr) return call.result();
    *blocks = 0;
    if (shared_bytes > dynamic_limit(call.state, function, *kernel)) return cudaSuccess;
    const devices::KernelNeeds needs{static_cast<std::uint32_t>(threads), kernel->registers,
                                     kernel->static_shared_bytes + static_cast<std::uint32_t>(shared_bytes)};
    *blocks = static_cast<int>(devices::occupancy(*call.state.device, needs).blocks);
    return cudaSuccess;
}

// A setting without effect in the emulator; only checks that the kernel exists.
cudaError_t only_check(const char* name, const void* function, LabCallSite site) {
    Call call(name, site);
    if (call.is_refused()) return call.result();
    find_kernel(call, function);
    return call.result();
}

}  // namespace

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function, LabCallSite lab_site) {
    Call call("cudaFuncGetAttributes", lab_site);
    if (call.is_refused()) return call.result();
    if (attributes == nullptr) return call.fail(cudaErrorInvalidValue);
    const KernelInfo* const kernel = find_kernel(call, function);
    if (kernel == nullptr) return call.result();
    const lab::devices::Device& device = *call.state.device;
    *attributes = {};
    attributes->sharedSizeBytes = kernel->static_shared_bytes;
    attributes->localSizeBytes = kernel->local_bytes;
    attributes->maxThreadsPerBlock = static_cast<int>(std::min(kernel->max_threads, device.max_threads_per_block));
    attributes->numRegs = static_cast<int>(kernel->registers);
    attributes->ptxVersion = attributes->binaryVersion = device.major * 10 + device.minor;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(dynamic_limit(call.state, function, *kernel));
    attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
    return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value, LabCallSite lab_site) {
    Call call("cudaFuncSetAttribute", lab_site);
    if (call.is_refused()) return call.result();
    const KernelInfo* const kernel = find_kernel(call, function);
    if (kernel == nullptr) return call.result();
    switch (attribute) {
        case cudaFuncAttributeMaxDynamicSharedMemorySize:
            return set_max_dynamic_shared(call, function, *kernel, value);
        case cudaFuncAttributePreferredSharedMemoryCarveout:
            return value >= -1 && value <= 100 ? cudaSuccess : call.fail(cudaErrorInvalidValue, "a carveout is a percentage, or -1");
        case cudaFuncAttributeMax:
            break;
    }
    return call.fail(cudaErrorInvalidValue, "unknown attribute");
}
cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache, LabCallSite lab_site) {
    return only_check("cudaFuncSetCacheConfig", function, lab_site);
}
cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig, LabCallSite lab_site) {
    return only_check("cudaFuncSetSharedMemConfig", function, lab_site);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads, size_t shared_bytes,
                                                          LabCallSite lab_site) {
    return active_blocks("cudaOccupancyMaxActiveBlocksPerMultiprocessor", blocks, function, threads, shared_bytes, lab_site);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function, int blocks, int, LabCallSite lab_site) {
    Call call("cudaOccupancyAvailableDynamicSMemPerBlock", lab_site);
    if (call.is_refused()) return call.result();
    if (bytes == nullptr || blocks <= 0) return call.fail(cudaErrorInvalidValue);
    const KernelInfo* const kernel = find_kernel(call, function);
    if (kernel == nullptr) return call.result();
    const lab::devices::Device& device = *call.state.device;
    const std::uint32_t unit = device.allocation.shared_unit;
    const std::uint32_t share = device.shared_per_sm / static_cast<std::uint32_t>(blocks) / unit * unit;
    const std::uint32_t taken = kernel->static_shared_bytes + device.allocation.shared_reserved;
    *bytes = std::min(share > taken ? share - taken : 0, dynamic_limit(call.state, function, *kernel));
    return cudaSuccess;
}

}  // namespace lab::cuda
