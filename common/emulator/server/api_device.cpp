// The single device: selection, properties, configuration, synchronisation, reset.
#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>
#include <optional>

#include "common/emulator/client/include/cuda_runtime_api.h"
#include "common/emulator/devices/device.h"
#include "common/emulator/server/api.h"
#include "common/emulator/server/call.h"

namespace lab::cuda {
namespace {

int khz(double mhz) { return static_cast<int>(std::lround(mhz * 1000)); }
int to_int(std::uint64_t value) { return static_cast<int>(std::min<std::uint64_t>(value, INT_MAX)); }

cudaDeviceProp properties_of(const devices::Device& device) {
    // Features by the compute capability that introduced them, as 10 * major + minor (CUDA C++ Programming Guide, "Compute Capabilities").
    const auto has = [&](int since) { return 10 * device.major + device.minor >= since ? 1 : 0; };
    cudaDeviceProp p{};
    std::strncpy(p.name, device.name.c_str(), sizeof p.name - 1);
    std::memcpy(p.uuid.bytes, "lab-emulated-gpu", sizeof p.uuid.bytes);
    p.totalGlobalMem = device.memory_bytes;
    p.sharedMemPerBlock = device.shared_per_block;
    p.regsPerBlock = to_int(device.registers_per_block);
    p.warpSize = 32;
    p.memPitch = INT_MAX;
    p.maxThreadsPerBlock = to_int(device.max_threads_per_block);
    for (int i = 0; i < 3; ++i) {
        p.maxThreadsDim[i] = to_int(device.max_block[i]);
        p.maxGridSize[i] = to_int(device.max_grid[i]);
    }
    p.clockRate = khz(device.clock_mhz);
    p.totalConstMem = device.constant_bytes;
    p.major = device.major;
    p.minor = device.minor;
    p.textureAlignment = p.surfaceAlignment = 512;
    p.texturePitchAlignment = 32;
    p.deviceOverlap = 1;
    p.multiProcessorCount = to_int(device.sm_count);
    p.canMapHostMemory = 1;
    p.computeMode = cudaComputeModeDefault;
    p.concurrentKernels = has(20);
    p.ECCEnabled = device.has_ecc ? 1 : 0;
    p.asyncEngineCount = 1;
    p.unifiedAddressing = has(20);
    p.memoryClockRate = khz(device.memory_clock_mhz);
    p.memoryBusWidth = to_int(device.memory_bus_bits);
    p.l2CacheSize = to_int(device.l2_bytes);
    p.maxThreadsPerMultiProcessor = to_int(device.max_threads_per_sm);
    p.streamPrioritiesSupported = has(35);
    p.globalL1CacheSupported = p.localL1CacheSupported = has(20);
    p.sharedMemPerMultiprocessor = device.shared_per_sm;
    p.regsPerMultiprocessor = to_int(device.registers_per_sm);
    p.managedMemory = has(30);
    p.concurrentManagedAccess = has(60);
    p.singleToDoublePrecisionPerfRatio = device.single_to_double_ratio;
    p.canUseHostPointerForRegisteredMem = 1;
    p.sharedMemPerBlockOptin = std::max(device.shared_per_block, device.shared_per_block_optin);
    p.maxBlocksPerMultiProcessor = to_int(device.max_blocks_per_sm);
    p.reservedSharedMemPerBlock = device.allocation.shared_reserved;
    p.hostRegisterSupported = 1;
    p.memoryPoolsSupported = 0;
    return p;
}

// Attributes by the property that says the same.
template <class Value>
struct AttributeRow {
    cudaDeviceAttr attribute;
    Value cudaDeviceProp::*property;
};
constexpr AttributeRow<int> int_attributes[] = {
    {cudaDevAttrMaxThreadsPerBlock, &cudaDeviceProp::maxThreadsPerBlock},
    {cudaDevAttrWarpSize, &cudaDeviceProp::warpSize},
    {cudaDevAttrMaxRegistersPerBlock, &cudaDeviceProp::regsPerBlock},
    {cudaDevAttrMaxRegistersPerMultiprocessor, &cudaDeviceProp::regsPerMultiprocessor},
    {cudaDevAttrClockRate, &cudaDeviceProp::clockRate},
    {cudaDevAttrGpuOverlap, &cudaDeviceProp::deviceOverlap},
    {cudaDevAttrMultiProcessorCount, &cudaDeviceProp::multiProcessorCount},
    {cudaDevAttrKernelExecTimeout, &cudaDeviceProp::kernelExecTimeoutEnabled},
    {cudaDevAttrIntegrated, &cudaDeviceProp::integrated},
    {cudaDevAttrCanMapHostMemory, &cudaDeviceProp::canMapHostMemory},
    {cudaDevAttrComputeMode, &cudaDeviceProp::computeMode},
    {cudaDevAttrConcurrentKernels, &cudaDeviceProp::concurrentKernels},
    {cudaDevAttrEccEnabled, &cudaDeviceProp::ECCEnabled},
    {cudaDevAttrMemoryClockRate, &cudaDeviceProp::memoryClockRate},
    {cudaDevAttrGlobalMemoryBusWidth, &cudaDeviceProp::memoryBusWidth},
    {cudaDevAttrL2CacheSize, &cudaDeviceProp::l2CacheSize},
    {cudaDevAttrMaxThreadsPerMultiProcessor, &cudaDeviceProp::maxThreadsPerMultiProcessor},
    {cudaDevAttrMaxBlocksPerMultiprocessor, &cudaDeviceProp::maxBlocksPerMultiProcessor},
    {cudaDevAttrAsyncEngineCount, &cudaDeviceProp::asyncEngineCount},
    {cudaDevAttrUnifiedAddressing, &cudaDeviceProp::unifiedAddressing},
    {cudaDevAttrComputeCapabilityMajor, &cudaDeviceProp::major},
    {cudaDevAttrComputeCapabilityMinor, &cudaDeviceProp::minor},
    {cudaDevAttrStreamPrioritiesSupported, &cudaDeviceProp::streamPrioritiesSupported},
    {cudaDevAttrGlobalL1CacheSupported, &cudaDeviceProp::globalL1CacheSupported},
    {cudaDevAttrLocalL1CacheSupported, &cudaDeviceProp::localL1CacheSupported},
    {cudaDevAttrManagedMemory, &cudaDeviceProp::managedMemory},
    {cudaDevAttrConcurrentManagedAccess, &cudaDeviceProp::concurrentManagedAccess},
    {cudaDevAttrSingleToDoublePrecisionPerfRatio, &cudaDeviceProp::singleToDoublePrecisionPerfRatio},
    {cudaDevAttrCanUseHostPointerForRegisteredMem, &cudaDeviceProp::canUseHostPointerForRegisteredMem},
    {cudaDevAttrHostRegisterSupported, &cudaDeviceProp::hostRegisterSupported},
};
constexpr AttributeRow<std::size_t> size_attributes[] = {
    {cudaDevAttrMaxSharedMemoryPerBlock, &cudaDeviceProp::sharedMemPerBlock},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, &cudaDeviceProp::sharedMemPerBlockOptin},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, &cudaDeviceProp::sharedMemPerMultiprocessor},
    {cudaDevAttrReservedSharedMemoryPerBlock, &cudaDeviceProp::reservedSharedMemPerBlock},
    {cudaDevAttrTotalConstantMemory, &cudaDeviceProp::totalConstMem},
    {cudaDevAttrMaxPitch, &cudaDeviceProp::memPitch},
    {cudaDevAttrTextureAlignment, &cudaDeviceProp::textureAlignment},
    {cudaDevAttrTexturePitchAlignment, &cudaDeviceProp::texturePitchAlignment},
    {cudaDevAttrSurfaceAlignment, &cudaDeviceProp::surfaceAlignment},
};
// Along x, y and z.
constexpr AttributeRow<int[3]> axis_attributes[] = {
    {cudaDevAttrMaxBlockDimX, &cudaDeviceProp::maxThreadsDim}, {cudaDevAttrMaxBlockDimY, &cudaDeviceProp::maxThreadsDim},
    {cudaDevAttrMaxBlockDimZ, &cudaDeviceProp::maxThreadsDim}, {cudaDevAttrMaxGridDimX, &cudaDeviceProp::maxGridSize},
    {cudaDevAttrMaxGridDimY, &cudaDeviceProp::maxGridSize},    {cudaDevAttrMaxGridDimZ, &cudaDeviceProp::maxGridSize},
};
// Features that no modelled device has.
constexpr cudaDeviceAttr absent[] = {cudaDevAttrPageableMemoryAccess,
                                     cudaDevAttrCooperativeLaunch,
                                     cudaDevAttrComputePreemptionSupported,
                                     cudaDevAttrHostNativeAtomicSupported,
                                     cudaDevAttrIsMultiGpuBoard,
                                     cudaDevAttrMultiGpuBoardGroupID,
                                     cudaDevAttrPciBusId,
                                     cudaDevAttrPciDeviceId,
                                     cudaDevAttrPciDomainId,
                                     cudaDevAttrTccDriver,
                                     cudaDevAttrClusterLaunch};

