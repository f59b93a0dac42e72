#include "common/emulator/timing/trip_count.h"

#include <algorithm>
#include <optional>

namespace lab::timing {

using machine::RegisterUses;
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

constexpr std::uint32_t max_trip_count = 4096;

// The last instruction in [begin, end) that sets the register.
std::optional<std::size_t> setter(const std::vector<RegisterUses>& uses, std::size_t begin, std::size_t end, std::uint32_t reg) {
    for (std::size_t i = end; i-- > begin;) {
        if (std::find(uses[i].written.begin(), uses[i].written.end(), reg) != uses[i].written.end()) return i;
    }
    return std::nullopt;
}

bool is_number(const Operand& operand) { return operand.kind == Operand::Kind::integer; }
std::int64_t number(const Operand& operand) { return static_cast<std::int64_t>(operand.bits); }

// The compared value: starts at `first`, grows by `step` in each iteration.
struct Count {
    std::int64_t first = 0, step = 0;
};

std::optional<Count> count_of(const ptx::Function& function, const std::vector<RegisterUses>& uses, std::size_t begin, std::size_t end,
                              std::uint32_t compared) {
    constexpr int max_copies = 4;
    std::uint32_t reg = compared;
    std::optional<std::int64_t> step;
    std::uint32_t counter = 0;
    for (int i = 0; i < max_copies && !step; ++i) {
        const std::optional<std::size_t> at = setter(uses, begin, end, reg);
        if (!at || !uses[*at].is_certain || uses[*at].read.size() != 1) return std::nullopt;
        const Instruction& instruction = function.body[*at];
        const Opcode opcode = instruction.opcode();
        if ((opcode == Opcode::add || opcode == Opcode::sub) && is_number(instruction.operands[2])) {
            step = opcode == Opcode::add ? number(instruction.operands[2]) : -number(instruction.operands[2]);
            counter = uses[*at].read[0];
        } else if (opcode != Opcode::mov && opcode != Opcode::cvt) {
            return std::nullopt;
        }
        reg = uses[*at].read[0];
    }
    if (!step) return std::nullopt;
    const std::optional<std::size_t> start = setter(uses, 0, begin, counter);
    if (!start || function.body[*start].opcode() != Opcode::mov || !is_number(function.body[*start].operands[1])) return std::nullopt;
    return Count{number(function.body[*start].operands[1]) + *step, *step};
}

bool holds(const Instruction& compare, std::int64_t x, std::int64_t y) {
    const bool is_unsigned = compare.type == ptx::Type::u16 || compare.type == ptx::Type::u32 || compare.type == ptx::Type::u64;
    if (ptx::size_of(compare.type) == 4) {
        x = is_unsigned ? static_cast<std::uint32_t>(x) : static_cast<std::int32_t>(x);
        y = is_unsigned ? static_cast<std::uint32_t>(y) : static_cast<std::int32_t>(y);
    }
    const bool less = is_unsigned ? static_cast<std::uint64_t>(x) < static_cast<std::uint64_t>(y) : x < y;
    switch (compare.encoding.modifiers[0]) {
        case Modifier::eq:
            return x == y;
        case Modifier::ne:
            return x != y;
        case Modifier::lt:
        case Modifier::lo:
            return less;
        case Modifier::ge:
        case Modifier::hs:
            return !less;
        case Modifier::le:
        case Modifier::ls:
            return less || x == y;
        default:
            return !less && x != y;
    }
}

}  // namespace

std::uint32_t trip_count(const ptx::Function& function, const std::vector<RegisterUses>& uses, std::size_t begin, std::size_t end,
                         std::size_t branch) {
    const Instruction& jump = function.body[branch];
    if (!jump.guard || jump.opcode() != Opcode::bra) return 0;
    const std::optional<std::size_t> at = setter(uses, begin, end, jump.guard->reg);
    if (!at) return 0;
    const Instruction& compare = function.body[*at];
    if (compare.opcode() != Opcode::setp || compare.operands.size() != 3 || compare.operands[1].kind != Operand::Kind::reg ||
        !is_number(compare.operands[2]))
        return 0;
    const std::optional<Count> count = count_of(function, uses, begin, end, compare.operands[1].reg);
    if (!count) return 0;
    const bool goes_on_by_jump = jump.operands[0].index == begin;
    for (std::uint32_t iteration = 1; iteration <= max_trip_count; ++iteration) {
        const std::int64_t value = count->first + static_cast<std::int64_t>(iteration - 1) * count->step;
        const bool jumps = holds(compare, value, number(compare.operands[2])) != jump.guard->negated;
        if (jumps != goes_on_by_jump) return iteration;
    }
    return 0;
}

}  // namespace lab::timing
