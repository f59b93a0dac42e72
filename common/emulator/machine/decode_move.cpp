// Decoding of mov, cvta, isspacep.
#include <fmt/format.h>

#include <algorithm>

#include "common/emulator/machine/decoder.h"
#include "common/emulator/machine/memory_access.h"
#include "common/emulator/machine/memory_ops.h"
#include "common/emulator/machine/table.h"
#include "common/emulator/machine/windows.h"
#include "common/emulator/ptx/instruction_set.h"

namespace lab::machine {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;
using ptx::SpecialRegister;

namespace {

bool is_clock(SpecialRegister which) {
    switch (which) {
        case SpecialRegister::clock:
        case SpecialRegister::clock_hi:
        case SpecialRegister::clock64:
        case SpecialRegister::globaltimer:
        case SpecialRegister::globaltimer_lo:
        case SpecialRegister::globaltimer_hi:
            return true;
        default:
            return false;
    }
}

std::uint64_t window_of(Space space) {
    switch (space) {
        case Space::shared:
            return shared_window;
        case Space::local:
            return local_window;
        case Space::param:
            return param_window;
        default:
            return 0;
    }
}

}  // namespace

void Decoder::decode_move() {
    const Operand& to = current_->operands[0];
    const Operand& from = current_->operands[1];
    if (to.kind == Operand::Kind::vector || from.kind == Operand::Kind::vector) return decode_packed_move();
    if (to.kind != Operand::Kind::reg) refuse("mov without a register to write to,");
    if (decode_clock()) return;
    const OperandType type = type_of_register(to.reg);
    const std::uint32_t slot = source(from, type);
    emit_guard();
    emit_move(register_slot(to.reg), slot, type);
}

// Packs or unpacks: the first element is the least significant.
void Decoder::decode_packed_move() {
    const Operand& to = current_->operands[0];
    const Operand& from = current_->operands[1];
    const bool pack = from.kind == Operand::Kind::vector;
    const Operand& whole = pack ? to : from;
    const auto& parts = (pack ? from : to).elements;
    const ptx::Type type = ptx::row_of(current_->encoding.from_last(0)).type;
    const std::uint32_t total = is_scalar_type(type) ? ptx::size_of(type) : 0;
    if (total == 0 || total > 8 || parts.empty() || total % parts.size() != 0)
        refuse(fmt::format("'{}' with {} elements", current_->text, parts.size()));
    const auto width = static_cast<std::uint32_t>(total / parts.size());
    PackDetail value{.total = total, .width = width};
    const OperandType part_type = width == 8 ? OperandType::bits64 : OperandType::bits32;
    const OperandType whole_type = total == 8 ? OperandType::bits64 : OperandType::bits32;
    for (const Operand& part : parts) value.parts.push_back(pack ? source(part, part_type) : destination(part, part_type));
    value.whole = pack ? destination(whole, whole_type) : source(whole, whole_type);
    emit_guard();
    Op& op = emit(pack ? pack_register : unpack_register);
    detail<PackDetail>(op) = value;
}

// Decodes a move from a clock; false for other moves.
bool Decoder::decode_clock() {
    const Operand& to = current_->operands[0];
    const Operand& from = current_->operands[1];
    if (from.kind != Operand::Kind::special || !is_clock(from.special)) return false;
    const OperandType type = type_of_register(to.reg);
    const std::uint32_t slot = destination(to, type);
    emit_guard();
    Op& op = emit(read_clock);
    op.dst = slot;
    op.extra = static_cast<std::uint32_t>(from.special);
    // A block's instructions are counted at its entry; those after this one have not been executed yet.
    const auto& starts = source_.block_starts;
    const auto next_block = std::upper_bound(starts.begin(), starts.end(), current_index_);
    op.offset = static_cast<std::int64_t>(next_block == starts.end() ? source_.body.size() : *next_block) - current_index_;
    if (type == OperandType::bits64) op.flags = flag_wide_lanes;
    return true;
}

void Decoder::decode_isspacep() {
    const std::uint32_t slot = source(current_->operands[1], OperandType::bits64);
    const std::uint32_t to = destination(current_->operands[0], OperandType::pred);
    emit_guard();
    Op& op = emit(is_in_space);
    op.dst = to;
    op.a = slot;
    op.extra = static_cast<std::uint32_t>(current_->space);
}

void Decoder::decode_cvta() {
    const bool to_space = has(Modifier::to);
    const Operand& to = current_->operands[0];
    const OperandType type = to.kind == Operand::Kind::reg ? type_of_register(to.reg) : OperandType::bits64;
    const std::uint32_t slot = source(current_->operands[1], type);
    const std::uint64_t window = window_of(current_->space);
    if (window == 0 || type == OperandType::bits32) {
        emit_guard();
        emit_move(register_slot(to.reg), slot, type);
        return;
    }
    // Windows are aligned to their size: or-ing and masking are exact.
    const Definition* join = Table::instance().find((to_space ? Opcode::and_ : Opcode::or_) + Modifier::b64);
    const std::uint32_t other = constant(to_space ? window_offset_mask : window, OperandType::bits64);
    emit_guard();
    Op& op = emit(join->run[0], join->run[1]);
    op.dst = register_slot(to.reg);
    op.a = slot;
    op.b = other;
}

}  // namespace lab::machine
