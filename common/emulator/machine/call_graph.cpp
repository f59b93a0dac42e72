#include "common/emulator/machine/call_graph.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "common/emulator/ptx/module.h"

namespace lab::machine {

using ptx::Operand;

namespace {

bool is_call(const ptx::Instruction& instruction) { return instruction.opcode() == ptx::Opcode::call; }

bool is_call_through_pointer(const ptx::Instruction& instruction) {
    return is_call(instruction) && std::any_of(instruction.operands.begin(), instruction.operands.end(),
                                               [](const Operand& operand) { return operand.kind == Operand::Kind::reg; });
}

class RecursionFinder {
public:
    explicit RecursionFinder(const ptx::Module& module) : module_(module), states_(module.functions.size(), State::unseen) {}

    bool from(std::uint32_t function) {
        if (states_[function] != State::unseen) return states_[function] == State::open;
        states_[function] = State::open;
        for (const ptx::Instruction& instruction : module_.functions[function].body) {
            if (is_call(instruction) && comes_back(instruction)) return true;
        }
        states_[function] = State::done;
        return false;
    }

private:
    bool comes_back(const ptx::Instruction& call) {
        for (const Operand& operand : call.operands) {
            if (operand.kind == Operand::Kind::symbol && operand.symbol_kind == Operand::SymbolKind::function && from(operand.index))
                return true;
        }
        if (!is_call_through_pointer(call)) return false;
        if (!pointed_) pointed_ = pointed_functions(module_);
        return std::any_of(pointed_->begin(), pointed_->end(), [this](std::uint32_t callee) { return from(callee); });
    }

    enum class State : std::uint8_t { unseen, open, done };
    const ptx::Module& module_;
    std::optional<std::vector<std::uint32_t>> pointed_;  // computing it visits each instruction of the module, and few modules need it
    std::vector<State> states_;
};

}  // namespace

std::vector<std::uint32_t> pointed_functions(const ptx::Module& module) {
    std::vector<bool> taken(module.functions.size(), false);
    for (const auto& variable : module.variables) {
        for (const auto& relocation : variable.relocations) {
            for (std::size_t i = 0; i < module.functions.size(); ++i) {
                if (module.functions[i].name == relocation.symbol) taken[i] = true;
            }
        }
    }
    const auto take = [&](const Operand& operand) {
        if (operand.symbol_kind == Operand::SymbolKind::function) taken[operand.index] = true;
    };
    for (const auto& function : module.functions) {
        for (const auto& instruction : function.body) {
            if (!is_call(instruction)) ptx::for_each_operand(instruction, take);
        }
    }
    std::vector<std::uint32_t> list;
    for (std::uint32_t i = 0; i < taken.size(); ++i) {
        const auto& function = module.functions[i];
        if (taken[i] && !function.is_declaration && !function.is_entry) list.push_back(i);
    }
    return list;
}

std::vector<std::uint32_t> reached_functions(const ptx::Module& module, std::uint32_t function) {
    std::optional<std::vector<std::uint32_t>> pointed;
    std::vector<bool> known(module.functions.size(), false);
    std::vector<std::uint32_t> open;
    const auto reach = [&](std::uint32_t index) {
        if (!known[index]) open.push_back(index);
        known[index] = true;
    };
    const auto note = [&](const Operand& operand) {
        if (operand.symbol_kind == Operand::SymbolKind::function) reach(operand.index);
    };
    std::vector<std::uint32_t> reached;
    reach(function);
    while (!open.empty()) {
        reached.push_back(open.back());
        open.pop_back();
        for (const auto& instruction : module.functions[reached.back()].body) {
            ptx::for_each_operand(instruction, note);
            if (!is_call_through_pointer(instruction)) continue;
            if (!pointed) pointed = pointed_functions(module);
            std::for_each(pointed->begin(), pointed->end(), reach);
        }
    }
    return reached;
}

bool may_recurse(const ptx::Module& module, std::uint32_t function) { return RecursionFinder(module).from(function); }

}  // namespace lab::machine
