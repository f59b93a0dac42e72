// Decoding of ld and st to memory, and grouping of loads.
#include <fmt/format.h>

#include <algorithm>

#include "common/emulator/machine/decoder.h"
#include "common/emulator/machine/memory_access.h"
#include "common/emulator/machine/memory_ops.h"
#include "common/emulator/machine/register_uses.h"
#include "common/emulator/ptx/instruction_set.h"
#include "common/emulator/ptx/module.h"

namespace lab::machine {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

namespace {}  // namespace

void Decoder::set_address(Op& op, const Operand& memory) {
    // Called before emit(): may add constants but no ops.
    if (memory.has_register) {
        op.a = register_slot(memory.reg);
        op.offset = memory.offset;
        if (type_of_register(memory.reg) == OperandType::bits32) op.flags |= flag_address32;
        if (settled_[memory.reg]) op.flags |= flag_settled;
        return;
    }
    if (memory.symbol_kind == Operand::SymbolKind::none) {
        op.a = constant(static_cast<std::uint64_t>(memory.offset), OperandType::bits64);
        return;
    }
    Operand symbol = memory;
    symbol.kind = Operand::Kind::symbol;
    op.a = source(symbol, OperandType::bits64);
}

void Decoder::set_data(Op& op, const Operand& data, bool is_load) {
    const OperandType element = op.width == 8 ? OperandType::bits64 : OperandType::bits32;
    const auto slot_of = [&](const Operand& one) -> std::uint32_t {
        if (one.kind == Operand::Kind::reg) {
            const OperandType have = type_of_register(one.reg);
            if (have == OperandType::pred || (have == OperandType::bits32 && element == OperandType::bits64))
                refuse("data register of the wrong size");
            if (have == OperandType::bits64) op.flags |= flag_wide_lanes;
            return register_slot(one.reg);
        }
        if (element == OperandType::bits64) op.flags |= flag_wide_lanes;
        return is_load ? destination(one, element) : source(one, element);
    };
    if (data.kind == Operand::Kind::vector) {
        if (data.elements.size() != op.vector || op.vector > 4)
            refuse(fmt::format("'{}' with {} elements", current_->text, data.elements.size()));
        auto registers = std::make_shared<VectorRegisters>();
        for (std::size_t i = 0; i < data.elements.size(); ++i) registers->offset[i] = slot_of(data.elements[i]);
        op.detail = registers.get();
        out_.details.push_back(std::move(registers));
        return;
    }
    if (op.vector != 1) refuse(fmt::format("'{}' needs a vector operand", current_->text));
    (is_load ? op.dst : op.b) = slot_of(data);
}

void Decoder::decode_access() {
    if (current_->operands.size() != 2) refuse_operand_count();
    if (!decode_param_access()) decode_memory();
}

void Decoder::decode_memory() {
    const bool is_load = ptx::row_of(current_->opcode()).kind == ptx::InstructionKind::load;
    const auto& operands = current_->operands;
    const Space space = current_->space;
    const Type type = current_->type;
    if (!is_scalar_type(type) || type == Type::b128) refuse_instruction();
    Op op{.width = static_cast<std::uint8_t>(ptx::size_of(type)),
          .vector = current_->elements,
          .kind = static_cast<std::uint8_t>(is_load ? AccessKind::load : AccessKind::store)};
    if (is_signed_type(type)) op.flags |= flag_signed;
    if (has(Modifier::volatile_)) op.flags |= flag_volatile;
    set_address(op, is_load ? operands[1] : operands[0]);
    set_data(op, is_load ? operands[0] : operands[1], is_load);
    const AccessKind kind = is_load ? AccessKind::load : AccessKind::store;
    const std::uint32_t bytes = std::uint32_t{op.width} * op.vector;
    op.memory_id = kernel_.new_memory_op(out_, current_index_, space == Space::generic ? Space::global : space, kind, bytes);
    if (space == Space::generic) {
        kernel_.new_memory_op(out_, current_index_, Space::shared, kind, bytes);
        kernel_.new_memory_op(out_, current_index_, Space::local, kind, bytes);
    }
    HandlerPair handlers = is_load ? load_handler(space, op) : store_handler(space);
    const Operand& memory = is_load ? operands[1] : operands[0];
    // Volatile loads are not grouped, since a group has one log entry.
    const bool is_double_word = space == Space::shared && op.width == 8 && op.vector == 1;
    if (is_load && memory.has_register && (is_word_load(op) || is_double_word) && !current_->guard && (op.flags & flag_volatile) == 0) {
        const auto next_op = static_cast<std::uint32_t>(out_.ops.size());
        const auto [entry, fresh] = leaders_.try_emplace(LeaderKey{memory.reg, space, op.width});
        Leader& leader = entry->second;
        if (fresh) leader = {op.memory_id, op.offset, next_op, {}, shared_writes_, {0}};
        const std::int64_t from_first = op.offset - leader.offset;
        const HandlerPair following = is_double_word ? HandlerPair{} : following_load_handler(space);
        if (!fresh && from_first % op.width == 0) {
            if (leader.writes == shared_writes_) leader.joinable.push_back(from_first);
            if (following.run[0] != nullptr) {
                op.extra = leader.memory_id;
                handlers = following;
                leader.members.emplace_back(from_first, next_op);
            }
        }
    }
    if (!is_load && (space == Space::shared || space == Space::generic)) ++shared_writes_;
    if (handlers.run[0] == nullptr) refuse_instruction();
    op.run[0] = handlers.run[0];
    op.run[1] = handlers.run[1];
    emit_guard();
    Op& emitted = emit(op.run[0], op.run[1]);
    op.index = emitted.index;
    op.function = emitted.function;
    emitted = op;
}

void Decoder::lead_with(std::uint32_t op, const HandlerPair& handlers, const void* detail) {
    Op& first = out_.ops[op];
    first.run[0] = handlers.run[0];
    first.run[1] = handlers.run[1];
    first.detail = detail;
}

void Decoder::close_group(const LeaderKey& key, const Leader& leader) {
    if (key.space != Space::shared) return;
    const KernelAnalysis* analysis = kernel_.analysis();
    const VectorisedLoads vectorised = analysis == nullptr ? VectorisedLoads{} : analysis->vectorised(leader.joinable, key.bytes);
    if (key.bytes == 8) {
        if (!vectorised.any()) return;
        auto detail = std::make_shared<VectorisedLoads>(vectorised);
        lead_with(leader.op, vectorised_load_handler(), detail.get());
        out_.details.push_back(std::move(detail));
        return;
    }
    if (leader.members.empty()) return;
    auto group = std::make_shared<AccessGroup>();
    group->vectorised = vectorised;
    group->is_vectorised = vectorised.any();
    std::vector<std::uint32_t> ops;
    std::vector<std::uint32_t> ids;
    for (const auto& [offset, op] : leader.members) {
        group->members.push_back({offset, nullptr});
        group->low = std::min(group->low, offset);
        group->high = std::max(group->high, offset);
        ops.push_back(op);
        ids.push_back(out_.ops[op].memory_id);
    }
    group->memory_id = kernel_.new_group(std::move(ids), leader.memory_id);
    lead_with(leader.op, leading_load_handler(), group.get());
    groups_.emplace_back(group, std::move(ops));
    out_.details.push_back(std::move(group));
}

void Decoder::close_groups() {
    for (const auto& [key, leader] : leaders_) close_group(key, leader);
    leaders_.clear();
}

void Decoder::forget_overwritten_leaders() {
    // After a synchronisation, accesses no longer stand for later ones.
    if (ptx::row_of(current_->opcode()).ends_groups) {
        close_groups();
        return;
    }
    // Every operand in a result position counts as written; that may forget too much, never too little.
    const auto forget = [this](const Operand& operand) {
        if (operand.kind != Operand::Kind::reg) return;
        std::erase_if(leaders_, [&](const auto& entry) {
            if (entry.first.address != operand.reg) return false;
            close_group(entry.first, entry.second);
            return true;
        });
    };
    for (std::size_t i = 0; i < current_->operands.size() && i < 2; ++i) ptx::for_each_within(current_->operands[i], forget);
}

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
    Op op{.width = static_cast<std::uint8_t>(ptx::size_of(type)), .kind = static_cast<std::uint8_t>(AccessKind::atomic)};
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
