// Locates an address for findings.
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>

#include "common/emulator/machine/demangle.h"
#include "common/emulator/machine/memory.h"

namespace lab::machine {
namespace {

constexpr std::uint64_t null_page = 64 << 10U;
constexpr std::uint64_t far_away = 64 << 20U;  // bytes from an allocation beyond which it can't be the intended one

ObjectKind kind_of(const Allocation& allocation) {
    switch (allocation.kind) {
        case AllocationKind::global:
            return ObjectKind::device_variable;
        case AllocationKind::constant:
            return ObjectKind::constant_variable;
        case AllocationKind::managed:
            return allocation.label.empty() ? ObjectKind::managed_allocation : ObjectKind::managed_variable;
        case AllocationKind::mapped:
            return ObjectKind::pinned_memory;
        case AllocationKind::pinned:
            return ObjectKind::pinned_host_only;
        case AllocationKind::device:
            break;
    }
    return ObjectKind::allocation;
}

Object object_of(const Allocation& allocation) {
    Object object{.kind = kind_of(allocation),
                  .name = demangle(allocation.label),
                  .size = allocation.size,
                  .allocated_at = allocation.where,
                  .freed_at = allocation.freed_where,
                  .is_freed = allocation.freed};
    return object;
}

// Mapping at an address of a process, from the operating system: "the stack", "the heap", "...", or nothing.
std::string host_region(const std::string& process, std::uint64_t address) {
    std::ifstream maps("/proc/" + process + "/maps");
    for (std::string line; std::getline(maps, line);) {
        std::uint64_t begin = 0, end = 0;
        if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64, &begin, &end) != 2 || address < begin || address >= end) continue;
        if (line.find("[stack]") != std::string::npos) return "the stack";
        if (line.find("[heap]") != std::string::npos) return "from new or malloc";
        return line.find('/') != std::string::npos ? "a global variable or code" : "from new or malloc, or a thread's stack";
    }
    return {};
}

}  // namespace

bool Memory::is_host_only(std::uint64_t address) const {
    const Allocation* const known = find_any(address);
    if (known != nullptr) return known->kind == AllocationKind::pinned;
    return !is_reserved(address) && !host_region(program_, address).empty();
}

Location Memory::locate(std::uint64_t address, std::uint64_t size, const Allocation* origin) const {
    Location location{.address = address, .bytes = size};
    const auto seen_from = [&](const Allocation& allocation, Relation relation, std::uint64_t distance) {
        location.object = object_of(allocation);
        location.relation = relation;
        location.distance = distance;
        location.offset = static_cast<std::int64_t>(address - allocation.address);
    };
    if (address < null_page) {
        location.object.kind = ObjectKind::null_pointer;
        return location;
    }
    if (const Allocation* const inside = find_any(address)) {
        const std::uint64_t rest = inside->size - (address - inside->address);
        const bool is_whole = inside->freed || size <= rest;
        seen_from(*inside, is_whole ? Relation::inside : Relation::crosses_end, is_whole ? 0 : size - rest);
        return location;
    }
    if (!is_reserved(address)) {
        location.object.region = host_region(program_, address);
        if (!location.object.region.empty()) {
            location.object.kind = ObjectKind::host_memory;
            return location;
        }
    }
    const auto distance_to = [&](const Allocation& one) {
        return address < one.address ? one.address - address : address - (one.address + one.size);
    };
    if (origin == nullptr) {
        // The nearest allocation on either side, if it is near enough to be the intended one.
        const auto next = allocations_.upper_bound(address);
        if (next != allocations_.begin() && distance_to(std::prev(next)->second) <= far_away) origin = &std::prev(next)->second;
        const std::uint64_t nearest = origin == nullptr ? far_away : distance_to(*origin);
        if (next != allocations_.end() && distance_to(next->second) < nearest) origin = &next->second;
    }
    if (origin != nullptr)
        seen_from(*origin, address < origin->address ? Relation::before_start : Relation::past_end, distance_to(*origin));
    return location;
}

}  // namespace lab::machine
