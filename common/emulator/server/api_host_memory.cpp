// Page-locked host memory: allocation, registration, and its device addresses.
#include <algorithm>
#include <vector>

#include "common/emulator/server/allocate.h"
#include "common/emulator/server/api.h"
#include "common/emulator/server/peer.h"
#include "common/emulator/server/pointers.h"

namespace lab::cuda {
namespace {

using machine::AllocationKind;

bool map_all(const std::vector<machine::SharedPages>& runs, wire::Mode mode) {
    return std::all_of(runs.begin(), runs.end(), [&](const machine::SharedPages& pages) {
        return peer()->map({mode, pages.address, pages.bytes, pages.offset});
    });
}

}  // namespace

cudaError_t cudaMallocHost(void** pointer, size_t size, LabCallSite lab_site) {
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
    std::vector<machine::SharedPages> taken;
    if (!call.state.memory->add_host(to_address(pointer), size, AllocationKind::mapped, call.where(), &taken)) {
        return call.fail(cudaErrorHostMemoryAlreadyRegistered);
    }
    if (map_all(taken, wire::Mode::taken_over)) return cudaSuccess;
    call.state.memory->release(to_address(pointer));
    return call.fail(cudaErrorInvalidValue, "the range is not all memory of the program's");
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
    std::vector<machine::SharedPages> given_back;
    call.state.memory->release(to_address(pointer), call.where(), &given_back);
    map_all(given_back, wire::Mode::given_back);
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

}  // namespace lab::cuda
