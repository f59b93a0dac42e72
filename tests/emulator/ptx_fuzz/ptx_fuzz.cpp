// Feeds arbitrary bytes to the PTX parser. The result must be a module or an Error, and a module must satisfy its invariants.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "common/emulator/ptx/module.h"

namespace {

using namespace lab::ptx;

void require(bool promise) {
    if (!promise) std::abort();
}

void check_operand(const Module& module, const Function& function, const Operand& operand) {
    if (operand.kind == Operand::Kind::reg || operand.has_register) require(operand.reg < function.registers.size());
    if (operand.kind == Operand::Kind::label) require(operand.index <= function.body.size());
    switch (operand.symbol_kind) {
        case Operand::SymbolKind::none:
            break;
        case Operand::SymbolKind::module_variable:
            require(operand.index < module.variables.size());
            break;
        case Operand::SymbolKind::function_variable:
            require(operand.index < function.variables.size());
            break;
        case Operand::SymbolKind::parameter:
            require(operand.index < function.parameters.size());
            break;
        case Operand::SymbolKind::return_parameter:
            require(operand.index < function.results.size());
            break;
        case Operand::SymbolKind::function:
            require(operand.index < module.functions.size());
            break;
        case Operand::SymbolKind::label_table:
            require(operand.index < function.label_tables.size());
            break;
    }
    for (const Operand& element : operand.elements) check_operand(module, function, element);
}

void check_function(const Module& module, const Function& function) {
    const std::size_t size = function.body.size();
    require(function.block_starts.empty() == function.body.empty());
    for (std::size_t i = 0; i < function.block_starts.size(); ++i) {
        require(function.block_starts[i] < size);
        require(i == 0 ? function.block_starts[i] == 0 : function.block_starts[i - 1] < function.block_starts[i]);
    }
    for (const LabelTable& table : function.label_tables) {
        for (const std::uint32_t target : table.targets) require(target <= size);
    }
    for (const Instruction& instruction : function.body) {
        require(!instruction.text.empty() && instruction.reconvergence <= size);
        if (instruction.guard) require(instruction.guard->reg < function.registers.size());
        for (const Operand& operand : instruction.operands) check_operand(module, function, operand);
        static_cast<void>(module.describe(instruction.where));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const Module module = parse({reinterpret_cast<const char*>(data), size});
        for (const Function& function : module.functions) check_function(module, function);
        for (const Variable& variable : module.variables) {
            require(variable.initial.size() <= variable.size);
            for (const Variable::Relocation& relocation : variable.relocations) {
                require(relocation.offset < variable.size && variable.size - relocation.offset >= 4);
            }
        }
    } catch (const Error&) {
    }
    return 0;
}
