
#include <algorithm>

#include "common/emulator/ptx/instruction_set.h"
#include "common/emulator/timing/load_waits.h"

namespace lab::timing {

using ptx::Opcode;

namespace {

constexpr std::size_t max_instructions = 16;  // guarded; ptxas has such a limit, too, but doesn't document it

bool stays_a_branch(const ptx::Instruction& instruction) { return ptx::row_of(instruction.opcode()).needs_branch; }

// Whether an instruction does more than compute a second condition.
bool does_work(const ptx::Instruction& instruction) {
    const ptx::InstructionRow& row = ptx::row_of(instruction.opcode());
    if (row.kind == ptx::InstructionKind::load) return instruction.space != ptx::Space::param;
    return row.kind == ptx::InstructionKind::store || row.is_long;
}

bool is_exit(const ptx::Instruction& instruction) { return ptx::row_of(instruction.opcode()).kind == ptx::InstructionKind::exit; }

// Merges the block with the `count` blocks after it; it gets the successors of the last one.
void join(std::size_t block, std::size_t count, ptx::ControlFlow* flow) {
    flow->successors[block] = flow->successors[block + count];
    const auto erase = [&](auto& list) {
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(block) + 1, list.begin() + static_cast<std::ptrdiff_t>(block + count) + 1);
    };
    erase(flow->block_starts);
    erase(flow->successors);
    for (auto& all : flow->successors) {
        for (auto& to : all) to = to > block ? to - static_cast<std::uint32_t>(count) : to;
    }
}

std::vector<std::vector<std::size_t>> predecessors_in(const ptx::ControlFlow& flow) {
    std::vector<std::vector<std::size_t>> predecessors(flow.block_starts.size() + 1);
    for (std::size_t block = 0; block < flow.block_starts.size(); ++block) {
        for (const std::uint32_t next : flow.successors[block]) predecessors[next].push_back(block);
    }
    return predecessors;
}

class Converter {
public:
    Converter(const ptx::Function& function, ptx::ControlFlow flow)
        : function_(function), flow_(std::move(flow)), predecessors_(predecessors_in(flow_)) {}

    ptx::ControlFlow take() {
        std::vector<std::size_t> behind(flow_.block_starts.size(), 0);  // 0: stays a branch
        for (std::size_t block = flow_.block_starts.size(); block-- > 0;) {
            const std::size_t next = behind_guard(block);
            if (next == 0 || is_guarded(block)) continue;
            if (next < block || behind[next] != 0 || !branches_forward(next) || reconverges(next)) behind[block] = next;
        }
        // From the end, so that the numbers of earlier blocks don't change.
        for (std::size_t block = flow_.block_starts.size(); block-- > 0;) {
            if (behind[block] != 0) join(block, behind[block] > block ? behind[block] - block : 1, &flow_);
        }
        return std::move(flow_);
    }

private:
    [[nodiscard]] std::size_t end_of(std::size_t block) const {
        return block + 1 < flow_.block_starts.size() ? flow_.block_starts[block + 1] : function_.body.size();
    }
    template <class Which>
    [[nodiscard]] bool any_in(std::size_t block, Which which) const {
        const auto begin = function_.body.begin();
        return std::any_of(begin + static_cast<std::ptrdiff_t>(flow_.block_starts[block]),
                           begin + static_cast<std::ptrdiff_t>(end_of(block)), which);
    }

    // For a block that ends in a branch over a few instructions: the block after those, if nothing else leads to it. They may include a
    // second condition for the same guard, a && b, which the compiler before ptxas combines with the first. 0: no such block.
    [[nodiscard]] std::size_t behind_guard(std::size_t block) const {
        constexpr std::size_t max_blocks = 4;
        if (flow_.successors[block].size() != 2) return 0;
        if (const std::size_t latch = latch_behind(block); latch != 0) return latch;
        for (std::size_t behind = block + 2; behind <= block + max_blocks && behind < flow_.block_starts.size(); ++behind) {
            if (is_guarded_piece(block, behind)) return behind;
        }
        return 0;
    }

    // The same if one of these blocks leads to the loop's end, which precedes it in the text.
    [[nodiscard]] std::size_t latch_behind(std::size_t block) const {
        const std::size_t inside = block + 1;
        if (inside >= flow_.block_starts.size() || flow_.successors[inside].size() != 1) return 0;
        const std::size_t latch = flow_.successors[inside][0];
        const auto& next = flow_.successors[block];
        if (latch >= block || std::min(next[0], next[1]) != latch || std::max(next[0], next[1]) != inside) return 0;
        if (predecessors_[inside].size() != 1 || predecessors_[latch] != std::vector<std::size_t>{block, inside}) return 0;
        return end_of(inside) - flow_.block_starts[inside] <= max_instructions && !any_in(inside, stays_a_branch) ? latch : 0;
    }

