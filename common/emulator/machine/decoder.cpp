#include "common/emulator/machine/decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "common/emulator/machine/builtins.h"
#include "common/emulator/machine/control.h"
#include "common/emulator/machine/demangle.h"
#include "common/emulator/machine/inner_product.h"
#include "common/emulator/machine/register_uses.h"
#include "common/emulator/machine/table.h"
#include "common/emulator/ptx/instruction_set.h"

namespace lab::machine {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

namespace {
const Op* nothing(const Op* op, Warp& /*warp*/) { return op + 1; }

// Orders the host thread's accesses. A block has one host thread, so only other blocks can see the order, if they run concurrently.
template <std::memory_order Order>
const Op* order(const Op* op, Warp& warp) {
    if (!warp.worker->kernel->info.serial) std::atomic_thread_fence(Order);
    return op + 1;
}
}  // namespace

OperandType operand_type_of(Type type) {
    if (type == Type::pred) return OperandType::pred;
    return ptx::size_of(type) == 8 ? OperandType::bits64 : OperandType::bits32;
}

bool is_signed_type(Type type) { return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64; }

bool is_scalar_type(Type type) { return type != Type::none && type != Type::f16x2 && type != Type::bf16 && type != Type::bf16x2; }

Decoder::Decoder(KernelDecoder& kernel, const ptx::Function& source, FunctionCode& out) : kernel_(kernel), source_(source), out_(out) {}

void Decoder::refuse(const std::string& why) const {
    const std::string place = current_ == nullptr ? "" : kernel_.module().describe(current_->where);
    const std::string line = current_ == nullptr ? "" : fmt::format(" (PTX line {})", current_->ptx_line);
    throw ptx::Error(fmt::format("{}{}{} in {} {}{}", place, place.empty() ? "" : ": ", why,
                                 source_.is_entry ? "kernel" : "device function", demangle(source_.name), line));
}

void Decoder::refuse_instruction() const { refuse(fmt::format("the emulator does not have the instruction '{}', used", current_->text)); }

void Decoder::refuse_operand_count() const { refuse(fmt::format("'{}' with {} operands", current_->text, current_->operands.size())); }

Op& Decoder::emit(Handler full, Handler masked) {
    if (guarded_emitted_) close_guard();
    guarded_emitted_ = guard_open_;
    Op op;
    op.run[0] = full;
    op.run[1] = masked;
    op.index = current_index_;
    op.function = &out_;
    out_.ops.push_back(op);
    return out_.ops.back();
}

void Decoder::emit_guard() {
    if (!current_->guard) return;
    const std::uint32_t slot = register_slot(current_->guard->reg);
    Op& op = emit(guard);
    op.a = slot;
    if (current_->guard->negated) op.flags |= flag_negated;
    guard_open_ = true;
}

void Decoder::close_guard() {
    const bool needed = guarded_emitted_;
    guard_open_ = false;
    guarded_emitted_ = false;
    if (needed) emit(unguard);
}

void Decoder::emit_move(std::uint32_t to, std::uint32_t from, OperandType type) {
    const Modifier moved = type == OperandType::pred ? Modifier::pred : type == OperandType::bits64 ? Modifier::u64 : Modifier::u32;
    const Definition* definition = Table::instance().find(Opcode::mov + moved);
    Op& op = emit(definition->run[0], definition->run[1]);
    op.dst = to;
    op.a = from;
}

void Decoder::decode_one() {
    using Kind = ptx::InstructionKind;
    switch (ptx::row_of(current_->opcode()).kind) {
        case Kind::arithmetic:
        case Kind::logic:
        case Kind::selection:
        case Kind::conversion:
            return decode_elementwise();
        case Kind::comparison:
            return current_->opcode() == Opcode::setp ? decode_set_predicate() : decode_elementwise();
        case Kind::move:
            return decode_move();
        case Kind::address:
            return current_->opcode() == Opcode::cvta ? decode_cvta() : decode_isspacep();
        case Kind::load:
        case Kind::store:
            return decode_ordered(&Decoder::decode_access);
        case Kind::atomic:
            return decode_ordered(&Decoder::decode_atomic);
        case Kind::branch:
            return decode_branch();
        case Kind::call:
            return decode_call();
        case Kind::exit:
            return decode_exit();
        case Kind::trap:
            emit_guard();
            emit(trap);
            return;
        case Kind::barrier:
            return has(Modifier::warp) ? decode_warp_level() : decode_barrier();
        case Kind::warp:
            return decode_warp_level();
        case Kind::fence:
            return decode_fence();
        case Kind::hint:
            emit(nothing);
            return;
        case Kind::unknown:
            refuse_instruction();
    }
}

void Decoder::decode_fence() {
    // membar.level, which is fence.sc; fence{.sem}.scope
    const bool is_for_all_blocks = has(Modifier::gl) || has(Modifier::gpu) || has(Modifier::sys);
    emit(!is_for_all_blocks ? nothing : has(Modifier::acq_rel) ? order<std::memory_order_acq_rel> : order<std::memory_order_seq_cst>);
}

void Decoder::decode_ordered(void (Decoder::*decode)()) {
    if (has(Modifier::release) || has(Modifier::acq_rel)) emit(order<std::memory_order_release>);
    (this->*decode)();
    if (has(Modifier::acquire) || has(Modifier::acq_rel)) emit(order<std::memory_order_acquire>);
}

void Decoder::decode_elementwise() {
    const Definition* definition = Table::instance().find(current_->encoding);
    if (definition == nullptr) refuse_instruction();
    const auto& operands = current_->operands;
    if (operands.size() != definition->source_count + 1) refuse_operand_count();
    std::uint32_t slots[4] = {};
    for (unsigned i = 0; i < definition->source_count; ++i) slots[i] = source(operands[i + 1], definition->sources[i]);
    const std::uint32_t to = destination(operands[0], definition->result);
    emit_guard();
    Op& op = emit(definition->run[0], definition->run[1]);
    op.dst = to;
    op.a = slots[0];
    op.b = slots[1];
    op.c = slots[2];
    op.extra = definition->uses_carry ? out_.carry : slots[3];
}

void Decoder::place_variables() {
    for (const ptx::Variable& variable : source_.variables) {
        if (variable.space == Space::local) {
            const std::uint32_t align = std::max<std::uint32_t>(variable.align, 1);
            out_.local_bytes = (out_.local_bytes + align - 1) / align * align;
            local_offsets_[&variable] = out_.local_bytes;
            out_.local_bytes += static_cast<std::uint32_t>(variable.size);
        } else if (variable.space == Space::param || variable.space == Space::generic) {
            const auto size = static_cast<std::uint32_t>(variable.size);
            param_variables_[&variable] = {allocate(std::max<std::uint32_t>(size, 4) * warp_size), std::max<std::uint32_t>(size, 4)};
        }
    }
    out_.local_bytes = (out_.local_bytes + 15) / 16 * 16;
}

void Decoder::place_parameters() {
    if (source_.is_entry) return;
    for (const auto& parameter : source_.parameters) {
        const std::uint32_t size = std::max<std::uint32_t>(parameter.size, 4);
        out_.parameters.push_back({allocate(size * warp_size), size});
    }
    for (const auto& result : source_.results) {
        const std::uint32_t size = std::max<std::uint32_t>(result.size, 4);
        out_.results.push_back({allocate(size * warp_size), size});
    }
}

void Decoder::run() {
    out_.source = &source_;
    out_.module = &kernel_.module();
    out_.name = source_.name;
    register_slots_.assign(source_.registers.size(), none);
    out_.local_base = allocate(256);
    out_.carry = allocate(4);
    place_variables();
    place_parameters();
    settled_ = settled_registers(source_);
    const KernelAnalysis* analysis = kernel_.analysis();
    const std::vector<BlockWork> work =
        analysis == nullptr ? std::vector<BlockWork>(source_.block_starts.size()) : analysis->block_work(kernel_.module(), source_);
    const std::size_t count = source_.body.size();
    op_of_instruction_.assign(count + 1, none);
    std::size_t next_block = 0;
    for (std::size_t i = 0; i < count; ++i) {
        current_ = &source_.body[i];
        current_index_ = static_cast<std::uint32_t>(i);
        op_of_instruction_[i] = static_cast<std::uint32_t>(out_.ops.size());
        if (next_block < source_.block_starts.size() && source_.block_starts[next_block] == i) {
            const std::size_t end = next_block + 1 < source_.block_starts.size() ? source_.block_starts[next_block + 1] : count;
            Op& entry = emit(enter_block);
            entry.extra = static_cast<std::uint32_t>(end - i);
            note_work(entry, work[next_block]);
            ++next_block;
            close_groups();
        }
        decode_one();
        close_guard();
        forget_overwritten_leaders();
    }
    close_groups();
    current_index_ = count == 0 ? 0 : static_cast<std::uint32_t>(count - 1);
    op_of_instruction_[count] = static_cast<std::uint32_t>(out_.ops.size());
    note_work(emit(enter_block), {});
    emit(leave);
    out_.frame_bytes = (top_ + 127) / 64 * 64;
    fuse();
    patch();
}

void Decoder::note_work(Op& entry, const BlockWork& work) {
    auto kept = std::make_shared<BlockWork>(work);
    entry.detail = kept.get();
    out_.details.push_back(std::move(kept));
}

void Decoder::fuse() {
    const std::vector<std::uint32_t> mentions = register_mentions(source_);
    std::vector<bool> single_use(out_.ops.size(), false);
    for (std::size_t i = 0; i < out_.ops.size(); ++i) {
        if (out_.ops[i].index >= source_.body.size()) continue;
        const ptx::Instruction& instruction = source_.body[out_.ops[i].index];
        single_use[i] = !instruction.operands.empty() && instruction.operands[0].kind == Operand::Kind::reg &&
                        mentions[instruction.operands[0].reg] == 2;
    }
    const std::vector<std::uint32_t> moved = fuse_inner_products(out_, single_use);
    for (std::uint32_t& op : op_of_instruction_) {
        if (op != none) op = moved[op];
    }
    for (Fixup& fixup : fixups_) fixup.op = moved[fixup.op];
    for (auto& [group, ops] : groups_) {
        for (std::uint32_t& op : ops) op = moved[op];
    }
}

void Decoder::patch() {
    for (const auto& [group, ops] : groups_) {
        for (std::size_t i = 0; i < ops.size(); ++i) group->members[i].op = &out_.ops[ops[i]];
    }
    const auto op_at = [this](std::uint32_t instruction) -> const Op* { return &out_.ops[op_of_instruction_[instruction]]; };
    for (const Fixup& fixup : fixups_) {
        Op& op = out_.ops[fixup.op];
        if (fixup.target != none) op.target = op_at(fixup.target);
        if (fixup.reconvergence != none) op.reconvergence = op_at(fixup.reconvergence);
        if (!fixup.table.empty()) {
            auto table = std::make_shared<std::vector<const Op*>>();
            for (const std::uint32_t target : fixup.table) table->push_back(op_at(target));
            op.detail = table.get();
            out_.details.push_back(std::move(table));
        }
    }
}

}  // namespace lab::machine
