// Attributes of each instruction and each modifier, and their names in PTX. The rows are in opcodes.inc and modifiers.inc. A new
// instruction needs a row there and its definition in machine/.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "common/emulator/ptx/encoding.h"
#include "common/emulator/ptx/module.h"

namespace lab::ptx {

enum class InstructionKind : std::uint8_t {
    arithmetic,
    logic,
    comparison,
    selection,
    move,
    conversion,
    address,  // conversion of addresses between state spaces
    load,
    store,
    atomic,
    branch,
    call,
    exit,  // thread exit, or return from a function
    trap,
    barrier,
    fence,
    warp,  // lanes of a warp together
    hint,  // no effect on a program's results
    unknown,
};

enum class Results : std::uint8_t { none, one, one_or_two };

// Number of SASS instructions of a PTX instruction, and how many of them use the fp32 (and fp16), fp64 and special-function units.
struct SassCost {
    std::uint32_t instructions = 1, fp32 = 0, fp64 = 0, special = 0;
    SassCost& operator+=(const SassCost& other);
};

// Operand classes that determine an instruction's cost. `wide_integer`: u64 and s64.
enum class OperandClass : std::uint8_t { any, integer, wide_integer, fp32, fp64 };

// Cost for operands of one class, if the instruction has both modifiers. The first matching rule counts.
struct SassRule {
    OperandClass operands = OperandClass::any;
    Modifier modifiers[2] = {Modifier::none, Modifier::none};  // none: any
    bool has_invariant_divisor = false;                        // only if the divisor is loop-invariant
    SassCost cost;
};

struct InstructionRow {
    Opcode opcode = Opcode::unknown;
    std::string_view name;
    InstructionKind kind = InstructionKind::unknown;
    std::string_view description;
    // Allowed number of operands. For lane-wise instructions, their definitions know it.
    std::size_t least = 0, most = std::numeric_limits<std::size_t>::max();
    Results results = Results::one;
    std::size_t with_one_result = 0;      // operands, if one_or_two; one more with a third source, as in setp.and
    bool is_uniform_map = false;          // uniform if its operands are, like address arithmetic
    bool is_long = false;                 // so long that the compiler branches around it
    bool orders_memory = false;           // later loads can't move before it
    bool ends_groups = false;             // threads may see each other's writes there: earlier accesses no longer stand for later ones
    bool needs_branch = false;            // does not become a predicated instruction
    std::span<const SassRule> sass = {};  // no match: one instruction
};

struct ModifierRow {
    enum class Group : std::uint8_t {
        type,
        packed_type,
        space,
        conversion,
        vector,
        semantics,
        scope,
        rounding,
        precision,
        number_class,
        form,
        comparison,
        operation,
        mode,
        unknown,
    };
    Modifier modifier = Modifier::unknown;
    std::string_view name;
    Group group = Group::unknown;
    Type type = Type::none;
    Space space = Space::generic;
    std::uint8_t elements = 1;  // of a vector
};

// In the order of the enumerators, without `unknown` and `none`.
[[nodiscard]] std::span<const InstructionRow> instruction_rows();
[[nodiscard]] std::span<const ModifierRow> modifier_rows();

// Attributes of an opcode; unknown ones have an empty name.
[[nodiscard]] const InstructionRow& row_of(Opcode opcode);
[[nodiscard]] const ModifierRow& row_of(Modifier modifier);
[[nodiscard]] Opcode opcode_named(std::string_view name);
[[nodiscard]] Modifier modifier_named(std::string_view name);

// Decodes "add.rn.f32". Names without a row become `unknown`.
[[nodiscard]] Encoding encoding_of(std::string_view text);
// The reverse: "add.rn.f32". Unknown names become "?".
[[nodiscard]] std::string to_string(const Encoding& encoding);

// SASS instructions of an instruction on operands of this class. `invariant_divisor`: the divisor is loop-invariant.
[[nodiscard]] SassCost sass_cost(const Encoding& encoding, OperandClass operands, bool invariant_divisor);

}  // namespace lab::ptx
