// Frame slots of operands' values: registers, constants, special registers, parameters, addresses.
#include <fmt/format.h>

#include <bit>

#include "common/emulator/machine/decoder.h"
#include "common/emulator/machine/table.h"
#include "common/emulator/machine/windows.h"

namespace lab::machine {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

std::uint32_t Decoder::allocate(std::uint32_t bytes) {
    const std::uint32_t align = bytes >= 64 ? 64 : 4;
    top_ = (top_ + align - 1) / align * align;
    const std::uint32_t at = top_;
    top_ += bytes;
    return at;
}

namespace {
std::uint32_t slot_bytes(OperandType type) { return type == OperandType::pred ? 4 : type == OperandType::bits64 ? 256 : 128; }
}  // namespace

OperandType Decoder::type_of_register(std::uint32_t reg) const { return operand_type_of(source_.registers[reg].type); }

std::uint32_t Decoder::register_slot(std::uint32_t reg) {
    std::uint32_t& slot = register_slots_[reg];
    if (slot == none) {
        if (source_.registers[reg].type == Type::b128) refuse("128-bit registers are not supported");
        slot = allocate(slot_bytes(type_of_register(reg)));
    }
    return slot;
}

std::uint32_t Decoder::constant(std::uint64_t bits, OperandType type) {
    if (type == OperandType::bits32) bits &= 0xffffffffU;
    const auto [entry, fresh] = constants_.try_emplace({bits, type}, 0);
    if (fresh) {
        entry->second = allocate(slot_bytes(type));
        out_.constants.push_back({entry->second, bits, type});
    }
    return entry->second;
}

std::uint32_t Decoder::special(ptx::SpecialRegister which, OperandType type) {
    const auto [entry, fresh] = specials_.try_emplace({static_cast<int>(which), type}, 0);
    if (fresh) {
        entry->second = allocate(slot_bytes(type));
        out_.specials.push_back({which, entry->second, type == OperandType::bits64});
    }
    return entry->second;
}

std::uint32_t Decoder::kernel_parameter(std::uint32_t byte, std::uint32_t bytes, bool is_signed, bool wide) {
    const auto [entry, fresh] = parameters_.try_emplace({byte, bytes, is_signed ? 1U : 0U, wide ? 1U : 0U}, 0);
    if (fresh) {
        entry->second = allocate(wide ? 256 : 128);
        out_.parameter_slots.push_back({entry->second, byte, bytes, is_signed, wide});
    }
    return entry->second;
}

std::uint64_t Decoder::symbol_value(const Operand& operand) {
    const auto offset = static_cast<std::uint64_t>(operand.offset);
    switch (operand.symbol_kind) {
        case Operand::SymbolKind::module_variable: {
            const ptx::Variable& variable = kernel_.module().variables[operand.index];
            if (variable.space == Space::shared) return kernel_.shared_offset(variable) + offset;
            return kernel_.module_address(operand.index) + offset;
        }
        case Operand::SymbolKind::function_variable: {
            const ptx::Variable& variable = source_.variables[operand.index];
            if (variable.space == Space::shared) return kernel_.shared_offset(variable) + offset;
            if (variable.space == Space::local) return local_offsets_.at(&variable) + offset;
            refuse(fmt::format("the address of '{}' is not supported", variable.name));
        }
        case Operand::SymbolKind::parameter:
            if (source_.is_entry) return param_window + source_.parameters[operand.index].offset + offset;
            refuse("the address of a device function's parameter is not supported");
        case Operand::SymbolKind::function:
            return function_address(operand.index);
        default:
            refuse("an operand's address is not supported");
    }
}

std::uint32_t Decoder::source(const Operand& operand, OperandType type) {
    switch (operand.kind) {
        case Operand::Kind::reg: {
            const OperandType have = type_of_register(operand.reg);
            if (have != type && type != OperandType::none) {
                if (have == OperandType::pred || type == OperandType::pred) refuse("a predicate and a number are mixed");
                // For a narrower value, a wider register supplies its low half (cvt and st allow that); the reverse is an error.
                if (have == OperandType::bits32 && type == OperandType::bits64) refuse("a 32-bit register where 64 bits are needed");
                const std::uint32_t narrow = allocate(slot_bytes(type));
                const Definition& low = *Table::instance().find(Opcode::cvt + Modifier::u32 + Modifier::u64);
                Op& op = emit(low.run[0], low.run[1]);
                op.dst = narrow;
                op.a = register_slot(operand.reg);
                return narrow;
            }
            return register_slot(operand.reg);
        }
        case Operand::Kind::integer:
            if (type == OperandType::pred) return constant(operand.bits != 0 ? 1 : 0, type);
            return constant(operand.bits, type);
        case Operand::Kind::real32:
            if (type == OperandType::bits64)
                return constant(std::bit_cast<std::uint64_t>(double{std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))}), type);
            return constant(operand.bits, type);
        case Operand::Kind::real64:
            if (type == OperandType::bits32)
                return constant(std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits))), type);
            return constant(operand.bits, type);
        case Operand::Kind::special:
            return special(operand.special, type);
        case Operand::Kind::symbol: {
            if (operand.symbol_kind == Operand::SymbolKind::function_variable && source_.variables[operand.index].space == Space::local) {
                // The address of local variables depends on the frame.
                const std::uint32_t slot = allocate(256);
                const Definition& add = *Table::instance().find(Opcode::add + Modifier::u64);
                Op& op = emit(add.run[0], add.run[1]);
                op.dst = slot;
                op.a = out_.local_base;
                op.b = constant(symbol_value(operand), OperandType::bits64);
                return slot;
            }
            return constant(symbol_value(operand), type);
        }
        default:
            refuse(fmt::format("operand of '{}' is not supported", current_->text));
    }
}

std::uint32_t Decoder::destination(const Operand& operand, OperandType type) {
    if (operand.kind == Operand::Kind::sink) return allocate(slot_bytes(type));
    if (operand.kind != Operand::Kind::reg) refuse(fmt::format("'{}' does not write to a register", current_->text));
    const OperandType have = type_of_register(operand.reg);
    if (have != type) refuse(fmt::format("'{}' writes to a register of another size", current_->text));
    return register_slot(operand.reg);
}

ParamSlot Decoder::param_variable(const Operand& operand) {
    if (operand.symbol_kind == Operand::SymbolKind::function_variable) return param_variables_.at(&source_.variables[operand.index]);
    if (operand.symbol_kind == Operand::SymbolKind::parameter) return out_.parameters[operand.index];
    if (operand.symbol_kind == Operand::SymbolKind::return_parameter) return out_.results[operand.index];
    refuse("parameter operand is not supported");
}

}  // namespace lab::machine
