// Decoding of calls.
#include <fmt/format.h>

#include "common/emulator/machine/builtins.h"
#include "common/emulator/machine/call_graph.h"
#include "common/emulator/machine/control.h"
#include "common/emulator/machine/decoder.h"
#include "common/emulator/machine/table.h"
#include "common/emulator/machine/windows.h"

namespace lab::machine {

using ptx::Operand;

// Slots of a list of arguments or results.
std::vector<ParamSlot> Decoder::slots_of(const Operand& list) {
    std::vector<ParamSlot> slots;
    for (const Operand& element : list.elements) {
        if (element.kind == Operand::Kind::reg) {
            const OperandType type = type_of_register(element.reg);
            slots.push_back({register_slot(element.reg), type == OperandType::bits64 ? 8U : 4U});
        } else if (element.kind == Operand::Kind::symbol) {
            slots.push_back(param_variable(element));
        } else {
            slots.push_back({source(element, OperandType::bits32), 4});
        }
    }
    return slots;
}

void Decoder::decode_call() {
    // call{.uni} (results), callee, (arguments); either list may be missing
    const auto& operands = current_->operands;
    const Operand* callee = nullptr;
    const Operand* results = nullptr;
    const Operand* arguments = nullptr;
    for (const Operand& operand : operands) {
        if (operand.kind == Operand::Kind::list) {
            (callee == nullptr ? results : arguments) = &operand;
        } else if (callee == nullptr) {
            callee = &operand;
        }
    }
    const bool indirect = callee != nullptr && callee->kind == Operand::Kind::reg;
    const bool direct = callee != nullptr && callee->kind == Operand::Kind::symbol && callee->symbol_kind == Operand::SymbolKind::function;
    if (!indirect && !direct) refuse("a call without a function is not possible,");
    if (current_->guard) refuse("a guarded call is not supported,");
    std::vector<ParamSlot> argument_slots = arguments == nullptr ? std::vector<ParamSlot>{} : slots_of(*arguments);
    std::vector<ParamSlot> result_slots = results == nullptr ? std::vector<ParamSlot>{} : slots_of(*results);
    if (indirect) {
        const std::uint32_t pointer = source(*callee, OperandType::bits64);
        Op& op = emit(call_indirect);
        op.a = pointer;
        auto& details = detail<CallDetail>(op);
        for (const std::uint32_t index : pointed_functions(kernel_.module()))
            details.targets[function_address(index)] = kernel_.function(index);
        details.arguments = std::move(argument_slots);
        details.results = std::move(result_slots);
        return;
    }
    const ptx::Function& function = kernel_.module().functions[callee->index];
    if (function.is_declaration) return decode_call_of_declared(function, std::move(argument_slots), std::move(result_slots));
    FunctionCode* code = kernel_.function(callee->index);
    Op& op = emit(call);
    auto& details = detail<CallDetail>(op);
    details.callee = code;
    details.arguments = std::move(argument_slots);
    details.results = std::move(result_slots);
}

// The call of a function that the machine provides: of the math library, or a builtin.
void Decoder::decode_call_of_declared(const ptx::Function& function, std::vector<ParamSlot> arguments, std::vector<ParamSlot> results) {
    const Definition* math = Table::instance().find_function(function.name);
    if (math != nullptr && arguments.size() == math->source_count && results.size() == 1) {
        Op& op = emit(math->run[0], math->run[1]);
        const auto at = [&](std::size_t i) { return i < arguments.size() ? arguments[i].offset : 0; };
        op.dst = results[0].offset;
        op.a = at(0);
        op.b = at(1);
        op.c = at(2);
        op.extra = at(3);
        return;
    }
    kernel_.code().module_functions_called.push_back(function.name);
    const Handler handler = builtin_function(function.name);
    if (handler == nullptr && function.name == "malloc")
        refuse("memory from malloc or new in a kernel is not supported by the emulator: run this program on a GPU,");
    if (handler == nullptr)
        refuse(fmt::format("'{}' is called but not defined (is it in another file, or a library function that the emulator lacks?)",
                           function.name));
    Op& op = emit(handler);
    auto& details = detail<BuiltinDetail>(op);
    details.arguments = std::move(arguments);
    details.results = std::move(results);
}

}  // namespace lab::machine
