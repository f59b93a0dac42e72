#include "common/findings/finding_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "common/findings/finding.h"

namespace lab {
namespace {

std::string or_unknown(const SourceLine& source) { return source.is_known() ? to_text(source) : "an unknown line"; }

// "line 12", "one of lines 10 to 12".
std::string line_of(const Place& place) {
    const SourceLine& at = place.source;
    return at.first_line == 0 ? fmt::format("line {}", at.line) : fmt::format("one of lines {} to {}", at.first_line, at.line);
}

bool is_same_line(const SourceLine& one, const SourceLine& other) { return one.line == other.line && one.file == other.file; }

bool is_of_call(const Finding& finding) { return !finding.call.empty(); }
bool is_access(const Place& place) { return place.role >= PlaceRole::read && place.role <= PlaceRole::atomic_update; }

std::string thread_of(const Place& place) { return to_text(place.thread.value_or(Index{})); }
std::string block_of(const Place& place) { return to_text(place.block.value_or(Index{})); }

const Place* place_with(const Finding& finding, PlaceRole role) {
    const auto found =
        std::find_if(finding.places.begin(), finding.places.end(), [role](const Place& place) { return place.role == role; });
    return found == finding.places.end() ? nullptr : &*found;
}

std::string seen(const Finding& finding) {
    return finding.count == 0 ? "" : fmt::format("; seen {} time{}", finding.count, finding.count == 1 ? "" : "s");
}

// "byte 64 of N_tile in shared memory", "bytes 64 to 67 of N_tile in shared memory", "N_tile in shared memory".
std::string bytes_in_shared_memory(const Location& location) {
    std::string object = (location.object.name.empty() ? "" : location.object.name + " in ") + "shared memory";
    if (location.bytes == 0) return object;
    const auto last = location.offset + static_cast<std::int64_t>(location.bytes) - 1;
    const std::string which =
        location.bytes == 1 ? fmt::format("byte {}", location.offset) : fmt::format("bytes {} to {}", location.offset, last);
    return which + " of " + object;
}

// For accesses to shared and local memory: relative to the block's or thread's whole memory.
std::string in_block_memory(const Location& location) {
    const bool is_shared = location.object.kind == ObjectKind::shared_memory;
    const std::string all =
        fmt::format("the {}'s {} bytes of {}", is_shared ? "block" : "thread", location.object.size, name_of(location.object.kind));
    switch (location.relation) {
        case Relation::before_start:
            return fmt::format("{} bytes before the start of {}", location.distance, all);
        case Relation::inside:
            return fmt::format("offset {} in {}", location.offset, all);
        case Relation::crosses_end:
            return fmt::format("offset {}: {} bytes beyond the end of {}", location.offset, location.distance, all);
        case Relation::past_end:
            break;
    }
    return fmt::format("offset {}: {} past the end of {}", location.offset,
                       location.distance == 0 ? "directly" : fmt::format("{} bytes", location.distance), all);
}

std::vector<std::string> race_evidence(const Finding& race) {
    std::vector<std::string> lines;
    const bool is_shared = race.space == MemorySpace::shared;
    for (const Place& place : race.places) {
        const std::string block = is_shared ? "" : " of block " + block_of(place);
        lines.push_back(fmt::format("{} by thread {}{} at {}", name_of(place.role), thread_of(place), block, or_unknown(place.source)));
    }
    const std::string where = race.locations.empty() ? "the same memory"
                              : is_shared            ? bytes_in_shared_memory(race.locations[0])
                                                     : to_text(race.locations[0]);
    if (is_shared) {
        lines.push_back(fmt::format("both touch {}, {}{}", where, race.advice, seen(race)));
    } else {
        lines.push_back("both touch " + where);
        lines.push_back(race.advice + seen(race));
    }
    return lines;
}

std::string what_the_other_does(const Place& other, const Place& waits) {
    const bool is_same = is_same_line(other.source, waits.source);
    if (other.role == PlaceRole::other_barrier) {
        return is_same ? "waits at another __syncthreads(), on the same line"
                       : "waits at another __syncthreads(), at " + or_unknown(other.source);
    }
    return is_same || !other.source.is_known() ? "went another way" : "went another way and is at " + or_unknown(other.source);
}

// Several threads cause it.
std::vector<std::string> barrier_evidence(const Finding& finding, const Place& waits) {
    const Place& other = finding.places.back();
    const bool is_block_wide = finding.kind == FindingKind::divergent_barrier;
    return {fmt::format("some threads of block {} wait at {} at {}, but thread {} {}", block_of(waits),
                        is_block_wide ? "the __syncthreads()" : "the warp-level operation", or_unknown(waits.source), thread_of(other),
                        what_the_other_does(other, waits)),
            is_block_wide ? "all threads of a block have to reach the same __syncthreads()"
                          : "all threads that the mask names have to reach the same operation"};
}

std::string unwritten_evidence(const Finding& finding) {
    const Location nothing;
    const Location& location = finding.locations.empty() ? nothing : finding.locations[0];
    const bool is_of_host = location.object.kind == ObjectKind::managed_allocation || location.object.kind == ObjectKind::pinned_memory;
    const std::string text = finding.space == MemorySpace::shared
                                 ? bytes_in_shared_memory(location) + ": no thread of the block has written there before"
                             : finding.space == MemorySpace::local
                                 ? "a variable or array of the thread's own that has no value yet"
                                 : to_text(location) + (is_of_host ? ": neither the host" : ": neither cudaMemcpy, cudaMemset") +
                                       " nor a kernel has written there";
    return text + seen(finding);
}

std::vector<std::string> access_evidence(const Finding& finding) {
    std::vector<std::string> lines;
    for (const Location& location : finding.locations) {
        const bool is_of_block = location.object.kind == ObjectKind::shared_memory || location.object.kind == ObjectKind::local_memory;
        lines.push_back(is_of_block ? in_block_memory(location) : fmt::format("address {:#x}: {}", location.address, to_text(location)));
    }
    if (const auto elements = finding.value(Quantity::elements)) {
        lines.push_back(fmt::format("{} elements of {} bytes at once: a wide access (as by float2, float4) or a part of one", *elements,
                                    finding.value(Quantity::access_bytes).value_or(0)));
    }
    if (const auto others = finding.value(Quantity::other_threads))
        lines.push_back(fmt::format("{} more thread{} of the same warp did the same", *others, *others == 1 ? "" : "s"));
    return lines;
}

std::vector<std::string> endless_evidence(const Finding& finding) {
    const std::uint64_t instructions = finding.value(Quantity::warp_instructions).value_or(0);
    if (const auto launches = finding.value(Quantity::launches)) {
        return {fmt::format("{} launches together executed {} warp instructions, more than {} are allowed", *launches, instructions,
                            finding.value(Quantity::instruction_limit).value_or(0)),
                finding.advice};
    }
    if (!finding.details.empty()) return {};
    return {fmt::format("stopped after {} warp instructions; {}", instructions, finding.advice)};
}

std::vector<std::string> host_access_evidence(const Finding& finding) {
    std::vector<std::string> lines;
    for (const Location& location : finding.locations) lines.push_back(to_text(location));
    return lines;
}

std::vector<std::string> kernel_evidence(const Finding& finding) {
    if (finding.kind == FindingKind::race) return race_evidence(finding);
    if (finding.kind == FindingKind::host_access) return host_access_evidence(finding);
    if (const Place* const waits = place_with(finding, PlaceRole::waits)) return barrier_evidence(finding, *waits);
    std::vector<std::string> lines;
    if (!finding.places.empty() && finding.places[0].thread)
        lines.push_back(fmt::format("by thread {} of block {}", thread_of(finding.places[0]), block_of(finding.places[0])));
    std::vector<std::string> more;
    if (finding.kind == FindingKind::uninitialised_read) {
        more = {unwritten_evidence(finding)};
    } else if (finding.kind == FindingKind::endless) {
        more = endless_evidence(finding);
    } else if (const auto mask = finding.value(Quantity::mask)) {
        more = {fmt::format("{} with mask {:#010x}; thread {} is lane {}", finding.operation, *mask,
                            finding.places.empty() ? "" : thread_of(finding.places[0]), finding.value(Quantity::lane).value_or(0))};
    } else {
        more = access_evidence(finding);
    }
    lines.insert(lines.end(), more.begin(), more.end());
    lines.insert(lines.end(), finding.details.begin(), finding.details.end());
    return lines;
}

// Two operations in two streams.
std::vector<std::string> stream_evidence(const Finding& finding) {
    const Place* const later = place_with(finding, PlaceRole::later);
    const Place* const earlier = place_with(finding, PlaceRole::earlier);
    if (later == nullptr || earlier == nullptr) return {};
    const auto line = [](const Place& place) {
        const std::string at = place.source.is_known() ? " at " + to_text(place.source) : "";
        return fmt::format("{}{} is in {}", place.actor, at, place.stream);
    };
    return {line(*later), line(*earlier) + "; nothing makes one wait for the other"};
}

// "200 bytes in 2 allocations, allocated here, were still there at the end".
std::string leak_evidence(const Finding& finding) {
    const std::uint64_t bytes = finding.value(Quantity::leaked_bytes).value_or(0);
    const std::uint64_t allocations = finding.value(Quantity::allocations).value_or(1);
    const std::string in = allocations == 1 ? "" : fmt::format(" in {} allocations", allocations);
    return fmt::format("{} byte{}{}, allocated here, were still there at the end", bytes, bytes == 1 ? "" : "s", in);
}

// A call expects host memory, so the text doesn't say that the device can't access it.
std::string without_reach(Location location) {
    if (location.object.kind == ObjectKind::host_memory) return fmt::format("host memory ({})", location.object.region);
    return to_text(location);
}

std::string call_location(const Location& location, FindingKind kind) {
    switch (location.role) {
        case ObjectRole::destination:
            return "the destination is " + without_reach(location);
        case ObjectRole::source:
            return "the source is " + without_reach(location);
        case ObjectRole::host_access:
            return "the host's access is " + to_text(location);
        case ObjectRole::end:
            break;
        case ObjectRole::accessed: {
            const bool is_inside = kind == FindingKind::wrong_free && location.relation == Relation::inside && location.offset != 0;
            return (kind == FindingKind::stream_race ? "the memory is " : "it is ") + without_reach(location) +
                   (is_inside ? fmt::format(", at byte {}", location.offset) : "");
        }
    }
    constexpr std::string_view inside = "from inside to ";
    const std::string text = to_text(location);
    return "it would end " + (location.relation == Relation::crosses_end ? text.substr(inside.size()) : text);
}

std::vector<std::string> call_evidence(const Finding& finding) {
    std::vector<std::string> lines = stream_evidence(finding);
    if (finding.kind == FindingKind::leak && finding.value(Quantity::leaked_bytes)) lines.push_back(leak_evidence(finding));
    lines.insert(lines.end(), finding.details.begin(), finding.details.end());
    std::vector<std::string> ends;
    for (const Location& location : finding.locations) ends.push_back(call_location(location, finding.kind));
    if (!ends.empty()) lines.push_back(fmt::format("{}", fmt::join(ends, "; ")));
    for (const Location& location : finding.locations) {
        if (!location.is_written) continue;
        lines.push_back(std::string("that device memory ") +
                        (*location.is_written ? "may hold a kernel's or a copy's result" : "has not been written yet"));
    }
    std::istringstream advice(finding.advice);
    for (std::string line; std::getline(advice, line);) lines.push_back(line);
    return lines;
}

// "a 4096-byte allocation made at vec.cu:31", "the 64-byte __constant__ variable weights", "N (1156 bytes)".
std::string text_of(const Object& object) {
    const bool is_variable = object.kind == ObjectKind::device_variable || object.kind == ObjectKind::constant_variable ||
                             object.kind == ObjectKind::managed_variable;
    if (!is_variable && !object.name.empty()) return fmt::format("{} ({} bytes)", object.name, object.size);
    const bool is_pinned = object.kind == ObjectKind::pinned_memory || object.kind == ObjectKind::pinned_host_only;
    std::string text = is_variable ? fmt::format("the {}-byte {} {}", object.size, name_of(object.kind), object.name)
                       : is_pinned ? fmt::format("a {}-byte block of pinned host memory", object.size)
                                   : fmt::format("a {}-byte {}", object.size, name_of(object.kind));
    const bool is_freed_at = object.is_freed && object.freed_at.is_known();
    if (object.allocated_at.is_known()) text += " made at " + to_text(object.allocated_at) + (is_freed_at ? " and" : "");
    if (object.is_freed) text += is_freed_at ? " freed at " + to_text(object.freed_at) : " that was freed";
    return text;
}

std::string counted_bytes(std::uint64_t count) { return fmt::format("{} byte{}", count, count == 1 ? "" : "s"); }

}  // namespace

std::string to_text(const SourceLine& source) {
    if (source.first_line != 0) return fmt::format("one of {}:{} to {}", source.file, source.first_line, source.line);
    return source.is_known() ? fmt::format("{}:{}", source.file, source.line) : "";
}
std::string to_text(const Index& index) { return fmt::format("({},{},{})", index.x, index.y, index.z); }

std::string to_text(const Location& location) {
    switch (location.object.kind) {
        case ObjectKind::null_pointer:
            return location.address == 0 ? "the null pointer" : counted_bytes(location.address) + " past the null pointer";
        case ObjectKind::nothing:
            return "nowhere near any allocation";
        case ObjectKind::host_memory:
            return fmt::format("host memory ({}), which the device can't reach", location.object.region);
        case ObjectKind::shared_variable:
            return bytes_in_shared_memory(location);
        case ObjectKind::shared_memory:
        case ObjectKind::local_memory:
            return in_block_memory(location);
        default:
            break;
    }
    const std::string object = text_of(location.object);
    switch (location.relation) {
        case Relation::inside:
            return "inside " + object +
                   (location.object.kind == ObjectKind::pinned_host_only ? ", which the device can't reach without cudaHostGetDevicePointer"
                                                                         : "");
        case Relation::crosses_end:
            return fmt::format("from inside to {} past the end of {}", counted_bytes(location.distance), object);
        case Relation::before_start:
            return fmt::format("{} before the start of {}", counted_bytes(location.distance), object);
        case Relation::past_end:
            break;
    }
    return fmt::format("{} past the end of {}", location.distance == 0 ? "directly" : counted_bytes(location.distance), object);
}

bool is_written_twice(const Finding& race) {
    return race.places.size() == 2 && race.line() != 0 && race.line() == race.other_line() &&
           std::all_of(race.places.begin(), race.places.end(), [](const Place& place) { return place.role == PlaceRole::write; });
}

std::string headline_of(const Finding& finding) {
    const bool is_race = finding.kind == FindingKind::race && finding.places.size() == 2 && is_access(finding.places[0]);
    if (!is_race || finding.line() == 0) return finding.headline;
    if (finding.is_next_iteration) {
        const auto [write, read] = std::minmax({finding.line(), finding.other_line()});
        return fmt::format("{}: line {} overwrites in the next iteration what line {} still reads", finding.headline, write, read);
    }
    const std::string text = fmt::format("{} at {}", finding.headline, line_of(finding.places[0]));
    if (finding.line() != finding.other_line()) return text + " and " + line_of(finding.places[1]);
    return finding.places[0].block == finding.places[1].block ? text + ", by two threads" : text;
}

std::string kernel_line_of(const Finding& finding) {
    if (is_of_call(finding) || finding.kernel.empty()) return {};
    const std::string kernel = "in kernel " + finding.kernel;
    if (finding.kind != FindingKind::race)
        return fmt::format("at {} {}", finding.places.empty() ? "an unknown line" : or_unknown(finding.places[0].source), kernel);
    return finding.space == MemorySpace::shared && !finding.places.empty()
               ? fmt::format("{}, block {}", kernel, block_of(finding.places[0]))
               : kernel;
}

std::vector<std::string> evidence_of(const Finding& finding) {
    return is_of_call(finding) ? call_evidence(finding) : kernel_evidence(finding);
}

std::string text_without_place(const Finding& finding) {
    std::string text = headline_of(finding);
    if (const std::string kernel = kernel_line_of(finding); !kernel.empty()) text += "\n  " + kernel;
    for (const std::string& line : evidence_of(finding)) text += "\n  " + line;
    return text;
}

std::string to_text(const Finding& finding) {
    const std::string where = is_of_call(finding) && !finding.places.empty() ? to_text(finding.places[0].source) : "";
    return (where.empty() ? "" : where + ": ") + text_without_place(finding);
}

std::optional<std::uint64_t> Finding::value(Quantity quantity) const {
    const auto found = measured.find(quantity);
    return found == measured.end() ? std::nullopt : std::optional(found->second);
}

Finding::Thread Finding::who() const {
    const auto found = std::find_if(places.begin(), places.end(), [](const Place& place) { return place.thread.has_value(); });
    return found == places.end() ? Thread{} : Thread{found->block.value_or(Index{}), *found->thread};
}

}  // namespace lab
