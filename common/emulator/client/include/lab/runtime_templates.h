// The runtime API's C++ side: typed pointers, symbols and kernels instead of void*.
#pragma once

#include <utility>

#include "cuda_runtime_api.h"

template <class T>
static inline cudaError_t cudaMalloc(T** pointer, size_t size, LAB_CALL_SITE) {
    return ::cudaMalloc(reinterpret_cast<void**>(pointer), size, lab_site);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T** pointer, size_t size, cudaStream_t stream, LAB_CALL_SITE) {
    return ::cudaMallocAsync(reinterpret_cast<void**>(pointer), size, stream, lab_site);
}
template <class T>
static inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height, LAB_CALL_SITE) {
    return ::cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height, lab_site);
}
template <class T>
static inline cudaError_t cudaMallocHost(T** pointer, size_t size, LAB_CALL_SITE) {
    return ::cudaMallocHost(reinterpret_cast<void**>(pointer), size, lab_site);
}
template <class T>
static inline cudaError_t cudaMallocHost(T** pointer, size_t size, unsigned int flags, LAB_CALL_SITE) {
    return ::cudaHostAlloc(reinterpret_cast<void**>(pointer), size, flags, lab_site);
}
template <class T>
static inline cudaError_t cudaHostAlloc(T** pointer, size_t size, unsigned int flags, LAB_CALL_SITE) {
    return ::cudaHostAlloc(reinterpret_cast<void**>(pointer), size, flags, lab_site);
}
template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags, LAB_CALL_SITE) {
    return ::cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags, lab_site);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T** pointer, size_t size, unsigned int flags = cudaMemAttachGlobal, LAB_CALL_SITE) {
    return ::cudaMallocManaged(reinterpret_cast<void**>(pointer), size, flags, lab_site);
}
static inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags, LAB_CALL_SITE) {
    return ::cudaEventCreateWithFlags(event, flags, lab_site);
}

template <class T>
static inline const void* lab_address(const volatile T& symbol) {
    return const_cast<const void*>(static_cast<const volatile void*>(&symbol));
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t size, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice, LAB_CALL_SITE) {
    return ::cudaMemcpyToSymbol(lab_address(symbol), from, size, offset, kind, lab_site);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t size, size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost, LAB_CALL_SITE) {
    return ::cudaMemcpyFromSymbol(to, lab_address(symbol), size, offset, kind, lab_site);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t size, size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = nullptr,
                                                  LAB_CALL_SITE) {
    return ::cudaMemcpyToSymbolAsync(lab_address(symbol), from, size, offset, kind, stream, lab_site);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t size, size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = nullptr,
                                                    LAB_CALL_SITE) {
    return ::cudaMemcpyFromSymbolAsync(to, lab_address(symbol), size, offset, kind, stream, lab_site);
}
template <class T>
static inline cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol, LAB_CALL_SITE) {
    return ::cudaGetSymbolAddress(pointer, lab_address(symbol), lab_site);
}
template <class T>
static inline cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol, LAB_CALL_SITE) {
    return ::cudaGetSymbolSize(size, lab_address(symbol), lab_site);
}

template <class Function>
static inline cudaError_t cudaLaunchKernel(Function* function, dim3 grid, dim3 block, void** arguments, size_t shared_bytes = 0,
                                           cudaStream_t stream = nullptr) {
    return ::cudaLaunchKernel(reinterpret_cast<const void*>(function), grid, block, arguments, shared_bytes, stream);
}
template <class Function>
static inline cudaError_t cudaLaunchCooperativeKernel(Function* function, dim3 grid, dim3 block, void** arguments, size_t shared_bytes = 0,
                                                      cudaStream_t stream = nullptr, LAB_CALL_SITE) {
    return ::cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(function), grid, block, arguments, shared_bytes, stream, lab_site);
}
template <class Function>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Function* function, LAB_CALL_SITE) {
    return ::cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(function), lab_site);
}
template <class Function>
static inline cudaError_t cudaFuncSetAttribute(Function* function, cudaFuncAttribute attribute, int value, LAB_CALL_SITE) {
    return ::cudaFuncSetAttribute(reinterpret_cast<const void*>(function), attribute, value, lab_site);
}
template <class Function>
static inline cudaError_t cudaFuncSetCacheConfig(Function* function, cudaFuncCache config, LAB_CALL_SITE) {
    return ::cudaFuncSetCacheConfig(reinterpret_cast<const void*>(function), config, lab_site);
}
template <class Function>
static inline cudaError_t cudaFuncSetSharedMemConfig(Function* function, cudaSharedMemConfig config, LAB_CALL_SITE) {
    return ::cudaFuncSetSharedMemConfig(reinterpret_cast<const void*>(function), config, lab_site);
}
template <class Function>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function* function, int block_threads,
                                                                        size_t dynamic_shared_bytes, LAB_CALL_SITE) {
    const void* const kernel = reinterpret_cast<const void*>(function);
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_threads, dynamic_shared_bytes, lab_site);
}
template <class Function>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, Function* function, int block_threads,
                                                                                 size_t dynamic_shared_bytes, unsigned int, LAB_CALL_SITE) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_threads, dynamic_shared_bytes, lab_site);
}

// Largest block size of maximum occupancy, and the grid that fills the device with it. `shared_of(threads)` returns the dynamic shared
// memory of a block of that size.
template <class SharedOf, class Function>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, Function* function, SharedOf shared_of,
                                                                         int limit = 0, LAB_CALL_SITE) {
    int device = 0, processors = 0;
    cudaFuncAttributes attributes;
    cudaError_t error = ::cudaGetDevice(&device, lab_site);
    if (error == cudaSuccess) error = ::cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device, lab_site);
    if (error == cudaSuccess) error = ::cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(function), lab_site);
    if (error != cudaSuccess) return error;
    const int most = limit > 0 && limit < attributes.maxThreadsPerBlock ? limit : attributes.maxThreadsPerBlock;
    int best_threads = 0;
    *grid = *block = 0;
    // From the largest block down, by whole warps; the first may end inside a warp, where a limit says so.
    for (int threads = most; threads > 0; threads = (threads - 1) / 32 * 32) {
        int blocks = 0;
        error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reinterpret_cast<const void*>(function), threads,
                                                                shared_of(threads), lab_site);
        if (error != cudaSuccess) return error;
        if (blocks * threads > best_threads) {
            best_threads = blocks * threads;
            *block = threads;
            *grid = blocks * processors;
        }
    }
    return cudaSuccess;
}
template <class Function>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, Function* function, size_t dynamic_shared_bytes = 0,
                                                             int limit = 0, LAB_CALL_SITE) {
    const auto same = [dynamic_shared_bytes](int) { return dynamic_shared_bytes; };
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, function, same, limit, lab_site);
}
template <class Function>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, Function* function,
                                                                      size_t dynamic_shared_bytes = 0, int limit = 0, unsigned int = 0,
                                                                      LAB_CALL_SITE) {
    return cudaOccupancyMaxPotentialBlockSize(grid, block, function, dynamic_shared_bytes, limit, lab_site);
}
