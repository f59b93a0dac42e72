// Decoding of ld.param and st.param with a name: kernel parameters are constants; a function's are in its frame.
#include "common/emulator/machine/decoder.h"
#include "common/emulator/machine/memory_access.h"
#include "common/emulator/machine/param_ops.h"

namespace lab::machine {

using ptx::Opcode;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

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

}  // namespace lab::machine
