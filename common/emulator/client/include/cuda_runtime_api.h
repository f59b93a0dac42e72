// Runtime API: host functions with the semantics and errors of NVIDIA's "CUDA Runtime API".
#pragma once

#define __CUDA_RUNTIME_API_H__  // public helper headers test for it

#include "builtin_types.h"
#include "lab/call_site.h"

#define CUDART_VERSION 12040

extern "C" {

// Errors.
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);

// The device.
cudaError_t cudaGetDeviceCount(int* count, LAB_CALL_SITE);
cudaError_t cudaGetDevice(int* device, LAB_CALL_SITE);
cudaError_t cudaSetDevice(int device, LAB_CALL_SITE);
cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags, LAB_CALL_SITE);
cudaError_t cudaSetValidDevices(int* devices, int count, LAB_CALL_SITE);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device, LAB_CALL_SITE);
#define cudaGetDeviceProperties_v2 cudaGetDeviceProperties
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device, LAB_CALL_SITE);
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties, LAB_CALL_SITE);
cudaError_t cudaDeviceSynchronize(LAB_CALL_SITE);
cudaError_t cudaDeviceReset(LAB_CALL_SITE);
cudaError_t cudaThreadSynchronize(LAB_CALL_SITE);
cudaError_t cudaThreadExit(LAB_CALL_SITE);
cudaError_t cudaSetDeviceFlags(unsigned int flags, LAB_CALL_SITE);
cudaError_t cudaGetDeviceFlags(unsigned int* flags, LAB_CALL_SITE);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config, LAB_CALL_SITE);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config, LAB_CALL_SITE);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config, LAB_CALL_SITE);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config, LAB_CALL_SITE);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value, LAB_CALL_SITE);
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit, LAB_CALL_SITE);
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device, LAB_CALL_SITE);
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text, LAB_CALL_SITE);
cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer, LAB_CALL_SITE);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags, LAB_CALL_SITE);
cudaError_t cudaDeviceDisablePeerAccess(int peer, LAB_CALL_SITE);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest, LAB_CALL_SITE);
cudaError_t cudaDriverGetVersion(int* version, LAB_CALL_SITE);
cudaError_t cudaRuntimeGetVersion(int* version, LAB_CALL_SITE);
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes, LAB_CALL_SITE);
cudaError_t cudaProfilerStart(LAB_CALL_SITE);
cudaError_t cudaProfilerStop(LAB_CALL_SITE);

// Memory.
cudaError_t cudaMalloc(void** pointer, size_t size, LAB_CALL_SITE);
cudaError_t cudaFree(void* pointer, LAB_CALL_SITE);
cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream, LAB_CALL_SITE);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream, LAB_CALL_SITE);
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height, LAB_CALL_SITE);
cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent, LAB_CALL_SITE);
cudaError_t cudaMallocHost(void** pointer, size_t size, LAB_CALL_SITE);
cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned int flags, LAB_CALL_SITE);
cudaError_t cudaFreeHost(void* pointer, LAB_CALL_SITE);
cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned int flags, LAB_CALL_SITE);
cudaError_t cudaHostUnregister(void* pointer, LAB_CALL_SITE);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags, LAB_CALL_SITE);
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host, LAB_CALL_SITE);
cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned int flags = cudaMemAttachGlobal, LAB_CALL_SITE);
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t size, int device, cudaStream_t stream = nullptr, LAB_CALL_SITE);
cudaError_t cudaMemAdvise(const void* pointer, size_t size, cudaMemoryAdvise advice, int device, LAB_CALL_SITE);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t size = 0, unsigned int flags = cudaMemAttachSingle,
                                     LAB_CALL_SITE);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer, LAB_CALL_SITE);

cudaError_t cudaMemcpy(void* to, const void* from, size_t size, cudaMemcpyKind kind, LAB_CALL_SITE);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size, cudaMemcpyKind kind, cudaStream_t stream = nullptr, LAB_CALL_SITE);
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind,
                         LAB_CALL_SITE);
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream = nullptr, LAB_CALL_SITE);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters, LAB_CALL_SITE);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream = nullptr, LAB_CALL_SITE);
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t size, LAB_CALL_SITE);
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t size, cudaStream_t stream = nullptr,
                                LAB_CALL_SITE);
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t size, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice, LAB_CALL_SITE);
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t size, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                 LAB_CALL_SITE);
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t size, size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t stream = nullptr, LAB_CALL_SITE);
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t size, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream = nullptr, LAB_CALL_SITE);
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol, LAB_CALL_SITE);
cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol, LAB_CALL_SITE);
cudaError_t cudaMemset(void* pointer, int value, size_t size, LAB_CALL_SITE);
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t size, cudaStream_t stream = nullptr, LAB_CALL_SITE);
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height, LAB_CALL_SITE);
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream = nullptr,
                              LAB_CALL_SITE);
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent, LAB_CALL_SITE);

// Streams and events.
cudaError_t cudaStreamCreate(cudaStream_t* stream, LAB_CALL_SITE);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags, LAB_CALL_SITE);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority, LAB_CALL_SITE);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority, LAB_CALL_SITE);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags, LAB_CALL_SITE);
cudaError_t cudaStreamDestroy(cudaStream_t stream, LAB_CALL_SITE);
cudaError_t cudaStreamSynchronize(cudaStream_t stream, LAB_CALL_SITE);
cudaError_t cudaStreamQuery(cudaStream_t stream, LAB_CALL_SITE);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0, LAB_CALL_SITE);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned int flags, LAB_CALL_SITE);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data, LAB_CALL_SITE);
cudaError_t cudaEventCreate(cudaEvent_t* event, LAB_CALL_SITE);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags, LAB_CALL_SITE);
cudaError_t cudaEventDestroy(cudaEvent_t event, LAB_CALL_SITE);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr, LAB_CALL_SITE);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr, unsigned int flags = 0, LAB_CALL_SITE);
cudaError_t cudaEventQuery(cudaEvent_t event, LAB_CALL_SITE);
cudaError_t cudaEventSynchronize(cudaEvent_t event, LAB_CALL_SITE);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end, LAB_CALL_SITE);

// Kernels.
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared_bytes, cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                                        cudaStream_t stream, LAB_CALL_SITE);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function, LAB_CALL_SITE);
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value, LAB_CALL_SITE);
cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache config, LAB_CALL_SITE);
cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig config, LAB_CALL_SITE);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block_threads, size_t dynamic_shared_bytes,
                                                          LAB_CALL_SITE);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function, int blocks, int block_threads, LAB_CALL_SITE);

// Functions that the compiler calls for <<<>>> and at the start of a program with kernels. Not for other callers.
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0, void* stream = nullptr, LAB_CALL_SITE);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream);

}  // extern "C"

static inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) { return {width, height, depth}; }
static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
static inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width, size_t height) {
    return {pointer, pitch, width, height};
}
