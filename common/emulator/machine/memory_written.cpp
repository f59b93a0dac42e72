// Tracking of written bytes in Memory.
#include <algorithm>

#include "common/emulator/machine/memory.h"

namespace lab::machine {

namespace {

// The part of the allocation that [address, address + size) covers, as offsets.
struct Part {
    std::uint64_t begin = 0, end = 0;
};

Part part_of(const Allocation& allocation, std::uint64_t address, std::uint64_t size) {
    const std::uint64_t begin = address - allocation.address;
    return {begin, std::min(begin + size, allocation.size)};
}

}  // namespace

void Memory::mark_written(std::uint64_t address, std::uint64_t size) {
    const Allocation* const allocation = find(address);
    if (allocation == nullptr || allocation->written == nullptr) return;
    const Part part = part_of(*allocation, address, size);
    allocation->written->mark(part.begin, part.end);
}

void Memory::forget_written(std::uint64_t address, std::uint64_t size) {
    const Allocation* const allocation = find(address);
    if (allocation == nullptr || allocation->written == nullptr) return;
    const WrittenBytes nothing(size);
    const Part part = part_of(*allocation, address, size);
    allocation->written->copy(part.begin, nothing, 0, part.end - part.begin);
}

void Memory::mark_stored_by_host() {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, allocation] : live_) {
        const bool is_shared = allocation->kind == AllocationKind::managed || allocation->kind == AllocationKind::mapped;
        if (!is_shared || allocation->written == nullptr || allocation->written->complete()) continue;
        constexpr std::uint64_t word = sizeof fresh_pattern;
        const auto* const words = reinterpret_cast<const std::uint32_t*>(allocation->host);
        const auto* const end = words + (allocation->size + word - 1) / word;
        for (const auto* at = words; (at = std::find_if(at, end, [](std::uint32_t one) { return one != fresh_pattern; })) != end;) {
            const auto begin = static_cast<std::uint64_t>(at - words) * word;
            at = std::find(at, end, fresh_pattern);
            allocation->written->mark(begin, std::min(static_cast<std::uint64_t>(at - words) * word, allocation->size));
        }
    }
}

void Memory::copy_written(std::uint64_t to, std::uint64_t from, std::uint64_t size) {
    const Allocation* const target = find(to);
    const Allocation* const source = find(from);
    if (target == nullptr || target->written == nullptr) return;
    if (source == nullptr || source->written == nullptr) return mark_written(to, size);
    const Part at = part_of(*target, to, size);
    target->written->copy(at.begin, *source->written, from - source->address, at.end - at.begin);
}

}  // namespace lab::machine
