// What the machine tells those who watch a launch.
// Counting of sectors and wavefronts goes through AccessRules (once per shape of access, see access_pattern.h);
// observers here get a block's shared-memory accesses, an interval between two barriers at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/emulator/machine/memory.h"
#include "common/emulator/machine/op.h"
#include "common/emulator/machine/vectorised_loads.h"

namespace lab::machine {

enum class AccessKind : std::uint8_t { load, store, atomic };

// Loads that go through the same, unchanged address register, in one basic block and with no synchronisation in between:
// the first one checks, counts and logs for all.
struct AccessGroup {
    struct Member {
        std::int64_t offset = 0;  // bytes from the first load's address
        const Op* op = nullptr;
    };
    std::vector<Member> members;     // without the first
    std::int64_t low = 0, high = 0;  // smallest and largest offset, 0 included
    std::uint32_t memory_id = 0;     // where what one member counts is kept; all count the same
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
};

// The bytes that must all be unwritten for a read of `width` bytes at `address` to be one of memory that was never written.
// Parts of a structure may be padding, and compilers copy structures byte by byte with it.
struct Span {
    std::uint64_t begin = 0, end = 0;
};
[[nodiscard]] inline Span looked_at(std::uint64_t address, std::uint32_t width) {
    constexpr std::uint64_t widest = 8;
    if (width >= 4) return {address, address + width};
    return {address / widest * widest, address / widest * widest + widest};
}

// order[v][w]: what warp w did at clocks below this happened before what warp v does now. Barriers for some of a block's
// warps make such an order; one for the whole block starts a new interval, and all at zero.
using WarpOrder = std::array<std::array<std::uint32_t, 32>, 32>;

// Watches the blocks of one worker, one block after another.
class BlockObserver {
public:
    virtual ~BlockObserver() = default;
    virtual void begin_block(const Block& block) = 0;
    // `complete`: a barrier of the whole block ended the interval; otherwise more of the same interval follows. Intervals
    // in which nobody wrote, and that came whole, are left out.
    virtual void shared_interval(const Block& block, std::span<const SharedAccess> accesses, bool complete) = 0;
    // Whether intervals in which nobody wrote have to be shown, too.
    [[nodiscard]] virtual bool wants_intervals_of_reads() const { return false; }
    // Accesses to watched global memory, in the order of execution; the log is empty again afterwards. At the end of a block
    // this comes just before end_block. `block_ends`: no more of this block follows.
    virtual void global_accesses(const Block& /*block*/, std::span<const GlobalAccess> /*accesses*/, bool /*block_ends*/) {}
    // The machine is about to throw away all patterns: whatever still points to them must be done with.
    virtual void patterns_end() {}
    // A thread reads bytes of its local memory that it has never written.
    virtual void unwritten_local(const Block& /*block*/, const Warp& /*warp*/, const Op* /*op*/, unsigned /*lane*/) {}
    virtual void end_block(const Block& block) = 0;
    // The block stopped before its end: a fault in it or before it, or the launch was interrupted.
    virtual void abandon_block(const Block& /*block*/) {}
};

class Observer {
public:
    virtual ~Observer() = default;
    [[nodiscard]] virtual bool wants_shared_accesses() const { return false; }
    [[nodiscard]] virtual bool wants_local_reads() const { return false; }
    [[nodiscard]] virtual bool wants_global_accesses() const { return false; }
    // Whether accesses to this allocation are wanted: asked now and then by any worker, with the same answer for a whole launch.
    [[nodiscard]] virtual bool watches(const Allocation& /*allocation*/) const { return false; }
    // For a violation that hardware may let pass (barriers, masks, bounds): whether the launch ends with it. Where no observer
    // says so, the machine goes on as hardware does. Asked by any worker.
    [[nodiscard]] virtual bool forbids(const Violation& /*violation*/) const { return false; }
    // One for each worker; the observer keeps it. Null if it has no interest in blocks.
    virtual BlockObserver* make_block_observer() { return nullptr; }
};

}  // namespace lab::machine
