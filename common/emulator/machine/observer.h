// Interface between the machine and the observers of a launch. AccessRules count sectors and wavefronts (once per shape of access, see
// access_pattern.h); observers receive a block's shared-memory accesses, one interval between two barriers at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/emulator/machine/memory.h"
#include "common/emulator/machine/op.h"
#include "common/emulator/machine/vectorised_loads.h"
#include "common/trace/recording.h"

namespace lab::machine {

using trace::AccessKind;

// Loads through one unchanged address register, in one basic block and with no synchronisation between them: the first one checks, counts
// and logs for all.
struct AccessGroup {
    struct Member {
        std::int64_t offset = 0;  // bytes from the first load's address
        const Op* op = nullptr;
    };
    std::vector<Member> members;     // without the first
    std::int64_t low = 0, high = 0;  // smallest and largest offset, 0 included
    std::uint32_t memory_id = 0;     // holds the counts of one member; all count the same
    bool is_vectorised = false;      // any of them, on hardware
    VectorisedLoads vectorised;
};

// One warp instruction on shared memory, or a group of them.
struct SharedAccess {
    const AccessPattern* pattern = nullptr;
    std::uint32_t base = 0;  // address of the pattern's first active lane
    AccessKind kind = AccessKind::load;
    bool is_volatile = false;
    bool same_value = false;  // a store in which lanes that share a byte write the same value
    std::uint8_t warp = 0;    // in the block
    std::uint32_t epoch = 0;  // warp-level synchronisations that the warp has passed
    std::uint32_t clock = 0;  // of the warp, see Block::ordered
    const Op* op = nullptr;
    const AccessGroup* group = nullptr;  // the same was done at these other offsets, too
};

// One warp instruction on global memory that an observer watches.
struct GlobalAccess {
    const AccessPattern* pattern = nullptr;
    std::uint64_t base = 0;  // device address of the pattern's first active lane
    const Op* op = nullptr;
    std::uint32_t memory_id = 0;
    std::uint32_t interval = 0;  // barriers of the whole block passed before
    std::uint32_t epoch = 0;     // warp-level synchronisations that the warp has passed
    std::uint8_t warp = 0;       // in the block
    AccessKind kind = AccessKind::load;
    bool is_volatile = false;
    bool same_value = false;  // a store in which lanes that share a byte write the same value
    std::uint64_t value = 0;  // a hash of what a store's lanes write if that is the same, else 0
    [[nodiscard]] bool operator==(const GlobalAccess&) const = default;
};

// The bytes that must all be unwritten for a read of `width` bytes at `address` to count as uninitialised. Parts of a structure may be
// padding, and compilers copy structures byte by byte with it.
struct Span {
    std::uint64_t begin = 0, end = 0;
};
[[nodiscard]] inline Span looked_at(std::uint64_t address, std::uint32_t width) {
    constexpr std::uint64_t widest = 8;
    if (width >= 4) return {address, address + width};
    return {address / widest * widest, address / widest * widest + widest};
}

// order[v][w]: actions of warp w at clocks below this happened before warp v's current ones. Barriers for some of a block's warps create
// such an order; one for the whole block starts a new interval with all at zero.
using WarpOrder = std::array<std::array<std::uint32_t, 32>, 32>;

// Observes the blocks of one worker, one block after another.
class BlockObserver {
public:
    virtual ~BlockObserver() = default;
    virtual void begin_block(const Block& block) = 0;
    // `complete`: a barrier of the whole block ended the interval; otherwise more of the same interval follows. Complete intervals without
    // a write are omitted.
    virtual void shared_interval(const Block& block, std::span<const SharedAccess> accesses, bool complete) = 0;
    // Whether intervals without a write are wanted, too.
    [[nodiscard]] virtual bool wants_intervals_of_reads() const { return false; }
    // Accesses to watched global memory, in the order of execution; the log is cleared afterwards. At the end of a block this call directly
    // precedes end_block. `block_ends`: no more of this block follows.
    virtual void global_accesses(const Block& /*block*/, std::span<const GlobalAccess> /*accesses*/, bool /*block_ends*/) {}
    // Called before the machine drops all patterns: the observer must finish with all pointers to them.
    virtual void patterns_end() {}
    // A thread reads bytes of its local memory that it never wrote.
    virtual void unwritten_local(const Block& /*block*/, const Warp& /*warp*/, const Op* /*op*/, unsigned /*lane*/) {}
    virtual void end_block(const Block& block) = 0;
    // The block stopped before its end: a fault in it or before it.
    virtual void abandon_block(const Block& /*block*/) {}
};

class Observer {
public:
    virtual ~Observer() = default;
    [[nodiscard]] virtual bool wants_shared_accesses() const { return false; }
    [[nodiscard]] virtual bool wants_local_reads() const { return false; }
    [[nodiscard]] virtual bool wants_global_accesses() const { return false; }  // asked after each block
    // Whether accesses to this allocation are wanted. Called by any worker; the answer must not change during a launch.
    [[nodiscard]] virtual bool watches(const Allocation& /*allocation*/) const { return false; }
    // Whether the launch ends at a violation that hardware may tolerate (barriers, masks, bounds). If no observer forbids it, the machine
    // continues like hardware. Called by any worker.
    [[nodiscard]] virtual bool forbids(const Violation& /*violation*/) const { return false; }
    // Makes the observer of one worker's blocks, owned by this observer. Null if it doesn't observe blocks.
    virtual BlockObserver* make_block_observer() { return nullptr; }
};

}  // namespace lab::machine
