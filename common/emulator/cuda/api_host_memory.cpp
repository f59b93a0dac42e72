// Page-locked host memory: allocation, registration, and its device addresses.
#include "common/emulator/cuda/allocate.h"
#include "common/emulator/cuda/pointers.h"

using namespace lab::cuda;
using lab::machine::AllocationKind;

extern "C" {

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
cudaError_t cudaFreeHost(void* pointer, LabCallSite lab_site) {
    Call call("cudaFreeHost", lab_site);
    if (call.is_refused()) return call.result();
    return release(call, pointer, {AllocationKind::mapped}, "cudaFree");
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
    call.state.in_flight.finish_all();
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
    *flags = cudaHostAllocMapped;  // all page-locked memory is mapped if host and device share one address space
    return cudaSuccess;
}

}  // extern "C"
