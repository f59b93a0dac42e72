// Allocating and freeing, on the device, on the host, and in between.
#include <algorithm>

#include "common/emulator/cuda/call.h"
#include "common/emulator/cuda/pointers.h"

namespace lab::cuda {
namespace {

using machine::Allocation;
using machine::AllocationKind;

constexpr size_t pitch_unit = 512;  // rows of cudaMallocPitch start at multiples of this (seen on an H100)

cudaError_t allocate(Call& call, void** pointer, size_t size, AllocationKind kind) {
    if (pointer == nullptr) return call.fail(cudaErrorInvalidValue, "there is no pointer to write the address to");
    *pointer = nullptr;
    RuntimeState& state = call.state;
    if (state.allocations_until_failure != 0 && --state.allocations_until_failure == 0) return call.fail(cudaErrorMemoryAllocation);
    if (size == 0) return cudaSuccess;
    const std::uint64_t address = state.memory->allocate(size, kind, {}, call.where());
    if (address == 0) {
        return call.fail(cudaErrorMemoryAllocation, std::to_string(size) + " bytes asked for, " +
                                                        std::to_string(state.memory->capacity() - state.memory->used()) + " free");
    }
    *pointer = reinterpret_cast<void*>(address);
    ++state.counts.allocations;
    return cudaSuccess;
}

// Frees what starts at `pointer`, if it is of one of two kinds; explains what is wrong with it otherwise.
cudaError_t release(Call& call, void* pointer, AllocationKind kind, AllocationKind other_kind, const char* right_call) {
    if (pointer == nullptr) return cudaSuccess;
    machine::Memory& memory = *call.state.memory;
    const std::uint64_t address = to_address(pointer);
    const Allocation* const allocation = memory.find(address);
    if (allocation == nullptr) {
        const std::string what = memory.describe(address, 1);
        const bool is_freed = memory.is_reserved(address) && what.find("freed") != std::string::npos;
        return call.misuse(cudaErrorInvalidValue, (is_freed ? "freed twice: " : "not an allocation: ") + what);
    }
    if (allocation->address != address) {
        return call.misuse(cudaErrorInvalidValue, "not the start of an allocation but " + memory.describe(address, 1));
    }
    if (allocation->kind != kind && allocation->kind != other_kind) {
        return call.misuse(cudaErrorInvalidValue, "the pointer is " + memory.describe(address, 1) + "; free it with " + right_call);
    }
    memory.release(address, call.where());
    ++call.state.counts.frees;
    return cudaSuccess;
}

cudaError_t allocate_flat(const char* name, void** pointer, size_t size, AllocationKind kind, LabCallSite site) {
    Call call(name, site);
    return call.is_refused() ? call.result() : allocate(call, pointer, size, kind);
}

cudaError_t release_device(const char* name, void* pointer, LabCallSite site) {
    Call call(name, site);
    if (call.is_refused()) return call.result();
    return release(call, pointer, AllocationKind::device, AllocationKind::managed, "cudaFreeHost");
}

cudaError_t allocate_pitched(Call& call, void** pointer, size_t* pitch, size_t width, size_t rows) {
    if (pointer == nullptr || pitch == nullptr) return call.fail(cudaErrorInvalidValue);
    *pitch = (width + pitch_unit - 1) / pitch_unit * pitch_unit;
    size_t bytes = 0;
    if (__builtin_mul_overflow(*pitch, rows, &bytes)) return call.fail(cudaErrorMemoryAllocation);
    return allocate(call, pointer, bytes, AllocationKind::device);
}

}  // namespace
}  // namespace lab::cuda

using namespace lab::cuda;

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t size, LabCallSite lab_site) {
    return allocate_flat("cudaMalloc", pointer, size, AllocationKind::device, lab_site);
}
cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t, LabCallSite lab_site) {
    return allocate_flat("cudaMallocAsync", pointer, size, AllocationKind::device, lab_site);
}
cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned int, LabCallSite lab_site) {
    return allocate_flat("cudaMallocManaged", pointer, size, AllocationKind::managed, lab_site);
}
cudaError_t cudaMallocHost(void** pointer, size_t size, unsigned int, LabCallSite lab_site) {
    return allocate_flat("cudaMallocHost", pointer, size, AllocationKind::mapped, lab_site);
}
cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned int flags, LabCallSite lab_site) {
    constexpr unsigned int known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if ((flags & ~known) != 0) {
        Call call("cudaHostAlloc", lab_site);
        return call.is_refused() ? call.result() : call.fail(cudaErrorInvalidValue, "unknown flags");
    }
    return allocate_flat("cudaHostAlloc", pointer, size, AllocationKind::mapped, lab_site);
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
cudaError_t cudaFreeHost(void* pointer, LabCallSite lab_site) {
    Call call("cudaFreeHost", lab_site);
    if (call.is_refused()) return call.result();
    return release(call, pointer, AllocationKind::mapped, AllocationKind::pinned, "cudaFree");
}

cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned int, LabCallSite lab_site) {
    Call call("cudaHostRegister", lab_site);
    if (call.is_refused()) return call.result();
    if (pointer == nullptr || size == 0) return call.fail(cudaErrorInvalidValue);
    if (!call.state.memory->add_host(pointer, size, AllocationKind::mapped, call.where())) {
        return call.fail(cudaErrorHostMemoryAlreadyRegistered);
    }
    return cudaSuccess;
}
cudaError_t cudaHostUnregister(void* pointer, LabCallSite lab_site) {
    Call call("cudaHostUnregister", lab_site);
    if (call.is_refused()) return call.result();
    if (pointer == nullptr) return call.fail(cudaErrorInvalidValue);
    const Pointer what = classify(pointer, *call.state.memory);
    const bool is_registered =
        what.side == Side::both && what.allocation->address == to_address(pointer) && !call.state.memory->is_reserved(to_address(pointer));
    if (!is_registered) return call.fail(cudaErrorHostMemoryNotRegistered);
    call.state.memory->release(to_address(pointer), call.where());
    return cudaSuccess;
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags, LabCallSite lab_site) {
    Call call("cudaHostGetDevicePointer", lab_site);
    if (call.is_refused()) return call.result();
    if (device == nullptr || flags != 0) return call.fail(cudaErrorInvalidValue);
    *device = nullptr;
    const Pointer what = classify(host, *call.state.memory);
    if (what.side != Side::both || what.allocation->kind == AllocationKind::managed) {
        return call.fail(cudaErrorInvalidValue, "the pointer is not page-locked host memory; use cudaHostAlloc or cudaHostRegister");
    }
    *device = host;
    return cudaSuccess;
}
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host, LabCallSite lab_site) {
    Call call("cudaHostGetFlags", lab_site);
    if (call.is_refused()) return call.result();
    if (flags == nullptr || classify(host, *call.state.memory).side != Side::both) return call.fail(cudaErrorInvalidValue);
    *flags = cudaHostAllocMapped;  // all page-locked memory is, where host and device share one address space
    return cudaSuccess;
}

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

// Hints about managed memory: checked, and without effect, as there is only one place for it here.
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

}  // extern "C"
