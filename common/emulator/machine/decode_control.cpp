// Decoding of branches, exits and barriers.
#include <fmt/format.h>

#include "common/emulator/machine/control.h"
#include "common/emulator/machine/decoder.h"

namespace lab::machine {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

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
