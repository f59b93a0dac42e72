// A finding: one defect of a program, as fields. Observers, the runtime and the runner set them. They reach the reader unchanged: as JSON
// between processes and in files (finding_json.h), as text at the end (finding_text.h). handouts/findings.md describes the JSON.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/findings/named_enum.h"

namespace lab {

// Kinds of findings, each with its name in reports, hints and tests.
#define LAB_FINDING_KINDS(X)                            \
    X(out_of_bounds, "out of bounds")                   \
    X(use_after_free, "use after free")                 \
    X(misaligned, "misaligned")                         \
    X(host_pointer, "host pointer")                     \
    X(null_pointer, "null pointer")                     \
    X(write_to_constant, "write to constant")           \
    X(divergent_barrier, "divergent barrier")           \
    X(absent_lanes, "absent lanes")                     \
    X(deadlock, "deadlock")                             \
    X(endless, "endless")                               \
    X(assertion, "assertion")                           \
    X(trap, "trap")                                     \
    X(unsupported, "unsupported")                       \
    X(device_error, "device error")                     \
    X(race, "race")                                     \
    X(host_access, "host access")                       \
    X(host_race, "host race")                           \
    X(stream_race, "stream race")                       \
    X(uninitialised_read, "uninitialised read")         \
    X(read_too_soon, "read too soon")                   \
    X(pointer_exchanged, "pointer exchanged")           \
    X(wrong_copy_direction, "wrong copy direction")     \
    X(wrong_copy_size, "wrong copy size")               \
    X(double_free, "double free")                       \
    X(wrong_free, "wrong free")                         \
    X(unchecked_launch_error, "unchecked launch error") \
    X(leak, "leak")                                     \
    X(failed_call, "failed call") /* in itself no mistake: memory may run out */
LAB_NAMED_ENUM(FindingKind, LAB_FINDING_KINDS)

// Memory space of a kernel's access.
#define LAB_MEMORY_SPACES(X)       \
    X(none, "")                    \
    X(global, "global memory")     \
    X(shared, "shared memory")     \
    X(local, "local memory")       \
    X(constant, "constant memory") \
    X(param, "kernel parameters")
LAB_NAMED_ENUM(MemorySpace, LAB_MEMORY_SPACES)

// Line of the program's source. `file` has no folder, which differs between machines.
struct SourceLine {
    std::string file;  // "" if unknown
    std::uint32_t line = 0, column = 0;
    std::uint32_t first_line = 0;  // 0: `line` is exact; else it is one from this to `line`, as the compiler moved the access
    [[nodiscard]] bool is_known() const { return line != 0; }
    bool operator==(const SourceLine&) const = default;
};

// Index of a block in its grid, or of a thread in its block.
struct Index {
    std::uint32_t x = 0, y = 0, z = 0;
    bool operator==(const Index&) const = default;
};

// Roles of places.
#define LAB_PLACE_ROLES(X)                                                                       \
    X(at, "at")                       /* the instruction or call that the finding is about */    \
    X(read, "read")                   /* by a thread */                                          \
    X(write, "write")                 /* by a thread */                                          \
    X(atomic_update, "atomic update") /* by a thread */                                          \
    X(waits, "waits")                 /* threads wait at this barrier or warp-level operation */ \
    X(elsewhere, "elsewhere")         /* another thread is here instead */                       \
    X(other_barrier, "other barrier") /* another thread waits at this barrier instead */         \
    X(earlier, "earlier")             /* asynchronous work that may still run */                 \
    X(later, "later")                 /* asynchronous work that does not wait for it */          \
    X(allocated, "allocated")         /* the call that allocated what the finding is about */
LAB_NAMED_ENUM(PlaceRole, LAB_PLACE_ROLES)

struct Place {
    PlaceRole role = PlaceRole::at;
    SourceLine source;
    std::optional<Index> block, thread;
    std::string actor;   // of asynchronous work: "cudaMemcpyAsync", "the kernel scale"
    std::string stream;  // of asynchronous work: "stream 2"
    bool operator==(const Place&) const = default;
};

#define LAB_OBJECT_KINDS(X)                                                              \
    X(nothing, "nothing")       /* nowhere near any allocation */                        \
    X(allocation, "allocation") /* of device memory */                                   \
    X(managed_allocation, "managed allocation")                                          \
    X(pinned_memory, "pinned host memory")         /* with a device pointer */           \
    X(pinned_host_only, "pinned host-only memory") /* the device has no pointer to it */ \
    X(device_variable, "__device__ variable")                                            \
    X(constant_variable, "__constant__ variable")                                        \
    X(managed_variable, "__managed__ variable")                                          \
    X(shared_variable, "shared variable")                                                \
    X(shared_memory, "shared memory") /* all of a block's */                             \
    X(local_memory, "local memory")   /* all of a thread's */                            \
    X(host_memory, "host memory")     /* the program's own */                            \
    X(null_pointer, "null pointer")
LAB_NAMED_ENUM(ObjectKind, LAB_OBJECT_KINDS)

// An allocation or a variable.
struct Object {
    ObjectKind kind = ObjectKind::nothing;
    std::string name;        // a variable's, or the one that a suite knows an array by; "" if it has none
    std::uint64_t size = 0;  // bytes
    SourceLine allocated_at, freed_at;
    bool is_freed = false;
    bool is_dynamic = false;  // shared memory whose size the launch gives
    std::string region;       // of host memory: "the stack"
    bool operator==(const Object&) const = default;
};

// Position of an access relative to an object. One that crosses the end begins inside.
#define LAB_RELATIONS(X)          \
    X(inside, "inside")           \
    X(crosses_end, "crosses end") \
    X(past_end, "past end")       \
    X(before_start, "before start")
LAB_NAMED_ENUM(Relation, LAB_RELATIONS)

#define LAB_OBJECT_ROLES(X)                                                      \
    X(accessed, "accessed")       /* by the kernel, or what the call is about */ \
    X(destination, "destination") /* of a copy */                                \
    X(source, "source")           /* of a copy */                                \
    X(end, "end")                 /* what a copy's range would reach */          \
    X(host_access, "host access") /* what the program itself touches */
LAB_NAMED_ENUM(ObjectRole, LAB_OBJECT_ROLES)

// Memory location of a finding: an object, and the position in or beside it.
struct Location {
    ObjectRole role = ObjectRole::accessed;
    Object object;
    Relation relation = Relation::inside;
    std::uint64_t address = 0;       // device address; 0 in shared and local memory
    std::int64_t offset = 0;         // bytes from the object's start
    std::uint64_t bytes = 0;         // that are touched; 0: unknown, and with it the offset
    std::uint64_t distance = 0;      // bytes past the end, before the start, or of the access beyond the end
    std::optional<bool> is_written;  // whether a kernel or copy may have written the object, if that identifies the intended one
    bool operator==(const Location&) const = default;
};

// Numeric evidence.
#define LAB_QUANTITIES(X)                                                         \
    X(mask, "mask") /* of a warp-level operation */                               \
    X(lane, "lane")                                                               \
    X(access_bytes, "access bytes")   /* of one element */                        \
    X(elements, "elements")           /* that one instruction accesses at once */ \
    X(other_threads, "other threads") /* of the same warp that did the same */    \
    X(warp_instructions, "warp instructions")                                     \
    X(instruction_limit, "instruction limit")                                     \
    X(launches, "launches")                                                       \
    X(allocations, "allocations") /* never freed */                               \
    X(leaked_bytes, "leaked bytes")
LAB_NAMED_ENUM(Quantity, LAB_QUANTITIES)

// Of cudaError_t.
constexpr int cuda_error_invalid_value = 1;
constexpr int cuda_error_invalid_configuration = 9;

struct Finding {
    FindingKind kind = FindingKind::trap;
    std::string headline;              // "4-byte read out of bounds in global memory"
    bool stops = false;                // it ended the launch
    bool is_mistake = false;           // misuse of the API, whatever the call returned
    bool is_next_iteration = false;    // a race whose write overwrites, in a loop's next iteration, data that others still read
    bool has_barrier_between = false;  // a race between blocks, whose kernel has a __syncthreads() between the two accesses
    std::uint64_t count = 1;           // number of occurrences; 0: not counted, since a fault ended the launch
    std::string kernel;                // demangled, or ""
    std::string call;                  // function of the runtime API, "cudaMemcpy"; "" for a kernel's finding
    int error = 0;                     // cudaError_t that the call returned
    MemorySpace space = MemorySpace::none;
    std::optional<Index> grid, block;  // of a failed launch
    std::vector<Place> places;         // the first is the finding's own
    std::vector<Location> locations;
    std::map<Quantity, std::uint64_t> measured;
    std::string operation;             // of a warp: "__shfl_down_sync"
    std::vector<std::string> details;  // sentences of evidence that no field holds
    std::string advice;                // advice on where to look; lines

    // The first and second place's line; 0 if unknown.
    [[nodiscard]] std::uint32_t line() const { return places.empty() ? 0 : places[0].source.line; }
    [[nodiscard]] std::uint32_t other_line() const { return places.size() < 2 ? 0 : places[1].source.line; }
    [[nodiscard]] std::optional<std::uint64_t> value(Quantity quantity) const;
    // The first thread that a place names, and its block; all 0 without one.
    struct Thread {
        Index block, thread;
    };
    [[nodiscard]] Thread who() const;
    bool operator==(const Finding&) const = default;
};

}  // namespace lab
