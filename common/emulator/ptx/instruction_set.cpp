#include "common/emulator/ptx/instruction_set.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace lab::ptx {

namespace {

// Costs of instructions that become several, or that use special units: instructions on the path of common operands. Measured by
// tests/gpu/instruction_counts.cu on an H200 (nvcc 13.0, compute capability 9.0): common/emulator/devices/measured/h200_instructions.jsonl.
using enum OperandClass;
constexpr SassRule nothing[] = {{any, {}, false, {0, 0, 0, 0}}};
constexpr SassRule floating_lanes[] = {{fp32, {}, false, {1, 1, 0, 0}}, {fp64, {}, false, {1, 0, 1, 0}}};
constexpr SassRule floating_lanes_of_64[] = {{fp64, {}, false, {1, 0, 1, 0}}};
constexpr SassRule special_lanes[] = {{fp32, {}, false, {1, 0, 0, 1}}};
constexpr SassRule bit_count[] = {{integer, {}, false, {1, 0, 0, 1}}, {wide_integer, {}, false, {1, 0, 0, 1}}};
constexpr SassRule product[] = {{fp32, {}, false, {1, 1, 0, 0}},
                                {fp64, {}, false, {1, 0, 1, 0}},
                                {wide_integer, {Modifier::lo}, false, {4, 0, 0, 0}},
                                {wide_integer, {Modifier::hi}, false, {15, 0, 0, 0}}};
constexpr SassRule minimum[] = {{fp64, {}, false, {1, 0, 1, 0}}, {wide_integer, {}, false, {5, 0, 0, 0}}};
// Operands too small for the approximation are scaled before and after, unless they are flushed to 0.
constexpr SassRule logarithm[] = {{fp32, {Modifier::ftz}, false, {1, 0, 0, 1}}, {fp32, {}, false, {3, 2, 0, 1}}};
constexpr SassRule power[] = {{fp32, {Modifier::ftz}, false, {1, 0, 0, 1}}, {fp32, {}, false, {4, 3, 0, 1}}};
constexpr SassRule sine[] = {{fp32, {}, false, {2, 1, 0, 1}}};
constexpr SassRule reciprocal[] = {{fp32, {Modifier::approx, Modifier::ftz}, false, {1, 0, 0, 1}},
                                   {fp32, {Modifier::approx}, false, {4, 3, 0, 1}},
                                   {fp32, {}, false, {10, 5, 0, 1}},
                                   {fp64, {Modifier::approx}, false, {1, 0, 0, 1}},
                                   {fp64, {}, false, {11, 0, 5, 1}}};
constexpr SassRule root[] = {{fp32, {Modifier::approx, Modifier::ftz}, false, {1, 0, 0, 1}},
                             {fp32, {Modifier::approx}, false, {4, 3, 0, 1}},
                             {fp32, {}, false, {10, 5, 0, 1}},
                             {fp64, {Modifier::approx}, false, {1, 0, 0, 1}},
                             {fp64, {}, false, {18, 0, 8, 1}}};
// Wide operands hold 32-bit values in 64 bits, like indices.
constexpr SassRule quotient[] = {{fp32, {Modifier::approx}, false, {5, 3, 0, 1}},
                                 {fp32, {Modifier::full}, false, {6, 3, 0, 1}},
                                 {fp32, {}, false, {10, 6, 0, 2}},
                                 {fp64, {Modifier::approx}, false, {1, 0, 0, 1}},
                                 {fp64, {}, false, {15, 0, 8, 1}},
                                 {wide_integer, {}, false, {25, 0, 0, 3}},
                                 {integer, {Modifier::s32}, true, {12, 0, 0, 0}},
                                 {integer, {}, true, {9, 0, 0, 0}},
                                 {integer, {Modifier::s32}, false, {21, 0, 0, 3}},
                                 {integer, {}, false, {17, 0, 0, 3}}};

// A remainder, too: the rules above without those of floating point.
constexpr std::span<const SassRule> integer_quotient = std::span(quotient).last(5);

constexpr InstructionRow unknown_instruction;
constexpr ModifierRow unknown_modifier;

constexpr InstructionRow instructions[] = {
#define INSTRUCTION(id, text, kind_, description_, ...) \
    {.opcode = Opcode::id, .name = text, .kind = InstructionKind::kind_, .description = description_ __VA_OPT__(, ) __VA_ARGS__},
#include "common/emulator/ptx/opcodes.inc"
#undef INSTRUCTION
};

constexpr ModifierRow modifiers[] = {
#define MODIFIER(id, text, group_, ...) \
    {.modifier = Modifier::id, .name = text, .group = ModifierRow::Group::group_ __VA_OPT__(, ) __VA_ARGS__},
#include "common/emulator/ptx/modifiers.inc"
#undef MODIFIER
};

template <class Value, std::size_t Count, class Row>
std::unordered_map<std::string_view, Value> by_name(const Row (&rows)[Count], Value Row::*value) {
    std::unordered_map<std::string_view, Value> names;
    for (const Row& row : rows) names.emplace(row.name, row.*value);
    return names;
}

template <class Map, class Value>
Value found_in(const Map& map, std::string_view name, Value otherwise) {
    const auto found = map.find(name);
    return found == map.end() ? otherwise : found->second;
}

bool fits(const SassRule& rule, const Encoding& encoding, OperandClass operands, bool invariant_divisor) {
    if (rule.operands != any && rule.operands != operands) return false;
    if (rule.has_invariant_divisor && !invariant_divisor) return false;
    return std::ranges::all_of(rule.modifiers, [&](Modifier modifier) { return modifier == Modifier::none || encoding.has(modifier); });
}

}  // namespace