// Value of the attribute; nothing for an attribute that doesn't exist.
std::optional<int> attribute_of(const devices::Device& device, cudaDeviceAttr attribute) {
    const cudaDeviceProp properties = properties_of(device);
    const auto is_asked = [&](const auto& row) { return row.attribute == attribute; };
    if (const auto* const row = std::find_if(std::begin(int_attributes), std::end(int_attributes), is_asked);
        row != std::end(int_attributes))
        return properties.*row->property;
    if (const auto* const row = std::find_if(std::begin(size_attributes), std::end(size_attributes), is_asked);
        row != std::end(size_attributes))
        return to_int(properties.*row->property);
    if (const auto* const row = std::find_if(std::begin(axis_attributes), std::end(axis_attributes), is_asked);
        row != std::end(axis_attributes))
        return (properties.*row->property)[(row - std::begin(axis_attributes)) % 3];
    if (std::find(std::begin(absent), std::end(absent), attribute) != std::end(absent)) return 0;
    return std::nullopt;
}

constexpr int device_count = 1;
constexpr int version = CUDART_VERSION;

bool is_device(int device) { return device >= 0 && device < device_count; }

// Defaults of cudaDeviceGetLimit, from an H100.
size_t default_limit(cudaLimit limit) {
    switch (limit) {
        case cudaLimitStackSize:
            return 1024;
        case cudaLimitPrintfFifoSize:
            return 8650752;
        case cudaLimitMallocHeapSize:
            return 8388608;
        case cudaLimitDevRuntimeSyncDepth:
            return 2;
        case cudaLimitDevRuntimePendingLaunchCount:
            return 2048;
        case cudaLimitMaxL2FetchGranularity:
            return 64;
        case cudaLimitPersistingL2CacheSize:
            return 0;
    }
    return 0;
}
bool is_limit(cudaLimit limit) { return limit >= cudaLimitStackSize && limit <= cudaLimitPersistingL2CacheSize; }

