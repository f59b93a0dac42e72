#include "common/emulator/machine/register_uses.h"

#include <algorithm>
#include <cstddef>

#include "common/emulator/ptx/instruction_set.h"
#include "common/emulator/ptx/module.h"

namespace lab::machine {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

namespace {

bool names_register(const Operand& operand) { return operand.kind == Operand::Kind::reg || operand.has_register; }

// Number of leading operands that are results.
std::size_t results_of(const ptx::Instruction& instruction) {
    const ptx::InstructionRow& row = ptx::row_of(instruction.opcode());
    if (row.results != ptx::Results::one_or_two) return row.results == ptx::Results::none ? 0 : 1;
    // "p
    // q" and "d
    // p": one more operand than without the second result.
    const bool combines = instruction.opcode() == Opcode::setp &&
                          (instruction.has(Modifier::and_) || instruction.has(Modifier::or_) || instruction.has(Modifier::xor_));
    return instruction.operands.size() > row.with_one_result + (combines ? 1 : 0) ? 2 : 1;
}

}  // namespace

RegisterUses uses_of(const ptx::Instruction& instruction) {
    RegisterUses uses;
    if (instruction.guard) {
        uses.read.push_back(instruction.guard->reg);
        uses.is_certain = false;
    }
    const std::size_t results = results_of(instruction);
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
        ptx::for_each_within(instruction.operands[i], [&](const Operand& operand) {
            if (operand.kind == Operand::Kind::reg) (i < results ? uses.written : uses.read).push_back(operand.reg);
            if (operand.kind != Operand::Kind::reg && operand.has_register) uses.read.push_back(operand.reg);
        });
    }
    return uses;
}

bool reads_any(const RegisterUses& uses, const std::vector<bool>& marked) {
    return std::any_of(uses.read.begin(), uses.read.end(), [&](std::uint32_t reg) { return marked[reg]; });
}

std::vector<bool> instructions_in_loops(const ptx::Function& function) {
    const std::size_t count = function.body.size();
    std::vector<std::int32_t> loops(count + 1, 0);
    const auto jump = [&](std::size_t from, std::uint32_t to) {
        if (to > from) return;
        ++loops[to];
        --loops[from + 1];
    };
    for (std::size_t i = 0; i < count; ++i) {
        const ptx::Instruction& instruction = function.body[i];
        if (instruction.opcode() == Opcode::bra) jump(i, instruction.operands[0].index);
        if (instruction.opcode() == Opcode::brx) {
            for (const std::uint32_t target : function.label_tables[instruction.operands[1].index].targets) jump(i, target);
        }
    }
    std::vector<bool> in_loop(count, false);
    std::int32_t depth = 0;
    for (std::size_t i = 0; i < count; ++i) {
        depth += loops[i];
        in_loop[i] = depth != 0;
    }
    return in_loop;
}

std::vector<bool> settled_registers(const ptx::Function& function) {
    std::vector<bool> settled(function.registers.size(), false);
    if (!function.is_entry) return settled;  // a device function may be called again with other values
    const std::vector<bool> in_loop = instructions_in_loops(function);
    // Every operand in a result position counts as a definition; stores only make the answer more conservative.
    std::vector<std::uint32_t> definitions(function.registers.size(), 0);
    for (std::size_t i = 0; i < function.body.size(); ++i) {
        const ptx::Instruction& instruction = function.body[i];
        const bool two_results = ptx::row_of(instruction.opcode()).results == ptx::Results::one_or_two;
        const auto define = [&](const Operand& operand) {
            if (operand.kind == Operand::Kind::reg) definitions[operand.reg] += instruction.guard || in_loop[i] ? 2 : 1;
        };
        for (std::size_t k = 0; k < instruction.operands.size() && k < (two_results ? 2U : 1U); ++k)
            ptx::for_each_within(instruction.operands[k], define);
    }
    for (std::size_t reg = 0; reg < settled.size(); ++reg) settled[reg] = definitions[reg] == 1;
    return settled;
}

std::vector<bool> uniform_registers(const ptx::Function& function, const std::vector<bool>& settled) {
    std::vector<bool> uniform(function.registers.size(), false);
    for (const ptx::Instruction& instruction : function.body) {
        const bool is_parameter = instruction.opcode() == Opcode::ld && instruction.space == ptx::Space::param;
        const bool is_plain = is_parameter || ptx::row_of(instruction.opcode()).is_uniform_map;
        const bool is_of_thread = std::any_of(instruction.operands.begin(), instruction.operands.end(),
                                              [](const Operand& operand) { return operand.kind == Operand::Kind::special; });
        const RegisterUses uses = uses_of(instruction);
        if (!is_plain || is_of_thread || uses.written.size() != 1 || !settled[uses.written[0]]) continue;
        uniform[uses.written[0]] = std::all_of(uses.read.begin(), uses.read.end(), [&](std::uint32_t reg) { return uniform[reg]; });
    }
    return uniform;
}

std::vector<std::uint32_t> register_mentions(const ptx::Function& function) {
    std::vector<std::uint32_t> mentions(function.registers.size(), 0);
    const auto count = [&](const Operand& operand) {
        if (names_register(operand)) ++mentions[operand.reg];
    };
    for (const ptx::Instruction& instruction : function.body) {
        if (instruction.guard) ++mentions[instruction.guard->reg];
        ptx::for_each_operand(instruction, count);
    }
    return mentions;
}

bool is_read(const ptx::Function& function, std::uint32_t reg) {
    bool read = false;
    const auto look = [&](const Operand& operand) { read = read || (names_register(operand) && operand.reg == reg); };
    for (const ptx::Instruction& instruction : function.body) {
        for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
            const bool is_destination = i == 0 && instruction.operands[0].kind == Operand::Kind::reg && instruction.opcode() != Opcode::st;
            if (!is_destination) ptx::for_each_within(instruction.operands[i], look);
        }
        if (read) return true;
    }
    return false;
}

}  // namespace lab::machine
