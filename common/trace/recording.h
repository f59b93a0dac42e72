// Record of the memory accesses of a few blocks of a launch, for `lab report` and for messages about a kernel's technique. "Index" below
// means the place in one of its lists. JSON: json.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/findings/finding.h"
#include "common/findings/named_enum.h"

namespace lab::trace {

#define LAB_ACCESS_KINDS(X) X(load, "load") X(store, "store") X(atomic, "atomic")
LAB_NAMED_ENUM(AccessKind, LAB_ACCESS_KINDS)

#define LAB_RECORDED_SPACES(X) X(global, "global") X(shared, "shared") X(constant, "constant")
LAB_NAMED_ENUM(Space, LAB_RECORDED_SPACES)

// [begin, end) of addresses.
struct ByteRun {
    std::uint64_t begin = 0, end = 0;
    [[nodiscard]] bool operator==(const ByteRun&) const = default;
    [[nodiscard]] std::uint64_t bytes() const { return end - begin; }
};

struct Recording {
    // An allocation, or a variable in a block's shared memory.
    struct Object {
        std::string name;  // as findings call it; "" if unknown
        Space space = Space::global;
        std::uint64_t begin = 0;  // device address, or offset in the block's shared memory
        std::uint64_t bytes = 0;
        std::vector<ByteRun> used{};  // bytes of shared memory, from the start, that any recorded block accesses
    };
    // A line of source, in its file with its whole path; line 0: unknown.
    struct Place {
        std::string file;
        std::uint32_t line = 0, column = 0;
    };
    // One warp's execution of an access.
    struct Request {
        std::uint32_t block = 0;                              // index in `blocks`
        std::uint32_t warp = 0;                               // index in the block
        std::uint32_t iteration = 0;                          // executions of the same access by this warp before
        std::uint32_t of = 0;                                 // executions by this warp in all
        std::uint64_t address = 0;                            // lowest byte touched: device address, or offset in the block's shared memory
        std::array<std::optional<std::int64_t>, 32> lanes{};  // bytes from `address`, of the active lanes
        std::uint32_t cost = 0;                               // sectors; of shared memory wavefronts; of constants passes
        std::uint32_t ideal = 0;                              // the same if the distinct bytes touched lay side by side
    };
    // A load, store or atomic of the source, with all instructions that the compiler made of it.
    struct Access {
        Place where;
        AccessKind kind = AccessKind::load;
        Space space = Space::global;
        std::optional<std::uint32_t> object;    // index in `objects`
        std::uint32_t bytes = 0;                // a lane
        std::uint64_t requests = 0, cost = 0;   // sums over the launch, of all accesses of that kind and space at this place
        std::uint64_t requested = 0;            // the same of the bytes that lanes ask for
        std::uint64_t seen = 0, seen_cost = 0;  // sums over the recorded blocks
        std::uint64_t seen_ideal = 0;
        std::vector<Request> kept;
    };
    // Threads first, first + step, ... of a block.
    struct Threads {
        std::uint32_t access = 0, first = 0, step = 1, count = 1;
    };
    struct Write {
        std::uint32_t access = 0, thread = 0, interval = 0;
    };
    // Four bytes of shared memory, and who touched them in one interval.
    struct Word {
        std::uint32_t word = 0;
        std::vector<Threads> writes, reads;
        std::optional<Write> before;         // the last write of an earlier interval
        std::optional<std::uint32_t> value;  // bits that it holds at the interval's end, if the interval writes it
    };
    struct RaceSide {
        std::uint32_t access = 0, thread = 0;
        AccessKind kind = AccessKind::load;
    };
    struct SharedRace {
        std::uint32_t word = 0;
        RaceSide earlier, later;
        std::uint64_t count = 0;  // between these two accesses, in the interval
    };
    // A block's shared memory from one barrier to the next.
    struct Interval {
        std::uint32_t block = 0, interval = 0;
        Place from, to;  // barriers; line 0: the block's start, its end
        std::vector<Word> words;
        std::vector<SharedRace> races;
        bool is_cut = false;  // there was more than is kept
    };
    // Global memory that a block touches in one interval.
    struct Touched {
        std::uint32_t block = 0, interval = 0, object = 0;
        AccessKind kind = AccessKind::load;
        std::vector<ByteRun> runs;  // bytes from the object's start
        bool is_cut = false;
    };

    std::vector<std::uint64_t> blocks;  // linear indices of those recorded, ascending
    std::vector<Object> objects;
    std::vector<Access> accesses;
    std::vector<Interval> intervals;
    std::vector<Touched> touched;
    std::vector<std::uint64_t> first_stores;  // address of the first store to global memory, by block; 0: none, or unknown
    std::vector<Finding> races;               // in shared memory, of all blocks
};

// A word of shared memory.
inline constexpr std::int64_t word_bytes = 4;

// Number of a lane's thread in its block.
[[nodiscard]] inline std::int64_t thread_of(const Recording::Request& request, std::size_t lane) {
    return static_cast<std::int64_t>(request.warp * request.lanes.size() + lane);
}

}  // namespace lab::trace
