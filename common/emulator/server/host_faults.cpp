#include "common/emulator/server/host_faults.h"

#include <array>
#include <cinttypes>
#include <cstdio>

#include "common/emulator/server/pointers.h"
#include "common/findings/finding_text.h"

namespace lab::cuda {
namespace {

// The allocation that starts where free or delete, given its pointer, would read malloc's block header.
const machine::Allocation* freed_as_host_memory(const machine::Memory& memory, std::uint64_t address) {
    if (memory.find_any(address) != nullptr) return nullptr;
    for (const std::uint64_t header : {8U, 16U}) {
        const machine::Allocation* const block = memory.find(address + header);
        if (block != nullptr && block->address == address + header) return block;
    }
    return nullptr;
}

// "your host code used the device pointer 0x10"; a pointer to managed memory is not called a device pointer.
std::string host_access_start(const RuntimeState& state, std::uint64_t address) {
    const machine::Allocation* const allocation = state.memory->find_any(address);
    const bool is_shared = allocation != nullptr &&
                           (allocation->kind == machine::AllocationKind::managed || allocation->kind == machine::AllocationKind::mapped);
    std::array<char, 32> number{};
    std::snprintf(number.data(), number.size(), "%#" PRIx64, address);
    return std::string("your host code used the ") + (is_shared ? "pointer " : "device pointer ") + number.data();
}

}  // namespace

std::string explained_access(const RuntimeState& state, std::uint64_t address, bool is_write) {
    if (const std::string copy = running_copy_text(address); !copy.empty()) return copy + "\n";
    if (!state.memory->is_reserved(address)) return {};
    const bool is_freed = freed_as_host_memory(*state.memory, address) != nullptr;
    const char* const usual = is_write ? "use cudaMemcpy to write there" : "copy it with cudaMemcpy first";
    return host_access_start(state, address) + ": " + to_text(state.memory->locate(address, 1)) + "; " +
           (is_freed ? "was it freed with free or delete? Use cudaFree" : usual) + "\n";
}

std::optional<Finding> host_access_finding(const RuntimeState& state, std::uint64_t address) {
    if (!state.memory->is_reserved(address)) return std::nullopt;
    Finding finding{.kind = FindingKind::host_access, .is_mistake = true};
    const auto allocated_at = [&](const SourceLine& where) {
        if (where.is_known()) finding.places.push_back({PlaceRole::allocated, where, {}, {}, {}, {}});
        return where.is_known() ? "allocated" + at(where) : "";
    };
    const machine::Allocation* const inside = state.memory->find(address);
    if (const machine::Allocation* const block = freed_as_host_memory(*state.memory, address)) {
        const std::string made = allocated_at(block->where);
        finding.headline = "was device memory" + (made.empty() ? "" : " (" + made + ")") + " freed with free or delete? Use cudaFree";
    } else if (inside != nullptr && inside->kind == machine::AllocationKind::device && inside->where.is_known()) {
        finding.headline =
            "your host code used the device pointer " + allocated_at(inside->where) + "; only cudaMemcpy reaches that memory";
    } else {
        Location location = state.memory->locate(address, 1);
        const Object& object = location.object;
        const bool is_pinned = object.kind == ObjectKind::pinned_memory || object.kind == ObjectKind::pinned_host_only;
        finding.headline = object.is_freed && is_pinned ? "your host code used pinned memory after it was freed" + at(object.freed_at)
                                                        : host_access_start(state, address);
        location.role = ObjectRole::host_access;
        finding.locations.push_back(std::move(location));
    }
    return finding;
}

std::string running_copy_text(std::uint64_t address, const HostArray& array) {
    const LatestCall& call = latest_call();
    const auto has = [&](const LatestCall::Range& range) { return address - range.begin < range.bytes; };
    if (!has(call.reads) && !has(call.writes)) return {};
    const bool reads = has(call.reads);
    const LatestCall::Range& range = reads ? call.reads : call.writes;
    std::string said =
        std::string(call.name) + at(place(call.site)) + (reads ? " reads " : " writes ") + std::to_string(range.bytes) + " bytes";
    if (array.name.empty()) return said + " of host memory, which are not all there";
    const bool is_whole = range.begin == array.begin;
    if (!is_whole) said += " from byte " + std::to_string(range.begin - array.begin);
    said += " of " + array.name + ", which has " + std::to_string(array.bytes);
    return said + (is_whole && range.bytes == 2 * array.bytes ? ": is sizeof taken of a pointer, 8, instead of an element?" : "");
}

}  // namespace lab::cuda
