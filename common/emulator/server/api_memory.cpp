// Allocation and release of device and managed memory, and queries of pointers.
#include <algorithm>

#include "common/emulator/server/allocate.h"
#include "common/emulator/server/api.h"
#include "common/emulator/server/pointers.h"

namespace lab::cuda {
namespace {

using machine::AllocationKind;

constexpr size_t pitch_unit = 512;  // alignment of rows of cudaMallocPitch (observed on an H100)

cudaError_t release_device(const char* name, void* pointer, LabCallSite site) {
    Call call(name, site);
    if (call.is_refused()) return call.result();
    return release(call, pointer, {AllocationKind::device, AllocationKind::managed}, "cudaFreeHost");
}

cudaError_t allocate_pitched(Call& call, void** pointer, size_t* pitch, size_t width, size_t rows) {
    if (pointer == nullptr || pitch == nullptr) return call.fail(cudaErrorInvalidValue);
    *pitch = (width + pitch_unit - 1) / pitch_unit * pitch_unit;
    size_t bytes = 0;
    if (__builtin_mul_overflow(*pitch, rows, &bytes)) return call.fail(cudaErrorMemoryAllocation);
    return allocate(call, pointer, bytes, AllocationKind::device);
}

}  // namespace

cudaError_t cudaMalloc(void** pointer, size_t size, LabCallSite lab_site) {
    return allocate_flat("cudaMalloc", pointer, size, AllocationKind::device, lab_site);
}
cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t, LabCallSite lab_site) {
    return allocate_flat("cudaMallocAsync", pointer, size, AllocationKind::device, lab_site);
}
cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned int, LabCallSite lab_site) {
    return allocate_flat("cudaMallocManaged", pointer, size, AllocationKind::managed, lab_site);
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height, LabCallSite lab_site) {
    Call call("cudaMallocPitch", lab_site);
    return call.is_refused() ? call.result() : allocate_pitched(call, pointer, pitch, width, height);
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent, LabCallSite lab_site) {
    Call call("cudaMalloc3D", lab_site);
    if (call.is_refused()) return call.result();
    if (pointer == nullptr) return call.fail(cudaErrorInvalidValue);
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    return allocate_pitched(call, &pointer->ptr, &pointer->pitch, extent.width, extent.height * extent.depth);
}

cudaError_t cudaFree(void* pointer, LabCallSite lab_site) { return release_device("cudaFree", pointer, lab_site); }
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t, LabCallSite lab_site) { return release_device("cudaFreeAsync", pointer, lab_site); }
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes, LabCallSite lab_site) {
    Call call("cudaMemGetInfo", lab_site);
    if (call.is_refused()) return call.result();
    if (free_bytes == nullptr || total_bytes == nullptr) return call.fail(cudaErrorInvalidValue);
    const lab::machine::Memory& memory = *call.state.memory;
    *total_bytes = memory.capacity();
    *free_bytes = memory.capacity() - std::min(memory.capacity(), memory.used());
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer, LabCallSite lab_site) {
    Call call("cudaPointerGetAttributes", lab_site);
    if (call.is_refused()) return call.result();
    if (attributes == nullptr) return call.fail(cudaErrorInvalidValue);
    void* const plain = const_cast<void*>(pointer);
    const Pointer what = classify(pointer, *call.state.memory);
    switch (what.side) {
        case Side::device:
            *attributes = {cudaMemoryTypeDevice, 0, plain, nullptr};
            break;
        case Side::both:
            *attributes = {what.allocation->kind == AllocationKind::managed ? cudaMemoryTypeManaged : cudaMemoryTypeHost, 0, plain, plain};
            break;
        case Side::null:
        case Side::host:
        case Side::invalid:
            *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, plain};
            break;
    }
    return cudaSuccess;
}

// Hints about managed memory: checked, but without effect, since the memory never migrates here.
static cudaError_t hint(const char* name, const void* pointer, size_t size, LabCallSite site) {
    Call call(name, site, AfterFault::enqueues);
    if (call.is_refused()) return call.result();
    const Pointer what = classify(pointer, *call.state.memory);
    const bool is_good = what.side == Side::both && what.allocation->kind == AllocationKind::managed && size <= what.rest;
    return is_good ? cudaSuccess : call.fail(cudaErrorInvalidValue, "the range is not managed memory (cudaMallocManaged)");
}
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t size, int, cudaStream_t, LabCallSite lab_site) {
    return hint("cudaMemPrefetchAsync", pointer, size, lab_site);
}
cudaError_t cudaMemAdvise(const void* pointer, size_t size, cudaMemoryAdvise, int, LabCallSite lab_site) {
    return hint("cudaMemAdvise", pointer, size, lab_site);
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void* pointer, size_t size, unsigned int, LabCallSite lab_site) {
    return hint("cudaStreamAttachMemAsync", pointer, size, lab_site);
}

}  // namespace lab::cuda