std::span<const InstructionRow> instruction_rows() { return instructions; }
std::span<const ModifierRow> modifier_rows() { return modifiers; }

const InstructionRow& row_of(Opcode opcode) {
    return opcode == Opcode::unknown ? unknown_instruction : instructions[static_cast<std::size_t>(opcode) - 1];
}

const ModifierRow& row_of(Modifier modifier) {
    return modifier <= Modifier::unknown ? unknown_modifier : modifiers[static_cast<std::size_t>(modifier) - 2];
}

Opcode opcode_named(std::string_view name) {
    static const auto names = by_name(instructions, &InstructionRow::opcode);
    return found_in(names, name, Opcode::unknown);
}

Modifier modifier_named(std::string_view name) {
    static const auto names = by_name(modifiers, &ModifierRow::modifier);
    return found_in(names, name, Modifier::unknown);
}

Encoding encoding_of(std::string_view text) {
    std::size_t dot = text.find('.');
    Encoding encoding;
    encoding.opcode = opcode_named(text.substr(0, dot));
    while (dot != std::string_view::npos) {
        const std::size_t begin = dot + 1;
        dot = text.find('.', begin);
        encoding = encoding + modifier_named(text.substr(begin, dot == std::string_view::npos ? dot : dot - begin));
    }
    return encoding;
}

std::string to_string(const Encoding& encoding) {
    const auto shown = [](std::string_view name) { return std::string(name.empty() ? "?" : name); };
    std::string text = shown(row_of(encoding.opcode).name);
    for (std::size_t i = 0; i < encoding.size(); ++i) text += "." + shown(row_of(encoding.modifiers[i]).name);
    return text;
}

SassCost& SassCost::operator+=(const SassCost& other) {
    instructions += other.instructions;
    fp32 += other.fp32;
    fp64 += other.fp64;
    special += other.special;
    return *this;
}

SassCost sass_cost(const Encoding& encoding, OperandClass operands, bool invariant_divisor) {
    for (const SassRule& rule : row_of(encoding.opcode).sass) {
        if (fits(rule, encoding, operands, invariant_divisor)) return rule.cost;
    }
    return {};
}

}  // namespace lab::ptx