// A call that writes one value through a pointer.
template <class T>
cudaError_t give(const char* name, T* to, const T& value, LabCallSite site, AfterFault after = AfterFault::works) {
    Call call(name, site, after);
    if (call.is_refused()) return call.result();
    if (to == nullptr) return call.fail(cudaErrorInvalidValue, "there is no pointer to write to");
    *to = value;
    return cudaSuccess;
}

cudaError_t accept(const char* name, bool is_good, cudaError_t otherwise, LabCallSite site, AfterFault after = AfterFault::tells) {
    Call call(name, site, after);
    if (call.is_refused()) return call.result();
    return is_good ? cudaSuccess : call.fail(otherwise);
}

cudaError_t finish_all(const char* name, LabCallSite site) {
    Call call(name, site);
    call.state.in_flight.finish_all();
    return call.result();
}

}  // namespace

cudaError_t cudaGetDeviceCount(int* count, LabCallSite lab_site) { return give("cudaGetDeviceCount", count, device_count, lab_site); }
cudaError_t cudaGetDevice(int* device, LabCallSite lab_site) { return give("cudaGetDevice", device, 0, lab_site); }
cudaError_t cudaDriverGetVersion(int* to, LabCallSite lab_site) { return give("cudaDriverGetVersion", to, version, lab_site); }
cudaError_t cudaRuntimeGetVersion(int* to, LabCallSite lab_site) { return give("cudaRuntimeGetVersion", to, version, lab_site); }
cudaError_t cudaSetDevice(int device, LabCallSite lab_site) {
    return accept("cudaSetDevice", is_device(device), cudaErrorInvalidDevice, lab_site);
}
cudaError_t cudaInitDevice(int device, unsigned int, unsigned int, LabCallSite lab_site) {
    return accept("cudaInitDevice", is_device(device), cudaErrorInvalidDevice, lab_site);
}
cudaError_t cudaSetValidDevices(int* devices, int count, LabCallSite lab_site) {
    return accept("cudaSetValidDevices", devices != nullptr && count > 0, cudaErrorInvalidValue, lab_site);
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties, LabCallSite lab_site) {
    if (properties == nullptr) device = nullptr;
    return give("cudaChooseDevice", device, 0, lab_site);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device, LabCallSite lab_site) {
    Call call("cudaGetDeviceProperties", lab_site, AfterFault::works);
    if (properties == nullptr) return call.fail(cudaErrorInvalidValue);
    if (!is_device(device)) return call.fail(cudaErrorInvalidDevice, "there is one device, number 0");
    *properties = properties_of(*call.state.device);
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device, LabCallSite lab_site) {
    Call call("cudaDeviceGetAttribute", lab_site, AfterFault::works);
    if (value == nullptr) return call.fail(cudaErrorInvalidValue);
    if (!is_device(device)) return call.fail(cudaErrorInvalidDevice, "there is one device, number 0");
    const auto found = attribute_of(*call.state.device, attribute);
    if (!found) return call.fail(cudaErrorInvalidValue, "unknown attribute");
    *value = *found;
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(LabCallSite lab_site) { return finish_all("cudaDeviceSynchronize", lab_site); }
cudaError_t cudaThreadSynchronize(LabCallSite lab_site) { return finish_all("cudaThreadSynchronize", lab_site); }
cudaError_t cudaDeviceReset(LabCallSite lab_site) {
    Call call("cudaDeviceReset", lab_site, AfterFault::works);
    // Counts, findings and launches stay, since they are still to be reported. Everything on the device goes.
    RuntimeState& state = call.state;
    make_memory(state);
    state.streams.clear();
    state.events.clear();
    state.max_dynamic_shared.clear();
    state.limits.clear();
    state.fault = cudaSuccess;
    state.is_fault_seen = false;
    return cudaSuccess;
}
cudaError_t cudaThreadExit(LabCallSite lab_site) { return cuda::cudaDeviceReset(lab_site); }

cudaError_t cudaSetDeviceFlags(unsigned int flags, LabCallSite lab_site) {
    return accept("cudaSetDeviceFlags", (flags & ~static_cast<unsigned int>(cudaDeviceMask)) == 0, cudaErrorInvalidValue, lab_site);
}
cudaError_t cudaGetDeviceFlags(unsigned int* flags, LabCallSite lab_site) {
    return give<unsigned int>("cudaGetDeviceFlags", flags, cudaDeviceMapHost, lab_site);
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache, LabCallSite lab_site) {
    return accept("cudaDeviceSetCacheConfig", true, cudaSuccess, lab_site);
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config, LabCallSite lab_site) {
    return give("cudaDeviceGetCacheConfig", config, cudaFuncCachePreferNone, lab_site);
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig, LabCallSite lab_site) {
    return accept("cudaDeviceSetSharedMemConfig", true, cudaSuccess, lab_site);
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config, LabCallSite lab_site) {
    return give("cudaDeviceGetSharedMemConfig", config, cudaSharedMemBankSizeFourByte, lab_site);
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value, LabCallSite lab_site) {
    Call call("cudaDeviceSetLimit", lab_site);
    if (call.is_refused()) return call.result();
    if (!is_limit(limit)) return call.fail(cudaErrorInvalidValue, "unknown limit");
    call.state.limits[limit] = value;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit, LabCallSite lab_site) {
    Call call("cudaDeviceGetLimit", lab_site);
    if (call.is_refused()) return call.result();
    if (value == nullptr || !is_limit(limit)) return call.fail(cudaErrorInvalidValue);
    const auto set = call.state.limits.find(limit);
    *value = set != call.state.limits.end() ? set->second : default_limit(limit);
    return cudaSuccess;
}
cudaError_t device_name(bool has_room, int device, LabCallSite lab_site) {
    Call call("cudaDeviceGetPCIBusId", lab_site, AfterFault::works);
    if (!has_room) return call.fail(cudaErrorInvalidValue, "the text needs 13 characters");
    return is_device(device) ? cudaSuccess : call.fail(cudaErrorInvalidDevice);
}
cudaError_t device_of_name(int* device, bool is_known, LabCallSite lab_site) {
    if (!is_known) {
        return accept("cudaDeviceGetByPCIBusId", false, cudaErrorInvalidDevice, lab_site);
    }
    return give("cudaDeviceGetByPCIBusId", device, 0, lab_site);
}

// There is no second device.
cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer, LabCallSite lab_site) {
    if (!is_device(device) || !is_device(peer)) return accept("cudaDeviceCanAccessPeer", false, cudaErrorInvalidDevice, lab_site);
    return give("cudaDeviceCanAccessPeer", can_access, 0, lab_site);
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int, LabCallSite lab_site) {
    const cudaError_t error = is_device(peer) ? cudaErrorPeerAccessUnsupported : cudaErrorInvalidDevice;
    return accept("cudaDeviceEnablePeerAccess", false, error, lab_site);
}
cudaError_t cudaDeviceDisablePeerAccess(int peer, LabCallSite lab_site) {
    const cudaError_t error = is_device(peer) ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice;
    return accept("cudaDeviceDisablePeerAccess", false, error, lab_site);
}
cudaError_t cudaProfilerStart(LabCallSite lab_site) { return accept("cudaProfilerStart", true, cudaSuccess, lab_site); }
cudaError_t cudaProfilerStop(LabCallSite lab_site) { return accept("cudaProfilerStop", true, cudaSuccess, lab_site); }

}  // namespace lab::cuda
