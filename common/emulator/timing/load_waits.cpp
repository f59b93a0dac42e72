#include "common/emulator/timing/load_waits.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "common/emulator/machine/launch.h"
#include "common/emulator/machine/register_uses.h"
#include "common/emulator/ptx/cfg.h"
#include "common/emulator/ptx/instruction_set.h"
#include "common/emulator/timing/unrolled_loops.h"
#include "common/emulator/timing/warp_schedule.h"

namespace lab::timing {

using machine::one_q4;
using machine::reads_any;
using machine::RegisterUses;
using machine::uses_of;

namespace {

using ptx::Instruction;

// By register: whether an outstanding load will set it.
using Pending = std::vector<bool>;

class Waits {
public:
    // `flow`: if-converted.
    Waits(const ptx::Function& function, ptx::Space space, const ptx::ControlFlow& flow, const std::vector<RegisterUses>& uses,
          const std::vector<UnrolledLoop>& loops)
        : function_(function), space_(space), flow_(flow), uses_(uses), marked_(function.body.size(), false) {
        waits_q4_.assign(function.body.size(), static_cast<std::uint8_t>(one_q4));
        for (const UnrolledLoop& loop : loops) {
            const auto begin = function.body.begin() + static_cast<std::ptrdiff_t>(loop.begin);
            const auto end = function.body.begin() + static_cast<std::ptrdiff_t>(loop.end);
            if (!loop.can_load_ahead || std::any_of(begin, end, [&](const Instruction& instruction) { return holds_back(instruction); }))
                continue;
            std::fill(waits_q4_.begin() + static_cast<std::ptrdiff_t>(loop.begin),
                      waits_q4_.begin() + static_cast<std::ptrdiff_t>(loop.end),
                      static_cast<std::uint8_t>(std::max<std::uint64_t>(1, one_q4 / loop.unroll_factor)));
        }
        const std::size_t blocks = flow_.block_starts.size();
        early_.assign(function.body.size(), false);
        out_.assign(blocks, Pending(function.registers.size(), false));
        predecessors_.resize(blocks + 1);
        for (std::size_t block = 0; block < blocks; ++block) {
            for (const std::uint32_t next : flow_.successors[block]) predecessors_[next].push_back(block);
        }
        // The sets of pending registers grow along the paths to a fixed point. (The limit is only for unforeseen inputs.)
        bool changed = true;
        for (std::size_t round = 0; changed && round < blocks + 2; ++round) {
            changed = false;
            std::fill(early_.begin(), early_.end(), false);
            for (std::size_t block = 0; block < blocks; ++block) {
                Pending out = walk(block);
                if (out == out_[block]) continue;
                out_[block] = std::move(out);
                changed = true;
            }
        }
        std::fill(marked_.begin(), marked_.end(), false);
        std::fill(early_.begin(), early_.end(), false);
        for (std::size_t block = 0; block < blocks; ++block) walk(block);
    }
    [[nodiscard]] std::vector<std::uint8_t> take() {
        for (std::size_t i = 0; i < marked_.size(); ++i) waits_q4_[i] = marked_[i] ? waits_q4_[i] : 0;
        return std::move(waits_q4_);
    }

private:
    [[nodiscard]] std::size_t end_of(std::size_t block) const {
        return block + 1 < flow_.block_starts.size() ? flow_.block_starts[block + 1] : function_.body.size();
    }

    [[nodiscard]] bool is_load(const Instruction& instruction) const {
        if (ptx::row_of(instruction.opcode()).kind != ptx::InstructionKind::load) return false;
        return instruction.space == space_ || (instruction.space == ptx::Space::generic && space_ == ptx::Space::global);
    }

    // Whether later loads can't move before it.
    [[nodiscard]] bool holds_back(const Instruction& instruction) const {
        if (keeps_order(instruction)) return true;
        if (instruction.opcode() != ptx::Opcode::st) return false;
        return instruction.space == space_ || (instruction.space == ptx::Space::generic && space_ == ptx::Space::global);
    }

