#include "common/emulator/server/pointers.h"

namespace lab::cuda {

Pointer classify(const void* pointer, const machine::Memory& memory) {
    if (pointer == nullptr) return {};
    const std::uint64_t address = to_address(pointer);
    const machine::Allocation* const allocation = memory.find(address);
    if (allocation == nullptr) return {memory.is_reserved(address) ? Side::invalid : Side::host, nullptr, 0};
    using machine::AllocationKind;
    const bool is_shared = allocation->kind == AllocationKind::managed || allocation->kind == AllocationKind::mapped ||
                           allocation->kind == AllocationKind::pinned;
    return {is_shared ? Side::both : Side::device, allocation, allocation->address + allocation->size - address};
}

std::byte* host_address(const void* pointer, const Pointer& what) {
    if (what.allocation == nullptr) return nullptr;
    return what.allocation->host + (to_address(pointer) - what.allocation->address);
}

}  // namespace lab::cuda
