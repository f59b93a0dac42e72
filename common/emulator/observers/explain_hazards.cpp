// Hazards in words: what let the launch go on, but makes its result a matter of luck.
#include <fmt/format.h>

#include "common/emulator/machine/code.h"
#include "common/emulator/observers/explain_parts.h"

namespace lab::observers {

using machine::Dim3;
using machine::Fault;
using machine::FaultKind;

namespace {

const char* verb(machine::AccessKind kind) {
    return kind == machine::AccessKind::load ? "read" : kind == machine::AccessKind::store ? "write" : "atomic update";
}

std::string seen(std::uint64_t count) { return count == 0 ? "" : fmt::format("; seen {} time{}", count, count == 1 ? "" : "s"); }

// An op that stands for a memory instruction, as places are asked for by op.
machine::Op op_for(const machine::MemoryOp& memory_op) {
    machine::Op op;
    op.function = const_cast<machine::FunctionCode*>(memory_op.function);
    op.index = memory_op.index;
    return op;
}

}  // namespace

Fault explain(const Race& race, const LaunchContext& context) {
    const Dim3 block = block_at(context, race.block);
    Fault fault = start(FaultKind::race, "race in shared memory", race.later.op, context, block, race.later.warp, race.later.lane);
    fault.stops = false;
    fault.other_line = line_of(race.earlier.op, context);
    fault.count = race.count;
    const Dim3 earlier = thread_at(context, race.earlier.warp, race.earlier.lane);
    const Dim3 later = thread_at(context, race.later.warp, race.later.lane);
    const char* sync = race.earlier.warp == race.later.warp ? "__syncthreads() or __syncwarp()" : "__syncthreads()";
    fault.text = fmt::format(
        "{} at line {} and line {}\n  in kernel {}, block {}\n  {} by thread {} at {}\n  {} by thread {} at {}\n  both touch byte {} of "
        "shared memory, with no {} in between{}",
        fault.headline, fault.line, fault.other_line, context.kernel, show(block), verb(race.earlier.kind), show(earlier),
        place(race.earlier.op, context), verb(race.later.kind), show(later), place(race.later.op, context), race.address, sync,
        seen(race.count));
    return fault;
}

Fault explain(const GlobalRace& race, const LaunchContext& context) {
    const machine::Op earlier_op = op_for(*race.earlier.op);
    const machine::Op later_op = op_for(*race.later.op);
    const auto thread = [&](const GlobalTouch& touch) {
        return thread_at(context, touch.thread / machine::warp_size, touch.thread % machine::warp_size);
    };
    const Dim3 block = block_at(context, race.later.linear);
    Fault fault = start(FaultKind::race, race.between_blocks ? "race in global memory between blocks" : "race in global memory", &later_op,
                        context, block, race.later.thread / machine::warp_size, race.later.thread % machine::warp_size);
    fault.stops = false;
    fault.other_line = line_of(&earlier_op, context);
    fault.count = race.count;
    const auto who = [&](const GlobalTouch& touch) {
        return fmt::format("thread {} of block {}", show(thread(touch)), show(block_at(context, touch.linear)));
    };
    const char* in_between = race.between_blocks
                                 ? "nothing orders the blocks of a launch: let one thread write, use an atomic, or a second launch"
                                 : "with no __syncthreads() in between";
    fault.text = fmt::format("{} at line {} and line {}\n  in kernel {}\n  {} by {} at {}\n  {} by {} at {}\n  both touch {}\n  {}{}",
                             fault.headline, fault.line, fault.other_line, context.kernel, verb(race.earlier.op->kind), who(race.earlier),
                             place(&earlier_op, context), verb(race.later.op->kind), who(race.later), place(&later_op, context),
                             context.memory->describe(race.address, 1), in_between, seen(race.count));
    return fault;
}

Fault explain(const UnwrittenRead& read, const LaunchContext& context) {
    Fault fault =
        start(FaultKind::uninitialised_read, fmt::format("{}-byte read of {} that was never written", read.bytes, space_name(read.space)),
              read.op, context, block_at(context, read.linear), read.warp, read.lane);
    fault.stops = false;
    fault.count = read.count;
    if (read.space == ptx::Space::shared) {
        fault.text += fmt::format("\n  bytes {} to {} of the block's shared memory: no thread of the block has written there before",
                                  read.address, read.address + read.bytes - 1);
    } else if (read.space == ptx::Space::local) {
        fault.text += "\n  a variable or array of the thread's own that has no value yet";
    } else {
        fault.text += fmt::format("\n  {}: neither a copy, a fill nor a kernel has written there",
                                  context.memory->describe(read.address, read.bytes));
    }
    fault.text += seen(read.count);
    return fault;
}

}  // namespace lab::observers
