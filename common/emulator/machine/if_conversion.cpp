#include "common/emulator/machine/if_conversion.h"

#include <algorithm>
#include <string>

namespace lab::machine {

namespace {

constexpr std::size_t most_instructions = 16;  // guarded; ptxas has such a limit, too, but doesn't tell it

bool stays_a_branch(const ptx::Instruction& instruction) {
    const std::string& name = instruction.parts[0];
    for (const char* const each : {"bar", "barrier", "call", "atom", "red", "ret", "exit", "trap", "brx"}) {
        if (name == each) return true;
    }
    return false;
}

// The block with `count` behind it; what the last of them leads to, it leads to then.
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
        std::vector<bool> goes(flow_.block_starts.size(), false);
        for (std::size_t block = flow_.block_starts.size(); block-- > 0;) {
            if (!is_short_guard(block) || is_guarded(block)) continue;
            const std::size_t behind = block + 2;
            goes[block] = goes[behind] || !branches_forward(behind) || meets(behind);
        }
        // From the end, so that the numbers of blocks before stay as they are.
        for (std::size_t block = flow_.block_starts.size(); block-- > 0;) {
            if (goes[block]) join(block, 2, &flow_);
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

    // Ends in a branch over the next block, which nothing else leads to, to the one behind, which nothing else leads to either.
    [[nodiscard]] bool is_short_guard(std::size_t block) const {
        const std::size_t inside = block + 1;
        const std::size_t behind = block + 2;
        const auto& next = flow_.successors[block];
        if (behind >= flow_.block_starts.size() || next.size() != 2 || std::min(next[0], next[1]) != inside ||
            std::max(next[0], next[1]) != behind)
            return false;
        if (flow_.successors[inside].size() != 1 || flow_.successors[inside][0] != behind) return false;
        if (predecessors_[inside].size() != 1 || predecessors_[behind].size() != 2) return false;
        return end_of(inside) - flow_.block_starts[inside] <= most_instructions && !any_in(inside, stays_a_branch);
    }

    // Only reached past a branch that skips it and what it guards, to somewhere further on.
    [[nodiscard]] bool is_guarded(std::size_t block) const {
        if (predecessors_[block].size() != 1) return false;
        const std::size_t before = predecessors_[block].front();
        const auto& next = flow_.successors[before];
        if (before >= block || next.size() != 2) return false;
        const std::size_t other = next[0] == block ? next[1] : next[0];
        return other > block && other < flow_.block_starts.size() && !any_in(other, [](const ptx::Instruction& instruction) {
                   return instruction.parts[0] == "ret" || instruction.parts[0] == "exit";
               });
    }

    [[nodiscard]] bool branches_forward(std::size_t block) const {
        const auto& next = flow_.successors[block];
        return next.size() > 1 && std::all_of(next.begin(), next.end(), [&](std::uint32_t to) { return to > block; });
    }
    [[nodiscard]] bool meets(std::size_t block) const {
        return any_in(
            block, [](const ptx::Instruction& instruction) { return instruction.parts[0] == "bar" || instruction.parts[0] == "barrier"; });
    }

    const ptx::Function& function_;
    ptx::ControlFlow flow_;
    std::vector<std::vector<std::size_t>> predecessors_;  // before anything is joined
};

}  // namespace

ptx::ControlFlow without_jumps(const ptx::Function& function, ptx::ControlFlow flow) {
    for (std::size_t block = flow.block_starts.size(); block-- > 1;) {
        const std::size_t end = block + 1 < flow.block_starts.size() ? flow.block_starts[block + 1] : function.body.size();
        const bool is_jump = end - flow.block_starts[block] == 1 && function.body[end - 1].parts[0] == "bra" &&
                             flow.successors[block].size() == 1 && flow.successors[block][0] != block;
        if (!is_jump || predecessors_in(flow)[block] != std::vector<std::size_t>{block - 1}) continue;
        auto next = flow.successors[block - 1];
        std::replace(next.begin(), next.end(), static_cast<std::uint32_t>(block), flow.successors[block][0]);
        flow.successors[block] = std::move(next);  // which join() hands on
        join(block - 1, 1, &flow);
    }
    return flow;
}

ptx::ControlFlow if_converted(const ptx::Function& function, ptx::ControlFlow flow) { return Converter(function, std::move(flow)).take(); }

}  // namespace lab::machine