    // Whether the few blocks between the two are reached only from the first and lead only to the last, and those of them that end in a
    // branch only compute a condition.
    [[nodiscard]] bool is_guarded_piece(std::size_t block, std::size_t behind) const {
        if (flow_.block_starts[behind] - flow_.block_starts[block + 1] > max_instructions) return false;
        const auto leads_within = [&](std::size_t each) {
            const auto& to = flow_.successors[each];
            return std::all_of(to.begin(), to.end(), [&](std::uint32_t next) { return next > each && next <= behind; });
        };
        const auto comes_from_within = [&](std::size_t each) {
            const auto& from = predecessors_[each];
            return std::all_of(from.begin(), from.end(), [&](std::size_t before) { return before >= block && before < behind; });
        };
        const auto fits = [&](std::size_t inside) {
            if (!leads_within(inside) || !comes_from_within(inside) || any_in(inside, stays_a_branch)) return false;
            return flow_.successors[inside].size() == 1 || (!any_in(inside, does_work) && skips_to(inside, behind));
        };
        for (std::size_t inside = block + 1; inside < behind; ++inside) {
            if (!fits(inside)) return false;
        }
        return leads_within(block) && skips_to(block, behind) && comes_from_within(behind);
    }

    // Whether it leads to the code after the guarded code, perhaps through a block that only moves registers.
    [[nodiscard]] bool skips_to(std::size_t block, std::size_t behind) const {
        const auto only_moves = [&](std::size_t each) {
            return !any_in(each, [](const ptx::Instruction& instruction) {
                const Opcode opcode = instruction.opcode();
                return opcode != Opcode::mov && opcode != Opcode::cvt && opcode != Opcode::bra;
            });
        };
        const auto& to = flow_.successors[block];
        return std::any_of(to.begin(), to.end(), [&](std::uint32_t next) {
            if (next == behind) return true;
            return next != block + 1 && flow_.successors[next].size() == 1 && flow_.successors[next][0] == behind && only_moves(next);
        });
    }

    // Whether it is reached only past a branch that skips it and its guarded code, to a later block.
    [[nodiscard]] bool is_guarded(std::size_t block) const {
        if (predecessors_[block].size() != 1) return false;
        const std::size_t before = predecessors_[block].front();
        const auto& next = flow_.successors[before];
        if (before >= block || next.size() != 2) return false;
        const std::size_t other = next[0] == block ? next[1] : next[0];
        return other > block && other < flow_.block_starts.size() && !any_in(other, is_exit);
    }

    // A branch there is a guarded exit.
    [[nodiscard]] bool only_returns(std::size_t block) const {
        if (block >= flow_.block_starts.size()) return true;
        return is_exit(function_.body[flow_.block_starts[block]]);
    }
    [[nodiscard]] bool branches_forward(std::size_t block) const {
        const auto& next = flow_.successors[block];
        return next.size() > 1 && std::all_of(next.begin(), next.end(), [&](std::uint32_t to) { return to > block && !only_returns(to); });
    }
    [[nodiscard]] bool reconverges(std::size_t block) const {
        return any_in(block, [](const ptx::Instruction& instruction) {
            return ptx::row_of(instruction.opcode()).kind == ptx::InstructionKind::barrier;
        });
    }

    const ptx::Function& function_;
    ptx::ControlFlow flow_;
    std::vector<std::vector<std::size_t>> predecessors_;  // before any merging
};

}  // namespace

ptx::ControlFlow without_jumps(const ptx::Function& function, ptx::ControlFlow flow) {
    for (std::size_t block = flow.block_starts.size(); block-- > 1;) {
        const std::size_t end = block + 1 < flow.block_starts.size() ? flow.block_starts[block + 1] : function.body.size();
        const bool is_jump = end - flow.block_starts[block] == 1 && function.body[end - 1].opcode() == Opcode::bra &&
                             flow.successors[block].size() == 1 && flow.successors[block][0] != block;
        if (!is_jump || predecessors_in(flow)[block] != std::vector<std::size_t>{block - 1}) continue;
        auto next = flow.successors[block - 1];
        std::replace(next.begin(), next.end(), static_cast<std::uint32_t>(block), flow.successors[block][0]);
        flow.successors[block] = std::move(next);  // which join() forwards
        join(block - 1, 1, &flow);
    }
    return flow;
}

ptx::ControlFlow if_converted(const ptx::Function& function, ptx::ControlFlow flow) { return Converter(function, std::move(flow)).take(); }

}  // namespace lab::timing
