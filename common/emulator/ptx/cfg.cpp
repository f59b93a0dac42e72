// Lanes reconverge at the immediate post-dominator, with one refinement: hardware removes an exited thread from its warp at once. So an
// edge on which the thread exits is ignored if the block has another one. With "if (i >= n) return;" the rest of the warp need not stay
// diverged until the kernel ends, and exited lanes need not wait at the kernel's last instruction while the others are at a barrier.
// Ignored are edges
// - to nowhere, by a guarded exit (in a kernel also a guarded ret);
// - to a block that is a lone exit (in a kernel also ret), or that leads straight to a trap or a call that never returns;
// - to code that leads straight to such an end and has no other entry: "if (bad) { *flag = 1; return; }"; but not if they are the only way
// out of a loop.
#include "common/emulator/ptx/cfg.h"

#include <algorithm>

#include "common/emulator/ptx/instruction_set.h"

namespace lab::ptx {

namespace {

enum class Ending : std::uint8_t {
    falls_through,
    branches,
    returns,  // to the caller: a ret in a device function
    exits,    // the thread ends
    dies,     // trap, a call that never returns: the launch ends
};

Ending ending_of(const Module& module, const Function& function, const Instruction& instruction) {
    switch (row_of(instruction.opcode()).kind) {
        case InstructionKind::branch:
            return Ending::branches;
        case InstructionKind::exit:
            return instruction.opcode() == Opcode::exit || function.is_entry ? Ending::exits : Ending::returns;
        case InstructionKind::trap:
            return Ending::dies;
        case InstructionKind::call: {
            const Operand& callee = instruction.operands[1];
            const bool is_direct = callee.symbol_kind == Operand::SymbolKind::function;
            return is_direct && module.functions[callee.index].is_noreturn ? Ending::dies : Ending::falls_through;
        }
        default:
            return Ending::falls_through;
    }
}

void for_each_target(const Function& function, const Instruction& instruction, auto&& visit) {
    if (instruction.opcode() == Opcode::bra) return visit(instruction.operands[0].index);
    for (const std::uint32_t target : function.label_tables[instruction.operands[1].index].targets) visit(target);
}

class Builder {
public:
    Builder(const Module& module, const Function& function) : function_(function) {
        endings_.reserve(function.body.size());
        for (const Instruction& instruction : function.body) endings_.push_back(ending_of(module, function, instruction));
        find_blocks();
        connect();
        find_ends();
        leave_out_ends();
    }
    ControlFlow take() { return std::move(flow_); }

private:
    // How control ends after a block.
    enum class End : std::uint8_t { none, only_way_in, always };

    [[nodiscard]] std::uint32_t exit() const { return static_cast<std::uint32_t>(flow_.block_starts.size()); }
    [[nodiscard]] std::size_t block_end(std::uint32_t block) const {
        return block + 1 < exit() ? flow_.block_starts[block + 1] : function_.body.size();
    }
    [[nodiscard]] const Instruction& last(std::uint32_t block) const { return function_.body[block_end(block) - 1]; }
    [[nodiscard]] Ending ending(std::uint32_t block) const { return endings_[block_end(block) - 1]; }

    void find_blocks() {
        const std::vector<Instruction>& body = function_.body;
        std::vector<bool> starts(body.size() + 1);
        starts[0] = true;
        for (std::size_t i = 0; i < body.size(); ++i) {
            if (endings_[i] != Ending::falls_through) starts[i + 1] = true;
            if (endings_[i] == Ending::branches) for_each_target(function_, body[i], [&](std::uint32_t target) { starts[target] = true; });
        }
        block_of_.resize(body.size() + 1);
        for (std::size_t i = 0; i < body.size(); ++i) {
            if (starts[i]) flow_.block_starts.push_back(static_cast<std::uint32_t>(i));
            block_of_[i] = exit() - 1;
        }
        block_of_[body.size()] = exit();
    }

