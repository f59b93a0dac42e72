// Decoding of ld, st, atom, red, mov, cvta, isspacep.
#include <fmt/format.h>

#include <algorithm>

#include "common/emulator/machine/decoder.h"
#include "common/emulator/machine/memory_access.h"
#include "common/emulator/machine/memory_ops.h"
#include "common/emulator/machine/param_ops.h"
#include "common/emulator/machine/register_uses.h"
#include "common/emulator/machine/table.h"
#include "common/emulator/machine/windows.h"
#include "common/emulator/ptx/operand_walk.h"

namespace lab::machine {

using ptx::Operand;
using ptx::Space;
using ptx::Type;

namespace {

unsigned vector_length(const ptx::Instruction& instruction) {
    for (const std::string& part : instruction.parts) {
        if (part == "v2") return 2;
        if (part == "v4") return 4;
        if (part == "v8") return 8;
    }
    return 1;
}

Type element_type(const ptx::Instruction& instruction) {
    for (std::size_t i = instruction.parts.size(); i-- > 1;) {
        const Type type = type_named(instruction.parts[i]);
        if (type != Type::none) return type;
    }
    return Type::none;
}

bool is_param_variable(const Operand& operand) {
    return !operand.has_register &&
           (operand.symbol_kind == Operand::SymbolKind::parameter || operand.symbol_kind == Operand::SymbolKind::return_parameter ||
            operand.symbol_kind == Operand::SymbolKind::function_variable);
}

}  // namespace

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

bool Decoder::decode_memory() {
    const std::string& name = current_->parts[0];
    if (name == "atom" || name == "red") {
        decode_atomic();
        return true;
    }
    const bool is_load = name == "ld" || name == "ldu";
    if (!is_load && name != "st") return false;
    const auto& operands = current_->operands;
    if (operands.size() != 2) refuse(fmt::format("'{}' with {} operands", current_->text, operands.size()));
    const Space space = space_of();
    const Type type = element_type(*current_);
    if (type == Type::none || type == Type::b128)
        refuse(fmt::format("the emulator does not have the instruction '{}', used", current_->text));
    Op op;
    op.width = static_cast<std::uint8_t>(ptx::size_of(type));
    op.vector = static_cast<std::uint8_t>(vector_length(*current_));
    op.kind = static_cast<std::uint8_t>(is_load ? AccessKind::load : AccessKind::store);
    if (is_signed_type(type)) op.flags |= flag_signed;
    if (has("volatile")) op.flags |= flag_volatile;
    set_address(op, is_load ? operands[1] : operands[0]);
    set_data(op, is_load ? operands[0] : operands[1], is_load);
    const AccessKind kind = is_load ? AccessKind::load : AccessKind::store;
    const std::uint32_t bytes = std::uint32_t{op.width} * op.vector;
    op.memory_id = kernel_.new_memory_op(out_, current_index_, space == Space::generic ? Space::global : space, kind, bytes);
    if (space == Space::generic) {
        kernel_.new_memory_op(out_, current_index_, Space::shared, kind, bytes);
        kernel_.new_memory_op(out_, current_index_, Space::local, kind, bytes);
    }
    HandlerPair handlers = is_load ? load_handler(space, op) : store_handler(space, op);
    const Operand& memory = is_load ? operands[1] : operands[0];
    // Volatile loads stay by themselves: a group's log entry speaks for all of it.
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
    if (handlers.run[0] == nullptr) refuse(fmt::format("the emulator does not have the instruction '{}', used", current_->text));
    op.run[0] = handlers.run[0];
    op.run[1] = handlers.run[1];
    emit_guard();
    Op& emitted = emit(op.run[0], op.run[1]);
    op.index = emitted.index;
    op.function = emitted.function;
    emitted = op;
    return true;
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
    // Synchronisation ends what one access may stand for.
    if (is("bar") || is("barrier") || is("shfl") || is("vote") || is("match") || is("redux") || is("call")) {
        close_groups();
        return;
    }
    // Whatever stands where results stand counts as written; that may forget too much, never too little.
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

void Decoder::decode_atomic() {
    // atom{.sem}{.scope}{.space}.op.type d, [a], b{, c}; red without d
    const bool has_result = is("atom");
    const auto& operands = current_->operands;
    const Space space = space_of();
    const std::string& type_name = current_->parts.back();
    const Type type = type_named(type_name);
    std::string operation;
    for (const char* candidate : {"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"}) {
        if (has(candidate)) operation = candidate;
    }
    const HandlerPair handlers = atomic_handler(space, operation, type_name);
    const std::size_t first = has_result ? 1 : 0;
    if (handlers.run[0] == nullptr || operands.size() < first + 2)
        refuse(fmt::format("the emulator does not have the instruction '{}', used", current_->text));
    const OperandType kept = operand_type_of(type);
    Op op;
    op.width = static_cast<std::uint8_t>(ptx::size_of(type));
    op.kind = static_cast<std::uint8_t>(AccessKind::atomic);
    set_address(op, operands[first]);
    const bool can_be_joined = operation != "exch" && operation != "cas" && operation != "inc" && operation != "dec";
    if (can_be_joined && operands[first].has_register && uniform_registers(source_, settled_)[operands[first].reg])
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

// ld.param and st.param with a name: kernel parameters are constants, a function's lie in its frame.
bool Decoder::decode_param_access() {
    const bool is_load = is("ld");
    if ((!is_load && !is("st")) || space_of() != Space::param) return false;
    const auto& operands = current_->operands;
    const Operand& memory = is_load ? operands[1] : operands[0];
    if (!is_param_variable(memory)) return false;
    const Operand& data = is_load ? operands[0] : operands[1];
    const Type type = element_type(*current_);
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

bool Decoder::decode_move() {
    if (!is("mov")) return false;
    const auto& operands = current_->operands;
    const Operand& to = operands[0];
    const Operand& from = operands[1];
    if (to.kind == Operand::Kind::vector || from.kind == Operand::Kind::vector) {
        // Pack or unpack: the first element is the least significant.
        const bool pack = from.kind == Operand::Kind::vector;
        const Operand& whole = pack ? to : from;
        const auto& parts = (pack ? from : to).elements;
        const std::uint32_t total = ptx::size_of(type_named(current_->parts.back()));
        if (total == 0 || total > 8 || parts.empty() || total % parts.size() != 0)
            refuse(fmt::format("'{}' with {} elements", current_->text, parts.size()));
        const auto width = static_cast<std::uint32_t>(total / parts.size());
        PackDetail value;
        value.total = total;
        value.width = width;
        const OperandType part_type = width == 8 ? OperandType::bits64 : OperandType::bits32;
        const OperandType whole_type = total == 8 ? OperandType::bits64 : OperandType::bits32;
        for (const Operand& part : parts) value.parts.push_back(pack ? source(part, part_type) : destination(part, part_type));
        value.whole = pack ? destination(whole, whole_type) : source(whole, whole_type);
        emit_guard();
        Op& op = emit(pack ? pack_register : unpack_register);
        detail<PackDetail>(op) = value;
        return true;
    }
    if (to.kind != Operand::Kind::reg) refuse("mov without a register to write to,");
    const OperandType type = type_of_register(to.reg);
    if (from.kind == Operand::Kind::special) {
        using ptx::SpecialRegister;
        const SpecialRegister which = from.special;
        if (which == SpecialRegister::clock || which == SpecialRegister::clock64 || which == SpecialRegister::clock_hi ||
            which == SpecialRegister::globaltimer || which == SpecialRegister::globaltimer_lo || which == SpecialRegister::globaltimer_hi) {
            const std::uint32_t slot = destination(to, type);
            emit_guard();
            Op& op = emit(read_clock);
            op.dst = slot;
            op.extra = static_cast<std::uint32_t>(which);
            // A block's instructions are counted when it is entered; those from here on have not been executed.
            const auto& starts = source_.block_starts;
            const auto next_block = std::upper_bound(starts.begin(), starts.end(), current_index_);
            op.offset = static_cast<std::int64_t>(next_block == starts.end() ? source_.body.size() : *next_block) - current_index_;
            if (type == OperandType::bits64) op.flags = flag_wide_lanes;
            return true;
        }
    }
    const std::uint32_t slot = source(from, type);
    emit_guard();
    emit_move(register_slot(to.reg), slot, type);
    return true;
}

bool Decoder::decode_address_conversion() {
    if (is("isspacep")) {
        const std::uint32_t slot = source(current_->operands[1], OperandType::bits64);
        const std::uint32_t to = destination(current_->operands[0], OperandType::pred);
        const Space space = space_of();
        emit_guard();
        Op& op = emit(is_in_space);
        op.dst = to;
        op.a = slot;
        op.extra = static_cast<std::uint32_t>(space);
        return true;
    }
    if (!is("cvta")) return false;
    const Space space = space_of();
    const bool to_space = has("to");
    const Operand& to = current_->operands[0];
    const OperandType type = to.kind == Operand::Kind::reg ? type_of_register(to.reg) : OperandType::bits64;
    const std::uint32_t slot = source(current_->operands[1], type);
    const std::uint64_t window = space == Space::shared  ? shared_window
                                 : space == Space::local ? local_window
                                 : space == Space::param ? param_window
                                                         : 0;
    if (window == 0 || type == OperandType::bits32) {
        emit_guard();
        emit_move(register_slot(to.reg), slot, type);
        return true;
    }
    // Windows are aligned to their size: or-ing and masking are exact.
    const Definition* join = Table::instance().find(to_space ? "and.b64" : "or.b64");
    const std::uint32_t other = constant(to_space ? window_offset_mask : window, OperandType::bits64);
    emit_guard();
    Op& op = emit(join->run[0], join->run[1]);
    op.dst = register_slot(to.reg);
    op.a = slot;
    op.b = other;
    return true;
}

}  // namespace lab::machine
