#include "common/emulator/machine/pointer_flow.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "common/emulator/ptx/instruction_set.h"

namespace lab::machine {

namespace {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;

// Possible origins of a register's value.
struct Origin {
    bool unknown = false;
    std::set<std::uint32_t> parameters;

    bool add(const Origin& other) {
        const std::size_t before = parameters.size();
        const bool was = unknown;
        unknown = unknown || other.unknown;
        parameters.insert(other.parameters.begin(), other.parameters.end());
        return parameters.size() != before || unknown != was;
    }
};

class Flow {
public:
    explicit Flow(const ptx::Function& function) : function_(function), registers_(function.registers.size()) {
        bool changed = true;
        while (changed) {
            changed = false;
            for (const Instruction& instruction : function_.body) changed = step(instruction) || changed;
        }
    }

    [[nodiscard]] Origin of(const Operand& operand) const {
        Origin origin;
        if (operand.kind == Operand::Kind::reg || operand.has_register) origin.add(registers_[operand.reg]);
        if (operand.symbol_kind == Operand::SymbolKind::module_variable) origin.unknown = true;
        for (const Operand& element : operand.elements) origin.add(of(element));
        return origin;
    }

private:
    bool flows_into(const Operand& to, const Origin& origin) {
        if (to.kind == Operand::Kind::reg) return registers_[to.reg].add(origin);
        bool changed = false;
        for (const Operand& element : to.elements) changed = flows_into(element, origin) || changed;
        return changed;
    }

    // A value that is loaded: only eight bytes can be an address.
    [[nodiscard]] Origin loaded(const Instruction& instruction) const {
        Origin origin;
        const Operand& from = instruction.operands[1];
        const bool of_kernel = function_.is_entry && from.symbol_kind == Operand::SymbolKind::parameter && !from.has_register;
        if (of_kernel) {
            origin.parameters.insert(function_.parameters[from.index].offset + static_cast<std::uint32_t>(from.offset));
        } else {
            origin.unknown = true;
        }
        return origin;
    }

    bool is_wide(const Operand& to) const {
        if (to.kind == Operand::Kind::reg) return ptx::size_of(function_.registers[to.reg].type) == 8;
        return std::any_of(to.elements.begin(), to.elements.end(), [&](const Operand& element) { return is_wide(element); });
    }

    bool step(const Instruction& instruction) {
        const Opcode opcode = instruction.opcode();
        if (instruction.operands.empty() || opcode == Opcode::st || opcode == Opcode::red || opcode == Opcode::bra) return false;
        const Operand& to = instruction.operands[0];
        if (opcode == Opcode::ld || opcode == Opcode::ldu || opcode == Opcode::atom || opcode == Opcode::call) {
            if (!is_wide(to)) return false;
            Origin origin;
            origin.unknown = true;
            return flows_into(to, opcode == Opcode::ld ? loaded(instruction) : origin);
        }
        Origin origin;
        for (std::size_t i = 1; i < instruction.operands.size(); ++i) origin.add(of(instruction.operands[i]));
        return flows_into(to, origin);
    }

    const ptx::Function& function_;
    std::vector<Origin> registers_;
};

bool writes_global(const Instruction& instruction) {
    const ptx::InstructionKind kind = ptx::row_of(instruction.opcode()).kind;
    if (kind != ptx::InstructionKind::store && kind != ptx::InstructionKind::atomic) return false;
    return instruction.space != Space::shared && instruction.space != Space::local && instruction.space != Space::param;
}

}  // namespace

std::vector<std::uint32_t> parameters_of_address(const ptx::Function& function, const Instruction& access) {
    const auto address = std::ranges::find(access.operands, Operand::Kind::memory, &Operand::kind);
    const Origin origin = address == access.operands.end() ? Origin{} : Flow(function).of(*address);
    if (origin.unknown) return {};
    return {origin.parameters.begin(), origin.parameters.end()};
}

std::vector<const Allocation*> pointed_to(const std::vector<std::uint32_t>& parameters, const LaunchConfig& config, const Memory& memory) {
    std::set<const Allocation*> found;
    for (const std::uint32_t offset : parameters) {
        std::uint64_t pointer = 0;
        if (offset + sizeof pointer > config.parameters.size()) continue;
        std::memcpy(&pointer, config.parameters.data() + offset, sizeof pointer);
        if (const Allocation* const allocation = memory.find(pointer)) found.insert(allocation);
    }
    std::vector<const Allocation*> list(found.begin(), found.end());
    std::ranges::sort(list, {}, &Allocation::address);
    return list;
}

bool stores_constant(const ptx::Function& function, const Instruction& store) {
    const auto is_literal = [](const Operand& operand) {
        return operand.kind == Operand::Kind::integer || operand.kind == Operand::Kind::real32 || operand.kind == Operand::Kind::real64;
    };
    if (store.opcode() != Opcode::st || store.operands.size() < 2) return false;
    const Operand& value = store.operands[1];
    if (is_literal(value)) return true;
    if (value.kind != Operand::Kind::reg) return false;
    const Instruction* definition = nullptr;
    for (const Instruction& instruction : function.body) {
        if (instruction.operands.empty() || instruction.opcode() == Opcode::st) continue;
        const Operand& to = instruction.operands[0];
        const bool defines = (to.kind == Operand::Kind::reg && to.reg == value.reg) ||
                             std::any_of(to.elements.begin(), to.elements.end(), [&](const Operand& one) { return one.reg == value.reg; });
        if (!defines) continue;
        if (definition != nullptr) return false;
        definition = &instruction;
    }
    return definition != nullptr && definition->opcode() == Opcode::mov && definition->operands.size() == 2 &&
           is_literal(definition->operands[1]);
}

void add_written_through(const ptx::Function& function, WrittenThrough& result) {
    const bool writes = std::any_of(function.body.begin(), function.body.end(), writes_global);
    if (!writes) return;
    const Flow flow(function);
    for (const Instruction& instruction : function.body) {
        if (!writes_global(instruction)) continue;
        const Operand& address = instruction.operands[instruction.opcode() == Opcode::atom ? 1 : 0];
        const Origin origin = flow.of(address);
        // An address without any known origin: treated as pointing anywhere.
        result.anywhere = result.anywhere || origin.unknown || origin.parameters.empty();
        for (const std::uint32_t parameter : origin.parameters) {
            if (std::find(result.parameters.begin(), result.parameters.end(), parameter) == result.parameters.end())
                result.parameters.push_back(parameter);
        }
    }
}

}  // namespace lab::machine