    void connect() {
        flow_.successors.resize(exit());
        predecessors_.resize(exit() + 1);
        for (std::uint32_t block = 0; block < exit(); ++block) {
            auto& successors = flow_.successors[block];
            const Instruction& instruction = last(block);
            switch (ending(block)) {
                case Ending::falls_through:
                    break;
                case Ending::branches:
                    for_each_target(function_, instruction, [&](std::uint32_t target) { successors.push_back(block_of_[target]); });
                    break;
                default:
                    successors.push_back(exit());
            }
            if (ending(block) == Ending::falls_through || instruction.guard || successors.empty()) successors.push_back(block + 1);
            std::ranges::sort(successors);
            successors.erase(std::unique(successors.begin(), successors.end()), successors.end());
            for (const std::uint32_t next : successors) ++predecessors_[next];
        }
    }

    // Chains of blocks with a single successor: the end of the chain is the end of all its blocks, unless another block enters it.
    void find_ends() {
        ends_.assign(exit() + 1, End::none);
        std::vector<bool> done(exit() + 1);
        done[exit()] = true;
        std::vector<std::uint32_t> chain;
        for (std::uint32_t first = 0; first < exit(); ++first) {
            chain.clear();
            std::uint32_t block = first;
            for (; !done[block]; block = flow_.successors[block].front()) {
                done[block] = true;
                chain.push_back(block);
                if (flow_.successors[block].size() != 1) break;
            }
            for (; !chain.empty(); chain.pop_back()) ends_[chain.back()] = end_of(chain.back());
        }
    }
    [[nodiscard]] End end_of(std::uint32_t block) const {
        if (flow_.successors[block].size() != 1) return End::none;
        if (ending(block) == Ending::dies) return End::always;
        const End here = predecessors_[block] <= 1 ? End::only_way_in : End::none;
        if (ending(block) == Ending::exits) return block_end(block) - flow_.block_starts[block] == 1 ? End::always : here;
        const std::uint32_t next = flow_.successors[block].front();
        if (next == exit()) return ending(block) != Ending::returns && function_.is_entry ? here : End::none;
        return ends_[next] == End::none ? End::none : here;
    }

    void leave_out_ends() {
        flow_.reconverging = flow_.successors;
        for (std::uint32_t block = 0; block < exit(); ++block) {
            const bool ends_here = ending(block) == Ending::exits || ending(block) == Ending::dies;
            remove_unless_all(flow_.reconverging[block],
                              [&](std::uint32_t next) { return next == exit() ? ends_here : ends_[next] == End::always; });
        }
        const FlowGraph with_only_ways_in = flow_.reconverging;
        for (auto& successors : flow_.reconverging) {
            remove_unless_all(successors, [&](std::uint32_t next) { return ends_[next] != End::none; });
        }
        // Code after a loop also looks like such an end, but there the lanes that leave the loop one by one do reconverge.
        const std::vector<bool> infinite = in_infinite_loop(flow_.reconverging);
        for (std::uint32_t block = 0; block < exit(); ++block) {
            if (infinite[block]) flow_.reconverging[block] = with_only_ways_in[block];
        }
    }
    static void remove_unless_all(std::vector<std::uint32_t>& nodes, auto&& unwanted) {
        if (!std::ranges::all_of(nodes, unwanted)) std::erase_if(nodes, unwanted);
    }

    const Function& function_;
    std::vector<Ending> endings_;  // an instruction each
    std::vector<std::uint32_t> block_of_;
    std::vector<std::uint32_t> predecessors_;  // how many
    std::vector<End> ends_;
    ControlFlow flow_;
};

}  // namespace

ControlFlow control_flow(const Module& module, const Function& function) {
    if (function.body.empty()) return {};
    return Builder(module, function).take();
}

void analyse_control_flow(const Module& module, Function& function) {
    ControlFlow flow = control_flow(module, function);
    const std::vector<std::uint32_t> reconvergence = immediate_post_dominators(flow.reconverging);
    function.block_starts = std::move(flow.block_starts);
    for (std::size_t block = 0; block < reconvergence.size(); ++block) {
        const std::size_t end = block + 1 < reconvergence.size() ? function.block_starts[block + 1] : function.body.size();
        const std::uint32_t where = reconvergence[block] < reconvergence.size() ? function.block_starts[reconvergence[block]]
                                                                                : static_cast<std::uint32_t>(function.body.size());
        for (std::size_t i = function.block_starts[block]; i < end; ++i) function.body[i].reconvergence = where;
    }
}

}  // namespace lab::ptx