    // Pending registers at the block's beginning; for a loop's head, those of the back edge.
    [[nodiscard]] Pending pending_at(std::size_t block) const {
        const auto& all = predecessors_[block];
        const bool is_head = std::any_of(all.begin(), all.end(), [&](std::size_t from) { return from >= block; });
        Pending pending(function_.registers.size(), false);
        for (const std::size_t from : all) {
            if (is_head && from < block) continue;
            for (std::size_t reg = 0; reg < pending.size(); ++reg) pending[reg] = pending[reg] || out_[from][reg];
        }
        return pending;
    }

    [[nodiscard]] bool reads(std::size_t at, const Pending& of) const { return reads_any(uses_[at], of); }

    void issue(std::size_t at, Pending* pending) {
        if (std::none_of(pending->begin(), pending->end(), [](bool is) { return is; })) marked_[at] = true;
        for (const std::uint32_t reg : uses_[at].written) (*pending)[reg] = true;
    }

    // Marks as issued at `at` the loads up to `end` that can be: up to an instruction that holds loads back, those whose addresses depend
    // on none of these loads.
    void issue_early(std::size_t at, std::size_t end, Pending* pending) {
        Pending loaded(function_.registers.size(), false);
        std::vector<std::size_t> found;
        for (std::size_t i = at; i < end && !holds_back(function_.body[i]); ++i) {
            const bool depends = reads(i, loaded);
            if (is_load(function_.body[i]) && !depends && !reads(i, *pending)) found.push_back(i);
            for (const std::uint32_t reg : uses_[i].written) loaded[reg] = depends || is_load(function_.body[i]);
        }
        for (const std::size_t i : found) {
            issue(i, pending);
            early_[i] = true;
        }
    }

    // Pending registers at the block's end.
    Pending walk(std::size_t block) {
        Pending pending = pending_at(block);
        const std::size_t end = end_of(block);
        const std::size_t begin = flow_.block_starts[block];
        issue_early(begin, end, &pending);
        for (std::size_t i = begin; i < end; ++i) {
            if (early_[i]) continue;
            if (reads(i, pending)) std::fill(pending.begin(), pending.end(), false);
            if (is_load(function_.body[i])) issue(i, &pending);
            if (holds_back(function_.body[i])) issue_early(i + 1, end, &pending);
        }
        return pending;
    }

    const ptx::Function& function_;
    ptx::Space space_;
    const ptx::ControlFlow& flow_;
    const std::vector<RegisterUses>& uses_;
    std::vector<std::vector<std::size_t>> predecessors_;
    std::vector<Pending> out_;
    std::vector<bool> early_;  // by instruction: a load that is issued before its place
    std::vector<bool> marked_;
    std::vector<std::uint8_t> waits_q4_;  // by instruction: of a wait, if one begins with it
};

}  // namespace

LoadWaits load_waits(const ptx::Module& module, const ptx::Function& function) {
    std::vector<RegisterUses> uses;
    for (const Instruction& instruction : function.body) uses.push_back(uses_of(instruction));
    ptx::ControlFlow flow = without_jumps(function, ptx::control_flow(module, function));
    const std::vector<UnrolledLoop> loops = unrolled_loops(function, flow, uses);
    flow = if_converted(function, std::move(flow));
    LoadWaits result{.global = Waits(function, ptx::Space::global, flow, uses, loops).take(),
                     .shared = Waits(function, ptx::Space::shared, flow, uses, loops).take(),
                     .dependent_q6 = warp_schedule(module, function, flow, uses, loops)};
    result.saved_instructions.assign(function.body.size(), 0);
    for (const UnrolledLoop& loop : loops) result.saved_instructions[loop.begin] = loop.saved_instructions;
    return result;
}

}  // namespace lab::timing
