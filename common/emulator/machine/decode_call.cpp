// Decoding of calls, parameters, branches, exits and barriers. ld.param and st.param with a name: kernel parameters are constants; a
// function's are in its frame.
#include <fmt/format.h>

#include "common/emulator/machine/builtins.h"
#include "common/emulator/machine/call_graph.h"
#include "common/emulator/machine/control.h"
#include "common/emulator/machine/decoder.h"
#include "common/emulator/machine/memory_access.h"
#include "common/emulator/machine/memory_ops.h"
#include "common/emulator/machine/table.h"
#include "common/emulator/machine/windows.h"

namespace lab::machine {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

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

namespace {

bool is_param_variable(const Operand& operand) {
    return !operand.has_register &&
           (operand.symbol_kind == Operand::SymbolKind::parameter || operand.symbol_kind == Operand::SymbolKind::return_parameter ||
            operand.symbol_kind == Operand::SymbolKind::function_variable);
}

}  // namespace

bool Decoder::decode_param_access() {
    const bool is_load = current_->opcode() == Opcode::ld;
    if ((!is_load && current_->opcode() != Opcode::st) || current_->space != Space::param) return false;
    const auto& operands = current_->operands;
    const Operand& memory = is_load ? operands[1] : operands[0];
    if (!is_param_variable(memory)) return false;
    const Operand& data = is_load ? operands[0] : operands[1];
    const Type type = current_->type;
    const std::uint32_t width = ptx::size_of(type);
    const bool kernel_argument = source_.is_entry && memory.symbol_kind == Operand::SymbolKind::parameter;
    std::vector<const Operand*> elements;
    if (data.kind == Operand::Kind::vector) {
        for (const Operand& element : data.elements) elements.push_back(&element);
    } else {
        elements.push_back(&data);
    }
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const Operand& element = *elements[i];
        const std::uint32_t byte = static_cast<std::uint32_t>(memory.offset) + static_cast<std::uint32_t>(i) * width;
        const OperandType kept = element.kind == Operand::Kind::reg ? type_of_register(element.reg) : operand_type_of(type);
        const bool wide = kept == OperandType::bits64;
        if (kernel_argument) {
            if (!is_load) refuse("a write to a kernel's parameter is not possible,");
            const std::uint32_t from = kernel_parameter(source_.parameters[memory.index].offset + byte, width, is_signed_type(type), wide);
            const std::uint32_t to = destination(element, kept);
            emit_guard();
            emit_move(to, from, kept);
            continue;
        }
        const ParamSlot variable = param_variable(memory);
        if (byte + width > variable.lane_bytes) refuse("a parameter is accessed beyond its end,");
        const std::uint32_t slot = is_load ? destination(element, kept) : source(element, kept);
        emit_guard();
        Op& op = emit(is_load ? load_param_variable : store_param_variable);
        op.width = static_cast<std::uint8_t>(width);
        op.flags = static_cast<std::uint8_t>((is_signed_type(type) ? flag_signed : 0) | (wide ? flag_wide_lanes : 0));
        op.a = variable.offset;
        op.extra = variable.lane_bytes;
        op.offset = byte;
        (is_load ? op.dst : op.b) = slot;
    }
    return true;
}

void Decoder::decode_branch() {
    const auto& operands = current_->operands;
    if (current_->opcode() == Opcode::brx) {
        if (current_->guard) refuse("a guarded brx.idx is not supported,");
        const std::uint32_t slot = source(operands[0], OperandType::bits32);
        Op& op = emit(branch_indexed);
        op.a = slot;
        fixups_.push_back({static_cast<std::uint32_t>(out_.ops.size() - 1), none, current_->reconvergence,
                           source_.label_tables[operands[1].index].targets});
        return;
    }
    const Operand& label = operands[0];
    if (!current_->guard) {
        emit(jump);
        fixups_.push_back({static_cast<std::uint32_t>(out_.ops.size() - 1), label.index, none, {}});
        return;
    }
    const std::uint32_t slot = register_slot(current_->guard->reg);
    Op& op = emit(branch);
    op.a = slot;
    if (current_->guard->negated) op.flags |= flag_negated;
    fixups_.push_back({static_cast<std::uint32_t>(out_.ops.size() - 1), label.index, current_->reconvergence, {}});
}

void Decoder::decode_exit() {
    const std::uint32_t slot = current_->guard ? register_slot(current_->guard->reg) : 0;
    Op& op = emit(leave);
    op.kind = current_->opcode() == Opcode::exit ? 1 : 0;
    if (current_->guard) {
        op.a = slot;
        op.flags = static_cast<std::uint8_t>(flag_guarded | (current_->guard->negated ? flag_negated : 0));
    }
}

void Decoder::decode_barrier() {
    // bar{.cta}.sync a{, b}; bar.arrive a, b; bar.red.popc.u32 d, a{, b}, {!}c; bar.red.and.pred p, a{, b}, {!}q
    if (current_->guard) refuse("a guarded barrier is not supported,");
    BarrierDetail detail_value;
    const auto& operands = current_->operands;
    std::size_t next = 0;
    if (has(Modifier::red)) {
        if (operands.size() < 3) refuse_operand_count();
        using Reduction = BarrierDetail::Reduction;
        detail_value.reduction = has(Modifier::popc) ? Reduction::count : has(Modifier::and_) ? Reduction::all : Reduction::any;
        detail_value.result =
            destination(operands[0], detail_value.reduction == Reduction::count ? OperandType::bits32 : OperandType::pred);
        const Operand& input = operands.back();
        detail_value.predicate = source(input, OperandType::pred);
        detail_value.negated = input.negated;
        next = 1;
    }
    detail_value.arrive_only = has(Modifier::arrive);
    const std::size_t last = operands.size() - (has(Modifier::red) ? 1 : 0);
    detail_value.id = next < last ? source(operands[next], OperandType::bits32) : constant(0, OperandType::bits32);
    detail_value.threads = next + 1 < last ? source(operands[next + 1], OperandType::bits32) : BarrierDetail::no_slot;
    if (next + 1 < last || detail_value.arrive_only) kernel_.code().has_named_barriers = true;
    Op& op = emit(barrier);
    detail<BarrierDetail>(op) = detail_value;
}

}  // namespace lab::machine
