// Decoding of atom and red.
#include <algorithm>

#include "common/emulator/machine/decoder.h"
#include "common/emulator/machine/memory_access.h"
#include "common/emulator/machine/memory_ops.h"
#include "common/emulator/machine/register_uses.h"
#include "common/emulator/ptx/instruction_set.h"

namespace lab::machine {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

namespace {

Modifier operation_of(const ptx::Encoding& encoding) {
    const auto* const found = std::ranges::find_if(
        encoding.modifiers, [](Modifier modifier) { return ptx::row_of(modifier).group == ptx::ModifierRow::Group::operation; });
    return found == std::end(encoding.modifiers) ? Modifier::none : *found;
}

// Whether a compiler may merge those of a warp's lanes into one atomic.
bool can_be_joined(Modifier operation) {
    return operation != Modifier::exch && operation != Modifier::cas && operation != Modifier::inc && operation != Modifier::dec;
}

}  // namespace

void Decoder::decode_atomic() {
    // atom{.sem}{.scope}{.space}.op.type d, [a], b{, c}; red without d
    const bool has_result = current_->opcode() == Opcode::atom;
    const auto& operands = current_->operands;
    const Space space = current_->space;
    const Type type = ptx::row_of(current_->encoding.from_last(0)).type;
    const Modifier operation = operation_of(current_->encoding);
    const HandlerPair handlers = atomic_handler(space, operation, type);
    const std::size_t first = has_result ? 1 : 0;
    if (handlers.run[0] == nullptr || operands.size() < first + 2) refuse_instruction();
    const OperandType kept = operand_type_of(type);
    Op op;
    op.width = static_cast<std::uint8_t>(ptx::size_of(type));
    op.kind = static_cast<std::uint8_t>(AccessKind::atomic);
    set_address(op, operands[first]);
    if (can_be_joined(operation) && operands[first].has_register && uniform_registers(source_, settled_)[operands[first].reg])
        op.flags |= flag_uniform;
    op.b = source(operands[first + 1], kept);
    op.c = operands.size() > first + 2 ? source(operands[first + 2], kept) : op.b;
    if (space == Space::shared || space == Space::generic) ++shared_writes_;
    if (has_result && operands[0].kind != Operand::Kind::sink) {
        op.dst = destination(operands[0], kept);
    } else {
        op.flags |= flag_no_result;
    }
    op.memory_id =
        kernel_.new_memory_op(out_, current_index_, space == Space::generic ? Space::global : space, AccessKind::atomic, op.width);
    if (space == Space::generic) {
        kernel_.new_memory_op(out_, current_index_, Space::shared, AccessKind::atomic, op.width);
        kernel_.new_memory_op(out_, current_index_, Space::local, AccessKind::atomic, op.width);
    }
    emit_guard();
    Op& emitted = emit(handlers.run[0], handlers.run[1]);
    op.run[0] = handlers.run[0];
    op.run[1] = handlers.run[1];
    op.index = emitted.index;
    op.function = emitted.function;
    emitted = op;
}

}  // namespace lab::machine
