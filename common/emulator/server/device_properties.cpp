#include "common/emulator/server/device_properties.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>

namespace lab::cuda {
namespace {

int khz(double mhz) { return static_cast<int>(std::lround(mhz * 1000)); }
int to_int(std::uint64_t value) { return static_cast<int>(std::min<std::uint64_t>(value, INT_MAX)); }

}  // namespace

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

namespace {

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

}  // namespace

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

}  // namespace lab::cuda
