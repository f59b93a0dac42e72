#include "common/emulator/server/allocate.h"

#include <algorithm>

#include "common/emulator/server/peer.h"
#include "common/emulator/server/pointers.h"

namespace lab::cuda {

using machine::Allocation;
using machine::AllocationKind;

namespace {

// Has the program map memory of host and device together.
bool share(const Allocation& allocation) {
    const machine::SharedPages pages = runtime().memory->shared_pages(allocation);
    return peer()->map({wire::Mode::fresh, pages.address, pages.bytes, pages.offset});
}

}  // namespace

cudaError_t allocate(Call& call, void** pointer, size_t size, AllocationKind kind) {
    if (pointer == nullptr) return call.fail(cudaErrorInvalidValue, "there is no pointer to write the address to");
    RuntimeState& state = call.state;
    const Allocation* const before = state.memory->find(to_address(*pointer));
    if (before != nullptr && before->address == to_address(*pointer) && before->id > state.watched_from_id)
        state.lost_pointer = {before->where, call.where()};
    *pointer = nullptr;
    if (state.allocations_until_failure != 0 && --state.allocations_until_failure == 0) return call.fail(cudaErrorMemoryAllocation);
    if (size == 0) return cudaSuccess;
    std::uint64_t address = state.memory->allocate(size, kind, {}, call.where());
    if (address != 0 && kind != AllocationKind::device && !share(*state.memory->find(address))) {
        state.memory->release(address);
        address = 0;
    }
    if (address == 0) {
        return call.fail(cudaErrorMemoryAllocation, std::to_string(size) + " bytes asked for, " +
                                                        std::to_string(state.memory->capacity() - state.memory->used()) + " free");
    }
    *pointer = reinterpret_cast<void*>(address);
    ++state.counts.allocations;
    return cudaSuccess;
}

cudaError_t allocate_flat(const char* name, void** pointer, size_t size, AllocationKind kind, LabCallSite site) {
    Call call(name, site);
    return call.is_refused() ? call.result() : allocate(call, pointer, size, kind);
}

namespace {

// Misuse: freeing a pointer that no live allocation contains.
Misuse not_allocated(const std::string& call, std::uint64_t address, const machine::Memory& memory) {
    const Allocation* const known = memory.find_any(address);
    const std::vector<Location> here{memory.locate(address, 1)};
    if (known != nullptr && known->freed) {
        return {FindingKind::double_free, "the memory is freed twice", here,
                "free each allocation once; setting the pointer to null after it helps"};
    }
    if (memory.is_reserved(address)) {
        return {FindingKind::wrong_free, "the pointer is not an allocation's", here,
                "free the pointer that the allocation gave, unchanged"};
    }
    const bool is_device_call = call.find("Host") == std::string::npos;
    return {FindingKind::pointer_exchanged, "the pointer is ordinary host memory, not an allocation of CUDA's", here,
            is_device_call ? "was the device's pointer meant? Host memory is freed as it was made: free, delete, or not at all"
                           : "only what cudaMallocHost or cudaHostAlloc gave is freed with " + call};
}

}  // namespace

cudaError_t release(Call& call, void* pointer, std::initializer_list<AllocationKind> kinds, const char* other_call) {
    if (pointer == nullptr) return cudaSuccess;
    machine::Memory& memory = *call.state.memory;
    const std::uint64_t address = to_address(pointer);
    const Allocation* const allocation = memory.find(address);
    if (allocation == nullptr) return call.misuse(cudaErrorInvalidValue, not_allocated(call.name(), address, memory));
    const std::vector<Location> here{memory.locate(address, 1)};
    if (allocation->address != address) {
        return call.misuse(cudaErrorInvalidValue, {FindingKind::wrong_free, "the pointer is not the start of an allocation", here,
                                                   "free the pointer that the allocation gave, unchanged"});
    }
    if (std::find(kinds.begin(), kinds.end(), allocation->kind) == kinds.end()) {
        return call.misuse(
            cudaErrorInvalidValue,
            {FindingKind::pointer_exchanged, "this call does not free such memory: free it with " + std::string(other_call), here, {}});
    }
    call.state.in_flight.finish_all();  // freeing waits for the device
    std::vector<machine::SharedPages> gone;
    memory.release(address, call.where(), &gone);
    for (const machine::SharedPages& pages : gone) peer()->map({wire::Mode::gone, pages.address, pages.bytes, pages.offset});
    ++call.state.counts.frees;
    return cudaSuccess;
}

}  // namespace lab::cuda
