#include "common/emulator/observers/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "common/emulator/machine/code.h"
#include "common/emulator/observers/explain_parts.h"
#include "common/emulator/ptx/instruction_set.h"

namespace lab::observers {

using ptx::Modifier;
using ptx::Opcode;

using machine::Fault;
using machine::FaultKind;
using machine::Violation;

namespace {

std::string where_in_block_memory(const Violation& violation, const LaunchContext& context) {
    const bool shared = violation.space == ptx::Space::shared;
    const std::uint64_t size = shared ? context.shared_bytes : context.local_bytes;
    const char* owner = shared ? "block" : "thread";
    if (static_cast<std::int64_t>(violation.address) < 0) {
        return fmt::format("{} bytes before the start of the {}'s {} bytes of {}", -static_cast<std::int64_t>(violation.address), owner,
                           size, space_name(violation.space));
    }
    if (violation.address + violation.bytes <= size)
        return fmt::format("offset {} in the {}'s {} bytes of {}", violation.address, owner, size, space_name(violation.space));
    if (violation.address < size) {
        return fmt::format("offset {}: {} bytes beyond the end of the {}'s {} bytes of {}", violation.address,
                           violation.address + violation.bytes - size, owner, size, space_name(violation.space));
    }
    const std::uint64_t distance = violation.address - size;
    return fmt::format("offset {}: {} past the end of the {}'s {} bytes of {}", violation.address,
                       distance == 0 ? "directly" : fmt::format("{} bytes", distance), owner, size, space_name(violation.space));
}

std::string where_is(const Violation& violation, const LaunchContext& context) {
    if (violation.space == ptx::Space::shared || violation.space == ptx::Space::local) return where_in_block_memory(violation, context);
    return fmt::format("address {:#x}: {}", violation.address, context.memory->describe(violation.address, violation.bytes));
}

// Out of bounds is what the machine saw; what is at the address tells which kind of mistake it was.
FaultKind refine(const Violation& violation, const machine::Memory& memory) {
    if (violation.kind != FaultKind::out_of_bounds || violation.space == ptx::Space::shared || violation.space == ptx::Space::local)
        return violation.kind;
    constexpr std::uint64_t null_page = 65536;
    if (violation.address < null_page) return FaultKind::null_pointer;
    if (memory.is_host_only(violation.address)) return FaultKind::host_pointer;
    const machine::Allocation* at = memory.find_any(violation.address);
    if (at != nullptr && at->freed) return FaultKind::use_after_free;
    if (at != nullptr && at->kind == machine::AllocationKind::constant && violation.is_store) return FaultKind::write_to_constant;
    return violation.kind;
}

std::string headline_for(const Violation& violation, FaultKind kind) {
    const char* action = violation.is_store ? "write" : "read";
    const char* space = space_name(violation.space);
    switch (kind) {
        case FaultKind::out_of_bounds:
            if (!violation.text.empty()) return violation.text;
            return fmt::format("{}-byte {} out of bounds in {}", violation.bytes, action, space);
        case FaultKind::null_pointer:
            if (!violation.text.empty()) return violation.text;
            return fmt::format("{}-byte {} through a null pointer", violation.bytes, action);
        case FaultKind::use_after_free:
            return fmt::format("{}-byte {} of memory that was freed", violation.bytes, action);
        case FaultKind::host_pointer:
            return fmt::format("{}-byte {} through a host pointer: the device can't reach host memory", violation.bytes, action);
        case FaultKind::write_to_constant:
            return fmt::format("{}-byte write to constant memory", violation.bytes);
        case FaultKind::misaligned:
            return fmt::format("misaligned {}-byte {} in {}: the address must be a multiple of {}", violation.bytes, action, space,
                               violation.bytes);
        case FaultKind::deadlock:
            return "deadlock: threads wait at a barrier that no other thread will reach";
        case FaultKind::endless:
            return "the kernel does not end";
        case FaultKind::assertion:
            return "assertion failed";
        case FaultKind::absent_lanes:
        case FaultKind::unsupported:
            return violation.text;
        default:
            return "trap instruction";
    }
}

bool is_block_barrier(const machine::Op* op) {
    const ptx::Instruction* const at = instruction_of(op);
    if (at == nullptr) return false;
    return ptx::row_of(at->opcode()).kind == ptx::InstructionKind::barrier && !at->has(Modifier::warp);
}

std::string elsewhere(const Violation& violation, const LaunchContext& context) {
    if (violation.other_op == nullptr) return "went another way";
    const std::string there = place(violation.other_op, context);
    if (is_block_barrier(violation.other_op)) {
        return there == place(violation.op, context) ? "waits at another __syncthreads(), on the same line"
                                                     : "waits at another __syncthreads(), at " + there;
    }
    return there == place(violation.op, context) ? "went another way" : "went another way and is at " + there;
}

// Not by a thread, as other faults: several threads make this one.
Fault explain_barrier(const Violation& violation, const LaunchContext& context) {
    const bool is_block_wide = is_block_barrier(violation.op);
    Fault fault = is_block_wide ? start(FaultKind::divergent_barrier, "barrier not reached by all threads", violation.op, context,
                                        violation.block, violation.warp, violation.lane)
                                : start(FaultKind::absent_lanes, "warp-level operation whose mask names threads that do not take part",
                                        violation.op, context, violation.block, violation.warp, violation.lane);
    fault.other_line = line_of(violation.other_op, context);
    fault.text = fmt::format("{}\n  at {} in kernel {}\n  some threads of block {} wait at {} at {}, but thread {} {}\n  {}",
                             fault.headline, place(violation.op, context), context.kernel, show(fault.who.block),
                             is_block_wide ? "the __syncthreads()" : "the warp-level operation", place(violation.op, context),
                             show(fault.who.thread), elsewhere(violation, context),
                             is_block_wide ? "all threads of a block have to reach the same __syncthreads()"
                                           : "all threads that the mask names have to reach the same operation");
    return fault;
}

// "__shfl_down_sync" of an instruction.
std::string name_of_warp_operation(const ptx::Instruction& instruction) {
    const auto has = [&](Modifier modifier) { return instruction.has(modifier); };
    switch (instruction.opcode()) {
        case Opcode::shfl:
            return std::string("__shfl") +
                   (has(Modifier::up)     ? "_up"
                    : has(Modifier::down) ? "_down"
                    : has(Modifier::bfly) ? "_xor"
                                          : "") +
                   "_sync";
        case Opcode::vote:
            return has(Modifier::ballot) ? "__ballot_sync"
                   : has(Modifier::all)  ? "__all_sync"
                   : has(Modifier::any)  ? "__any_sync"
                                         : "a vote";
        case Opcode::match:
            return has(Modifier::any) ? "__match_any_sync" : "__match_all_sync";
        case Opcode::redux:
            return "a reduction";
        default:
            return "__syncwarp";
    }
}

std::string mask_evidence(const Violation& violation, const LaunchContext& context) {
    const ptx::Instruction* const instruction = instruction_of(violation.op);
    if (instruction == nullptr) return {};
    return fmt::format("\n  {} with mask {:#010x}; thread {} is lane {}", name_of_warp_operation(*instruction), violation.members,
                       show(thread_at(context, violation.warp, violation.lane)), violation.lane);
}

}  // namespace

Fault explain(const Violation& seen, const LaunchContext& context) {
    if (seen.kind == FaultKind::divergent_barrier) return explain_barrier(seen, context);
    Violation violation = seen;
    // Constant and global memory are one to the machine, but not to the reader.
    const ptx::Instruction* instruction = instruction_of(seen.op);
    if (instruction != nullptr && instruction->space == ptx::Space::constant) violation.space = ptx::Space::constant;
    const std::string near = violation.bytes != 0 || violation.kind == FaultKind::misaligned ? where_is(violation, context) : "";
    const FaultKind kind = refine(violation, *context.memory);
    Fault fault = start(kind, headline_for(violation, kind), violation.op, context, violation.block, violation.warp, violation.lane);
    const unsigned others = violation.lanes == 0 ? 0 : machine::lane_count(violation.lanes) - 1;
    switch (kind) {
        case FaultKind::absent_lanes:
            fault.text += mask_evidence(violation, context);
            break;
        case FaultKind::endless:
            fault.text +=
                violation.text.empty()
                    ? fmt::format(
                          "\n  stopped after {} warp instructions; look at the loop that contains this line and at what should end it",
                          context.max_instructions)
                    : "\n  " + violation.text;
            break;
        case FaultKind::assertion:
            fault.text += fmt::format("\n  {}", violation.text);
            break;
        default:
            if (!near.empty()) fault.text += "\n  " + near;
            if (kind == FaultKind::misaligned && violation.op->vector > 1)
                fault.text += fmt::format("\n  {} elements of {} bytes at once: a wide access (as by float2, float4) or a part of one",
                                          violation.op->vector, violation.op->width);
            if (others != 0 && !near.empty())
                fault.text += fmt::format("\n  {} more thread{} of the same warp did the same", others, others == 1 ? "" : "s");
            break;
    }
    return fault;
}

}  // namespace lab::observers
