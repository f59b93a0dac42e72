#include "common/emulator/cuda/device_properties.h"

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
    p.singleToDoublePrecisionPerfRatio = device.single_to_double_ratio;
    p.canUseHostPointerForRegisteredMem = 1;
    p.sharedMemPerBlockOptin = std::max(device.shared_per_block, device.shared_per_block_optin);
    p.maxBlocksPerMultiProcessor = to_int(device.max_blocks_per_sm);
    p.reservedSharedMemPerBlock = device.allocation.shared_reserved;
    p.hostRegisterSupported = 1;
    p.memoryPoolsSupported = 0;
    return p;
}

std::optional<int> attribute_of(const devices::Device& device, cudaDeviceAttr attribute) {
    const cudaDeviceProp p = properties_of(device);
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock:
            return p.maxThreadsPerBlock;
        case cudaDevAttrMaxBlockDimX:
            return p.maxThreadsDim[0];
        case cudaDevAttrMaxBlockDimY:
            return p.maxThreadsDim[1];
        case cudaDevAttrMaxBlockDimZ:
            return p.maxThreadsDim[2];
        case cudaDevAttrMaxGridDimX:
            return p.maxGridSize[0];
        case cudaDevAttrMaxGridDimY:
            return p.maxGridSize[1];
        case cudaDevAttrMaxGridDimZ:
            return p.maxGridSize[2];
        case cudaDevAttrMaxSharedMemoryPerBlock:
            return to_int(p.sharedMemPerBlock);
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
            return to_int(p.sharedMemPerBlockOptin);
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
            return to_int(p.sharedMemPerMultiprocessor);
        case cudaDevAttrReservedSharedMemoryPerBlock:
            return to_int(p.reservedSharedMemPerBlock);
        case cudaDevAttrTotalConstantMemory:
            return to_int(p.totalConstMem);
        case cudaDevAttrWarpSize:
            return p.warpSize;
        case cudaDevAttrMaxPitch:
            return to_int(p.memPitch);
        case cudaDevAttrMaxRegistersPerBlock:
            return p.regsPerBlock;
        case cudaDevAttrMaxRegistersPerMultiprocessor:
            return p.regsPerMultiprocessor;
        case cudaDevAttrClockRate:
            return p.clockRate;
        case cudaDevAttrTextureAlignment:
            return to_int(p.textureAlignment);
        case cudaDevAttrTexturePitchAlignment:
            return to_int(p.texturePitchAlignment);
        case cudaDevAttrSurfaceAlignment:
            return to_int(p.surfaceAlignment);
        case cudaDevAttrGpuOverlap:
            return p.deviceOverlap;
        case cudaDevAttrMultiProcessorCount:
            return p.multiProcessorCount;
        case cudaDevAttrKernelExecTimeout:
            return p.kernelExecTimeoutEnabled;
        case cudaDevAttrIntegrated:
            return p.integrated;
        case cudaDevAttrCanMapHostMemory:
            return p.canMapHostMemory;
        case cudaDevAttrComputeMode:
            return p.computeMode;
        case cudaDevAttrConcurrentKernels:
            return p.concurrentKernels;
        case cudaDevAttrEccEnabled:
            return p.ECCEnabled;
        case cudaDevAttrMemoryClockRate:
            return p.memoryClockRate;
        case cudaDevAttrGlobalMemoryBusWidth:
            return p.memoryBusWidth;
        case cudaDevAttrL2CacheSize:
            return p.l2CacheSize;
        case cudaDevAttrMaxThreadsPerMultiProcessor:
            return p.maxThreadsPerMultiProcessor;
        case cudaDevAttrMaxBlocksPerMultiprocessor:
            return p.maxBlocksPerMultiProcessor;
        case cudaDevAttrAsyncEngineCount:
            return p.asyncEngineCount;
        case cudaDevAttrUnifiedAddressing:
            return p.unifiedAddressing;
        case cudaDevAttrComputeCapabilityMajor:
            return p.major;
        case cudaDevAttrComputeCapabilityMinor:
            return p.minor;
        case cudaDevAttrStreamPrioritiesSupported:
            return p.streamPrioritiesSupported;
        case cudaDevAttrGlobalL1CacheSupported:
            return p.globalL1CacheSupported;
        case cudaDevAttrLocalL1CacheSupported:
            return p.localL1CacheSupported;
        case cudaDevAttrManagedMemory:
            return p.managedMemory;
        case cudaDevAttrSingleToDoublePrecisionPerfRatio:
            return p.singleToDoublePrecisionPerfRatio;
        case cudaDevAttrCanUseHostPointerForRegisteredMem:
            return p.canUseHostPointerForRegisteredMem;
        case cudaDevAttrHostRegisterSupported:
            return p.hostRegisterSupported;
        case cudaDevAttrConcurrentManagedAccess:
        case cudaDevAttrPageableMemoryAccess:
        case cudaDevAttrCooperativeLaunch:
        case cudaDevAttrComputePreemptionSupported:
        case cudaDevAttrHostNativeAtomicSupported:
        case cudaDevAttrIsMultiGpuBoard:
        case cudaDevAttrMultiGpuBoardGroupID:
        case cudaDevAttrPciBusId:
        case cudaDevAttrPciDeviceId:
        case cudaDevAttrPciDomainId:
        case cudaDevAttrTccDriver:
        case cudaDevAttrClusterLaunch:
            return 0;
        default:
            return std::nullopt;
    }
}

}  // namespace lab::cuda
