// Invalid combinations of pointers and directions, as observed on an H100: a pointer on the direction's device side must not be ordinary
// host memory; nothing else is checked.
#include "common/emulator/server/copy_rules.h"

#include <algorithm>

#include "common/findings/finding_text.h"

namespace lab::cuda {
namespace {

constexpr const char* name_of(cudaMemcpyKind kind) {
    switch (kind) {
        case cudaMemcpyHostToHost:
            return "cudaMemcpyHostToHost";
        case cudaMemcpyHostToDevice:
            return "cudaMemcpyHostToDevice";
        case cudaMemcpyDeviceToHost:
            return "cudaMemcpyDeviceToHost";
        case cudaMemcpyDeviceToDevice:
            return "cudaMemcpyDeviceToDevice";
        case cudaMemcpyDefault:
            return "cudaMemcpyDefault";
    }
    return "";
}

// The direction that matches the pointers.
const char* fitting_direction(const Ends& ends) {
    const bool to_device = ends.to.what.side == Side::device, from_device = ends.from.what.side == Side::device;
    if (to_device) return from_device ? "cudaMemcpyDeviceToDevice" : "cudaMemcpyHostToDevice";
    return from_device ? "cudaMemcpyDeviceToHost" : "cudaMemcpyHostToHost";
}

Location location_of(const End& end, const machine::Memory& memory, ObjectRole role) {
    Location location = memory.locate(to_address(end.pointer), 1);
    location.role = role;
    return location;
}

std::vector<Location> pointers_of(const Ends& ends, const machine::Memory& memory) {
    return {location_of(ends.to, memory, ObjectRole::destination), location_of(ends.from, memory, ObjectRole::source)};
}

// Host and device ends are exchanged. Either the pointers or the direction may be wrong; the history of the device memory decides: memory
// that was never written isn't meant to be copied out, and a kernel's result is rarely overwritten.
Misuse mirrored(const Ends& ends, cudaMemcpyKind kind, const std::string& what, const RuntimeState& state) {
    const bool says_in = kind == cudaMemcpyHostToDevice;
    const Pointer& device = says_in ? ends.from.what : ends.to.what;
    const bool is_written = state.written_allocations.count(device.allocation->id) != 0;
    const bool means_in = !is_written;
    std::vector<Location> pointers = pointers_of(ends, *state.memory);
    pointers[says_in ? 1 : 0].is_written = is_written;
    if (means_in == says_in) {
        return {FindingKind::pointer_exchanged, what + ": the pointers are exchanged", pointers,
                "the destination comes first: cudaMemcpy(to, from, bytes, direction)"};
    }
    return {FindingKind::wrong_copy_direction, what + ": the direction is wrong", pointers,
            std::string("for these pointers it is ") + fitting_direction(ends)};
}

// The null pointer at one end of a copy. Another allocation that overwrote a pointer may have been meant for this one.
std::string null_end(const std::string& name, const RuntimeState& state) {
    const auto& [first, second] = state.lost_pointer;
    const std::string lost =
        first.is_known() && second.is_known() && !(first == second)
            ? ": line " + std::to_string(second.line) + " allocates into the pointer that line " + std::to_string(first.line) + " has set"
            : "";
    return name + " is the null pointer" + lost;
}

std::optional<Misuse> unusable(const End& end, const RuntimeState& state) {
    const machine::Memory& memory = *state.memory;
    const std::string name = std::string("the ") + end.role;
    const std::uint64_t address = to_address(end.pointer);
    switch (end.what.side) {
        case Side::null:
            return Misuse{FindingKind::failed_call, null_end(name, state), {}, "was it ever allocated, and did that succeed?"};
        case Side::invalid: {
            const machine::Allocation* const known = memory.find_any(address);
            const bool is_freed = known != nullptr && known->freed;
            const std::string what = name + " is " + (is_freed ? "memory that was freed before" : "no memory of the device's");
            return Misuse{is_freed ? FindingKind::use_after_free : FindingKind::wrong_copy_size,
                          what,
                          {memory.locate(address, 1)},
                          is_freed ? "free memory only after its last use" : "check how the pointer was computed"};
        }
        case Side::host:
            return {};
        case Side::device:
        case Side::both:
            break;
    }
    if (end.bytes <= end.what.rest) return {};
    // The runtime's own users name their arrays.
    const machine::Allocation& allocation = *end.what.allocation;
    const bool is_kept = state.watched_from_id != 0 && allocation.id <= state.watched_from_id && allocation.label.empty();
    Location beyond = memory.locate(address, end.bytes);
    beyond.role = ObjectRole::end;
    const std::string allocated = is_kept                       ? ", allocated in an earlier call"
                                  : allocation.where.is_known() ? ", allocated at line " + std::to_string(allocation.where.line)
                                                                : "";
    return Misuse{
        FindingKind::wrong_copy_size,
        name + " is too small: " + std::to_string(end.bytes) + " bytes asked for, " + std::to_string(end.what.rest) + " there" + allocated,
        {beyond},
        "sizes are in bytes: elements * sizeof(element), once"};
}

bool is_host(const End& end) { return end.what.side == Side::host; }

}  // namespace

std::optional<Misuse> objection(const Ends& ends, cudaMemcpyKind kind, const RuntimeState& state) {
    const auto has_no_memory = [](const End& end) { return end.what.side == Side::null || end.what.side == Side::invalid; };
    for (const End& end : {ends.to, ends.from}) {
        if (has_no_memory(end)) return unusable(end, state);
    }
    if (kind != cudaMemcpyDefault) {
        for (const End& end : {ends.to, ends.from}) {
            if (!is_host(end) || !end.should_be_device) continue;
            const std::string what = std::string(name_of(kind)) + ", but the " + end.role + " is host memory";
            if (const Variable* const variable = find_variable(end.pointer).variable; variable != nullptr) {
                return Misuse{FindingKind::pointer_exchanged,
                              what + ": " + variable->name + " is a symbol there, not the variable's address on the device",
                              pointers_of(ends, *state.memory),
                              "cudaMemcpyToSymbol and cudaMemcpyFromSymbol copy to and from it; cudaGetSymbolAddress gives its address"};
            }
            const End& other = end.role == ends.to.role ? ends.from : ends.to;
            if (!other.should_be_device && other.what.side == Side::device) return mirrored(ends, kind, what, state);
            if (other.what.side != Side::device) {
                return Misuse{FindingKind::pointer_exchanged, what, pointers_of(ends, *state.memory),
                              std::string("the ") + end.role + " must be a pointer that cudaMalloc gave"};
            }
            return Misuse{FindingKind::wrong_copy_direction, what, pointers_of(ends, *state.memory),
                          std::string("for these pointers it is ") + fitting_direction(ends)};
        }
    }
    for (const End& end : {ends.to, ends.from}) {
        if (auto misuse = unusable(end, state)) return misuse;
    }
    return {};
}

std::optional<Misuse> contradiction(const Ends& ends, cudaMemcpyKind kind, const RuntimeState& state) {
    if (kind == cudaMemcpyDefault) return {};
    for (const End& end : {ends.to, ends.from}) {
        if (end.should_be_device || end.what.side != Side::device) continue;
        return Misuse{FindingKind::wrong_copy_direction, std::string(name_of(kind)) + ", but the " + end.role + " is device memory",
                      pointers_of(ends, *state.memory),
                      std::string("the direction must be ") + fitting_direction(ends) +
                          "; this goes through only where all memory has one address space"};
    }
    return {};
}

namespace {

// Padding of structures is no gap, so memory is looked at 8 bytes at a time.
std::optional<Misuse> unwritten_parts(const End& from, std::uint64_t width, std::uint64_t height, const machine::Memory& memory) {
    constexpr std::uint64_t step = 8;
    const machine::Allocation& source = *from.what.allocation;
    std::uint64_t count = 0, in_words = 0, first = 0;  // in_words: in steps that are written in part
    for (std::uint64_t row = 0; row < height && !source.written->complete(); ++row) {
        std::uint64_t at = to_address(from.pointer) - source.address + (height == 1 ? 0 : row * ((from.bytes - width) / (height - 1)));
        for (const std::uint64_t end = at + width; at < end; at = at / step * step + step) {
            const std::uint64_t until = std::min(at / step * step + step, end);
            if (source.written->any(at, until)) {
                for (std::uint64_t byte = at; byte < until; ++byte) in_words += source.written->any(byte, byte + 1) ? 0 : 1;
                continue;
            }
            if (count == 0) first = at;
            count += until - at;
        }
    }
    if (count == 0) return {};
    const std::string what = std::to_string(count + in_words) + " of the " + std::to_string(width * height) +
                             " bytes were never written, the first is byte " + std::to_string(first) + " " +
                             to_text(memory.locate(source.address + first, 1)) + "; the host gets what is there";
    return Misuse{FindingKind::uninitialised_read, what, {}, {}, true};
}

}  // namespace

std::optional<Misuse> unwritten_source(const Ends& ends, std::uint64_t width, std::uint64_t height, const RuntimeState& state) {
    const machine::Allocation* const source = ends.from.what.allocation;
    const bool is_out = ends.from.what.side == Side::device && ends.to.what.side != Side::device;
    const bool is_known = state.options.checks.initialisation && !state.has_unfollowed_launch && !state.has_refused_launch;
    if (!is_out || !is_known || source->written == nullptr || state.emptied_allocations.count(source->id) != 0) return {};
    const std::uint64_t begin = to_address(ends.from.pointer) - source->address;
    if (source->written->any(begin, begin + ends.from.bytes))
        return state.explains_misuse ? unwritten_parts(ends.from, width, height, *state.memory) : std::nullopt;
    return Misuse{FindingKind::uninitialised_read,
                  "the source is device memory that nothing has written to yet",
                  {location_of(ends.from, *state.memory, ObjectRole::accessed)},
                  "neither cudaMemcpy, cudaMemset nor a kernel has written there: copy a result out after the launch that makes it"};
}

std::optional<Misuse> objection(const End& end, const RuntimeState& state) {
    if (!is_host(end)) return unusable(end, state);
    return Misuse{FindingKind::pointer_exchanged,
                  "the pointer is host memory",
                  {location_of(end, *state.memory, ObjectRole::accessed)},
                  "give it the device's pointer, or use memset"};
}

Misuse too_wide(std::uint64_t width) {
    return {FindingKind::wrong_copy_size,
            "a row of " + std::to_string(width) + " bytes is wider than the pitch",
            {},
            "width and pitch are both in bytes; the pitch is the distance from row to row"};
}
Misuse beyond_all_memory() {
    return {FindingKind::wrong_copy_size, "the size is beyond all memory", {}, "was a negative number made a size?"};
}
Misuse no_direction() {
    return {FindingKind::wrong_copy_direction,
            "the direction is none of the five of cudaMemcpyKind",
            {},
            "name one, such as cudaMemcpyHostToDevice"};
}

}  // namespace lab::cuda
