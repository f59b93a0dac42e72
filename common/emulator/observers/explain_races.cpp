// Text of races: two threads, two places, and the missing synchronisation.
#include <algorithm>

#include "common/emulator/observers/explain.h"
#include "common/emulator/ptx/cfg.h"

namespace lab::observers {

using machine::AccessKind;

namespace {

constexpr const char* no_barrier = "with no __syncthreads() in between";
// Used only if no two warps race: such a program may need less than a barrier.
constexpr const char* no_order_in_warp = "with no __syncthreads() or __syncwarp() in between";
constexpr const char* two_writers = "; two threads write the same element, and only one should";

PlaceRole role_of(AccessKind kind) {
    return kind == AccessKind::load ? PlaceRole::read : kind == AccessKind::store ? PlaceRole::write : PlaceRole::atomic_update;
}

// An op for a memory instruction, since places are looked up by op.
machine::Op op_for(const machine::MemoryOp& memory_op) {
    machine::Op op{.index = memory_op.index, .function = const_cast<machine::FunctionCode*>(memory_op.function)};
    return op;
}

Finding start_race(const char* headline, MemorySpace space, std::uint64_t count, const LaunchContext& context) {
    Finding finding{.kind = FindingKind::race, .headline = headline, .count = count, .kernel = context.kernel, .space = space};
    return finding;
}

bool is_on_one_line(const Finding& race) { return race.line() != 0 && race.line() == race.other_line(); }

// A line that is executed after a later one of the same file: a loop has come round.
bool writes_above_read(const Finding& race) {
    const bool writes_first = race.places[0].role == PlaceRole::write;
    const SourceLine& write = race.places[writes_first ? 0 : 1].source;
    const SourceLine& read = race.places[writes_first ? 1 : 0].source;
    return write.is_known() && write.file == read.file && write.line < read.line;
}

// Whether one loop has both instructions: each is reachable from the other.
bool is_in_one_loop(const machine::Op& one, const machine::Op& other, const LaunchContext& context) {
    if (one.function != other.function) return true;  // a device function may be called in one
    const ptx::ControlFlow flow = ptx::control_flow(*context.module, *one.function->source);
    const auto block_of = [&](const machine::Op& op) {
        return std::ranges::upper_bound(flow.block_starts, op.index) - flow.block_starts.begin() - 1;
    };
    const auto reaches = [&](const machine::Op& from, const machine::Op& to) {
        const auto leads_there = [&](std::uint32_t next) -> bool { return ptx::reachable_from(flow.successors, next)[block_of(to)]; };
        return std::ranges::any_of(flow.successors.at(block_of(from)), leads_there);
    };
    return reaches(one, other) && reaches(other, one);
}

// Whether a barrier of the block stands on a line between those of the two accesses. Compilers move code, but no line changes its number.
bool has_barrier_between(const Finding& race, const machine::FunctionCode* function, const LaunchContext& context) {
    const auto [first, last] = std::minmax({race.line(), race.other_line()});
    if (function == nullptr || function->source == nullptr || first == 0 || race.places[0].source.file != race.places[1].source.file) {
        return false;
    }
    const auto& body = function->source->body;
    for (std::uint32_t at = 0; at < body.size(); ++at) {
        const bool is_barrier = body[at].opcode() == ptx::Opcode::bar || body[at].opcode() == ptx::Opcode::barrier;
        if (!is_barrier || body[at].has(ptx::Modifier::warp)) continue;
        machine::Op op{.index = at, .function = const_cast<machine::FunctionCode*>(function)};
        const SourceLine source = source_of(&op, context);
        if (source.file == race.places[0].source.file && first < source.line && source.line < last) return true;
    }
    return false;
}

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
    // A store of a constant beside another store probably clears an element that others add to.
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

Finding explain(const Race& race, const LaunchContext& context) {
    Finding finding = start_race("race in shared memory", MemorySpace::shared, race.count, context);
    const Index block = block_at(context, race.block);
    for (const Touch* const touch : {&race.earlier, &race.later}) {
        finding.places.push_back(
            {role_of(touch->kind), source_of(touch->op, context), block, thread_at(context, touch->warp, touch->lane), {}, {}});
    }
    finding.locations.push_back(in_shared_variable(race.address, 1, context));
    const bool both_write = race.earlier.kind == AccessKind::store && race.later.kind == AccessKind::store;
    finding.is_next_iteration = race.read_first && writes_above_read(finding) && is_in_one_loop(*race.earlier.op, *race.later.op, context);
    finding.advice = race.within_warp() ? no_order_in_warp : no_barrier;
    if (both_write && is_on_one_line(finding)) finding.advice += two_writers;
    return finding;
}

Finding explain(const GlobalRace& race, const LaunchContext& context) {
    const bool are_alike_in_16_bits = race.between_blocks && (race.later.linear - race.earlier.linear) % 65536 == 0;
    const char* const headline = are_alike_in_16_bits  ? "race in global memory between blocks whose numbers are alike in 16 bits"
                                 : race.between_blocks ? "race in global memory between blocks"
                                                       : "race in global memory";
    Finding finding = start_race(headline, MemorySpace::global, race.count, context);
    for (const GlobalTouch* const touch : {&race.earlier, &race.later}) {
        const machine::Op op = op_for(*touch->op);
        finding.places.push_back({role_of(touch->op->kind),
                                  source_of(&op, context),
                                  block_at(context, touch->linear),
                                  thread_at(context, touch->thread / machine::warp_size, touch->thread % machine::warp_size),
                                  {},
                                  {}});
    }
    finding.locations.push_back(context.memory->locate(race.address, 1));
    const bool one_line = is_on_one_line(finding);
    finding.has_barrier_between = race.between_blocks && has_barrier_between(finding, race.earlier.op->function, context);
    finding.advice = race.between_blocks ? advice_between_blocks(race, one_line, context) : advice_within_block(race, one_line);
    return finding;
}

}  // namespace lab::observers
