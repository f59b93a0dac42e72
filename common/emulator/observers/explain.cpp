#include "common/emulator/observers/explain.h"

#include <fmt/format.h>

#include "common/emulator/machine/code.h"
#include "common/emulator/observers/explain_parts.h"

namespace lab::observers {

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
    return fmt::format("offset {}: {} bytes past the end of the {}'s {} bytes of {}", violation.address, violation.address - size, owner,
                       size, space_name(violation.space));
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
        case FaultKind::divergent_barrier:
            return "barrier not reached by all threads";
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

std::string barrier_evidence(const Violation& violation, Fault& fault, const LaunchContext& context) {
    const ptx::Instruction* here = instruction_of(violation.op);
    const bool warp_level =
        here != nullptr && (here->parts[0] != "bar" || (here->parts.size() > 1 && here->parts[1] == "warp")) && here->parts[0] != "barrier";
    const std::string missing = show(thread_at(context, violation.warp, violation.lane));
    fault.other_line = line_of(violation.other_op, context);
    const char* what = warp_level ? "the warp-level operation" : "the barrier";
    if (warp_level) {
        fault.kind = FaultKind::absent_lanes;
        fault.headline = "warp-level operation whose mask names threads that do not take part";
    }
    const bool same_place = fault.other_line == fault.line;
    return fmt::format("\n  some threads wait at {} at {}, but thread {} {}", what, place(violation.op, context), missing,
                       violation.other_op == nullptr || same_place
                           ? "went another way"
                           : fmt::format("went another way and is at {}", place(violation.other_op, context)));
}

}  // namespace

Fault explain(const Violation& seen, const LaunchContext& context) {
    Violation violation = seen;
    // Constant and global memory are one to the machine, but not to the reader.
    const ptx::Instruction* instruction = instruction_of(seen.op);
    if (instruction != nullptr && instruction->parts.size() > 1 && instruction->parts[1] == "const") violation.space = ptx::Space::constant;
    const std::string near = violation.bytes != 0 || violation.kind == FaultKind::misaligned ? where_is(violation, context) : "";
    const FaultKind kind = refine(violation, *context.memory);
    Fault fault = start(kind, headline_for(violation, kind), violation.op, context, violation.block, violation.warp, violation.lane);
    const unsigned others = violation.lanes == 0 ? 0 : machine::lane_count(violation.lanes) - 1;
    switch (kind) {
        case FaultKind::divergent_barrier: {
            const std::string before = fault.headline;
            const std::string evidence = barrier_evidence(violation, fault, context);
            fault.text.replace(0, before.size(), fault.headline);
            fault.text += evidence;
            break;
        }
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
            if (others != 0 && !near.empty())
                fault.text += fmt::format("\n  {} more thread{} of the same warp did the same", others, others == 1 ? "" : "s");
            break;
    }
    return fault;
}

}  // namespace lab::observers
