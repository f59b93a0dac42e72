#include "common/emulator/observers/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "common/emulator/machine/code.h"
#include "common/emulator/machine/pointer_flow.h"
#include "common/emulator/ptx/instruction_set.h"

namespace lab::observers {

using machine::Violation;
using ptx::Modifier;
using ptx::Opcode;

namespace {

// Relative to the block's or thread's whole memory of that kind.
Location in_block_memory(const Violation& violation, const LaunchContext& context) {
    const bool is_shared = violation.space == ptx::Space::shared;
    Location location;
    location.object.kind = is_shared ? ObjectKind::shared_memory : ObjectKind::local_memory;
    location.object.size = is_shared ? context.shared_bytes : context.local_bytes;
    if (is_shared) name_last_variable(context, &location.object);
    location.offset = static_cast<std::int64_t>(violation.address);
    location.bytes = violation.bytes;
    const std::uint64_t size = location.object.size;
    const std::uint64_t end = violation.address + violation.bytes;
    if (location.offset < 0) {
        location.relation = Relation::before_start;
        location.distance = static_cast<std::uint64_t>(-location.offset);
    } else if (violation.address >= size && end > size) {
        location.relation = Relation::past_end;
        location.distance = violation.address - size;
    } else if (end > size) {
        location.relation = Relation::crosses_end;
        location.distance = end - size;
    }
    return location;
}

// The allocation that the address was computed from: the only one among those that the kernel's parameters point into; or null.
const machine::Allocation* origin_of(const Violation& violation, const LaunchContext& context) {
    const ptx::Instruction* const access = instruction_of(violation.op);
    if (access == nullptr) return nullptr;
    const auto parameters = machine::parameters_of_address(*violation.op->function->source, *access);
    const auto origins = machine::pointed_to(parameters, *context.config, *context.memory);
    return origins.size() == 1 ? origins.front() : nullptr;
}

Location location_of(const Violation& violation, const LaunchContext& context) {
    const bool is_block_memory = violation.space == ptx::Space::shared || violation.space == ptx::Space::local;
    if (is_block_memory) return in_block_memory(violation, context);
    return context.memory->locate(violation.address, violation.bytes, origin_of(violation, context));
}

// The machine records an access out of bounds; the contents of the address determine the kind of finding.
FindingKind refine(const Violation& violation, const machine::Memory& memory) {
    if (violation.kind != FindingKind::out_of_bounds || violation.space == ptx::Space::shared || violation.space == ptx::Space::local)
        return violation.kind;
    constexpr std::uint64_t null_page = 65536;
    if (violation.address < null_page) return FindingKind::null_pointer;
    if (memory.is_host_only(violation.address)) return FindingKind::host_pointer;
    const machine::Allocation* at = memory.find_any(violation.address);
    if (at != nullptr && at->freed) return FindingKind::use_after_free;
    if (at != nullptr && at->kind == machine::AllocationKind::constant && violation.is_store) return FindingKind::write_to_constant;
    return violation.kind;
}

std::string headline_for(const Violation& violation, FindingKind kind) {
    const char* action = violation.is_store ? "write" : "read";
    const std::string_view space = name_of(space_of(violation.space));
    switch (kind) {
        case FindingKind::out_of_bounds:
            if (!violation.text.empty()) return violation.text;
            return fmt::format("{}-byte {} out of bounds in {}", violation.bytes, action, space);
        case FindingKind::null_pointer:
            if (!violation.text.empty()) return violation.text;
            return fmt::format("{}-byte {} through a null pointer", violation.bytes, action);
        case FindingKind::use_after_free:
            return fmt::format("{}-byte {} of memory that was freed", violation.bytes, action);
        case FindingKind::host_pointer:
            return fmt::format("{}-byte {} through a host pointer: the device can't reach host memory", violation.bytes, action);
        case FindingKind::write_to_constant:
            return fmt::format("{}-byte write to constant memory", violation.bytes);
        case FindingKind::misaligned:
            return fmt::format("misaligned {}-byte {} in {}: the address must be a multiple of {}", violation.bytes, action, space,
                               violation.bytes);
        case FindingKind::deadlock:
            return "deadlock: threads wait at a barrier that no other thread will reach";
        case FindingKind::endless:
            return violation.waits_for_block ? "the kernel does not end: a block waits for one that has not started"
                                             : "the kernel does not end, or does far more than its share of work";
        case FindingKind::assertion:
            return "assertion failed";
        case FindingKind::absent_lanes:
        case FindingKind::unsupported:
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

// Not attributed to one thread, like other findings: several threads cause it.
Finding explain_barrier(const Violation& violation, const LaunchContext& context) {
    const bool is_block_wide = is_block_barrier(violation.op);
    Finding finding;
    finding.kind = is_block_wide ? FindingKind::divergent_barrier : FindingKind::absent_lanes;
    finding.headline =
        is_block_wide ? "barrier not reached by all threads" : "warp-level operation whose mask names threads that do not take part";
    finding.kernel = context.kernel;
    finding.stops = true;
    const Index block = to_index(violation.block);
    finding.places.push_back({PlaceRole::waits, source_of(violation.op, context), block, {}, {}, {}});
    finding.places.push_back({is_block_barrier(violation.other_op) ? PlaceRole::other_barrier : PlaceRole::elsewhere,
                              source_of(violation.other_op, context),
                              block,
                              thread_at(context, violation.warp, violation.lane),
                              {},
                              {}});
    return finding;
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

// Evidence of the finding besides place and memory.
void add_evidence(const Violation& violation, const LaunchContext& context, Finding* finding) {
    const unsigned others = violation.lanes == 0 ? 0 : machine::lane_count(violation.lanes) - 1;
    switch (finding->kind) {
        case FindingKind::absent_lanes:
            if (const ptx::Instruction* const instruction = instruction_of(violation.op)) {
                finding->operation = name_of_warp_operation(*instruction);
                finding->measured[Quantity::mask] = violation.members;
                finding->measured[Quantity::lane] = violation.lane;
            }
            break;
        case FindingKind::endless:
            finding->measured[Quantity::warp_instructions] = context.config->max_instructions;
            if (violation.waits_for_block) {
                finding->details.emplace_back(context.config->order == machine::Order::reversed
                                                  ? "blocks run in reversed order here, and CUDA promises no order"
                                                  : "only a cooperative launch promises that all blocks of a grid run at once");
            } else if (violation.text.empty()) {
                finding->advice = "look at the loop that contains this line and at what should end it";
            } else {
                finding->details.push_back(violation.text);
            }
            break;
        case FindingKind::assertion:
            finding->details.push_back(violation.text);
            break;
        default:
            if (finding->kind == FindingKind::misaligned && violation.op->vector > 1) {
                finding->measured[Quantity::elements] = violation.op->vector;
                finding->measured[Quantity::access_bytes] = violation.op->width;
            }
            if (others != 0 && !finding->locations.empty()) finding->measured[Quantity::other_threads] = others;
            break;
    }
}

}  // namespace

Finding explain(const Violation& seen, const LaunchContext& context) {
    if (seen.kind == FindingKind::divergent_barrier) return explain_barrier(seen, context);
    Violation violation = seen;
    // Constant and global memory are one to the machine, but not to the reader.
    const ptx::Instruction* instruction = instruction_of(seen.op);
    if (instruction != nullptr && instruction->space == ptx::Space::constant) violation.space = ptx::Space::constant;
    const FindingKind kind = refine(violation, *context.memory);
    Finding finding = start(kind, headline_for(violation, kind), violation.op, context, to_index(violation.block),
                            thread_at(context, violation.warp, violation.lane));
    finding.stops = true;
    if (violation.bytes != 0 || violation.kind == FindingKind::misaligned) {
        finding.space = space_of(violation.space);
        finding.places[0].role = violation.is_store ? PlaceRole::write : PlaceRole::read;
        finding.locations.push_back(location_of(violation, context));
        finding.measured[Quantity::access_bytes] = violation.bytes;
    }
    add_evidence(violation, context, &finding);
    return finding;
}

}  // namespace lab::observers
