// Races in words: two threads, two places, and what would order them.
#include <fmt/format.h>

#include "common/emulator/observers/explain_parts.h"

namespace lab::observers {

using machine::AccessKind;
using machine::Dim3;
using machine::Fault;
using machine::FaultKind;

namespace {

constexpr const char* no_barrier = "with no __syncthreads() in between";
// Only where no two warps race: a program that has but this to mend may do with less than a barrier.
constexpr const char* no_order_in_warp = "with no __syncthreads() or __syncwarp() in between";
constexpr const char* by_two_threads = ", by two threads";
constexpr const char* two_writers = "; two threads write the same element, and only one should";

const char* verb(AccessKind kind) { return kind == AccessKind::load ? "read" : kind == AccessKind::store ? "write" : "atomic update"; }

// An op that stands for a memory instruction, as places are asked for by op.
machine::Op op_for(const machine::MemoryOp& memory_op) {
    machine::Op op;
    op.function = const_cast<machine::FunctionCode*>(memory_op.function);
    op.index = memory_op.index;
    return op;
}

// "race in shared memory at line 12 and line 15", in the order of the accesses, with the places kept.
Fault start_race(const std::string& headline, const machine::Op& earlier, const machine::Op& later, const LaunchContext& context,
                 const Dim3& block, std::uint32_t warp, unsigned lane) {
    Fault fault = start(FaultKind::race, headline, &earlier, context, block, warp, lane);
    fault.stops = false;
    fault.other_line = line_of(&later, context);
    fault.text = fault.headline;
    if (fault.line != 0) fault.text += fmt::format(" at line {}", fault.line);
    if (fault.line != 0 && fault.line != fault.other_line) fault.text += fmt::format(" and line {}", fault.other_line);
    return fault;
}

bool on_one_line(const Fault& fault) { return fault.line != 0 && fault.line == fault.other_line; }

bool both_write(const GlobalRace& race) { return race.earlier.op->kind == AccessKind::store && race.later.op->kind == AccessKind::store; }
bool has(const GlobalRace& race, AccessKind kind) { return race.earlier.op->kind == kind || race.later.op->kind == kind; }

std::string advice_between_blocks(const GlobalRace& race, bool one_line, const LaunchContext& context) {
    if (both_write(race) && one_line) {
        const machine::Allocation* const at = context.memory->find(race.address);
        return at != nullptr && at->kind == machine::AllocationKind::global
                   ? "both blocks use the same part of it: give each block a part of its own"
                   : "both blocks compute the same index: blockIdx has to be part of it, in every dimension, and no thread beyond an edge "
                     "may write";
    }
    // A write of one fixed value beside one that isn't is likely to clear what others add to.
    const bool clears = race.earlier.op->same_always != race.later.op->same_always;
    if (!has(race, AccessKind::load) && (has(race, AccessKind::atomic) || clears))
        return "nothing orders the blocks of a launch: a plain write may undo what others have added; clear before the launch (cudaMemset)";
    if (has(race, AccessKind::load) && !race.several_write)
        return "nothing orders the blocks of a launch, and __syncthreads() waits for one block only: read it in a second launch";
    return "nothing orders the blocks of a launch: let one thread write, use an atomic, or a second launch";
}

std::string advice_within_block(const GlobalRace& race, bool one_line) {
    const bool adds_up = race.several_write && !both_write(race);
    return std::string(no_barrier) + (both_write(race) && one_line ? two_writers
                                      : adds_up                    ? "; several threads write that element: to add up there, use an atomic"
                                                                   : "");
}

}  // namespace

Fault explain(const Race& race, const LaunchContext& context) {
    const Dim3 block = block_at(context, race.block);
    Fault fault =
        start_race("race in shared memory", *race.earlier.op, *race.later.op, context, block, race.earlier.warp, race.earlier.lane);
    fault.count = race.count;
    if (on_one_line(fault)) fault.text += by_two_threads;
    const bool both_write = race.earlier.kind == AccessKind::store && race.later.kind == AccessKind::store;
    const Dim3 earlier = thread_at(context, race.earlier.warp, race.earlier.lane);
    const Dim3 later = thread_at(context, race.later.warp, race.later.lane);
    fault.text += fmt::format("\n  in kernel {}, block {}\n  {} by thread {} at {}\n  {} by thread {} at {}\n  both touch {}, {}{}{}",
                              context.kernel, show(block), verb(race.earlier.kind), show(earlier), place(race.earlier.op, context),
                              verb(race.later.kind), show(later), place(race.later.op, context), shared_place(race.address, 1, context),
                              race.within_warp() ? no_order_in_warp : no_barrier, both_write && on_one_line(fault) ? two_writers : "",
                              seen(race.count));
    return fault;
}

Fault explain(const GlobalRace& race, const LaunchContext& context) {
    const machine::Op earlier_op = op_for(*race.earlier.op);
    const machine::Op later_op = op_for(*race.later.op);
    Fault fault = start_race(race.between_blocks ? "race in global memory between blocks" : "race in global memory", earlier_op, later_op,
                             context, block_at(context, race.earlier.linear), race.earlier.thread / machine::warp_size,
                             race.earlier.thread % machine::warp_size);
    fault.count = race.count;
    const auto who = [&](const GlobalTouch& touch) {
        const Dim3 thread = thread_at(context, touch.thread / machine::warp_size, touch.thread % machine::warp_size);
        return fmt::format("thread {} of block {}", show(thread), show(block_at(context, touch.linear)));
    };
    const bool one_line = on_one_line(fault);
    if (one_line && !race.between_blocks) fault.text += by_two_threads;
    fault.text += fmt::format("\n  in kernel {}\n  {} by {} at {}\n  {} by {} at {}\n  both touch {}\n  {}{}", context.kernel,
                              verb(race.earlier.op->kind), who(race.earlier), place(&earlier_op, context), verb(race.later.op->kind),
                              who(race.later), place(&later_op, context), context.memory->describe(race.address, 1),
                              race.between_blocks ? advice_between_blocks(race, one_line, context) : advice_within_block(race, one_line),
                              seen(race.count));
    return fault;
}

}  // namespace lab::observers
