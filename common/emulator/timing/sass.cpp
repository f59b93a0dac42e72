#include "common/emulator/timing/sass.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <string_view>

#include "common/emulator/machine/register_uses.h"

namespace lab::timing {
using machine::VectorisedLoads;

namespace {
constexpr std::uint32_t widest = 16;  // bytes
}

VectorisedLoads vectorised_loads(std::vector<std::int64_t> offsets, std::uint32_t bytes) {
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    const auto has = [&](std::int64_t offset) { return std::binary_search(offsets.begin(), offsets.end(), offset); };
    VectorisedLoads wide;
    wide.bytes = bytes;
    const auto step = static_cast<std::int64_t>(bytes);
    const std::int64_t places = widest / step;
    for (std::int64_t above = 0; above < places; ++above) {
        const auto at = static_cast<std::size_t>(above);
        std::int64_t done = std::numeric_limits<std::int64_t>::min();  // offsets below are done
        for (const std::int64_t offset : offsets) {
            if (offset < done) continue;
            const std::int64_t place = ((offset + above * step) % widest + widest) % widest;
            const auto next = [&](std::int64_t count) { return has(offset + count * step); };
            const bool fills_16 = place == 0 && next(1) && (places == 2 || (next(2) && next(3)));
            if (fills_16) {
                ++wide.of_16[at];
                done = offset + widest;
            } else if (bytes == 4 && place % 8 == 0 && next(1)) {
                ++wide.of_8[at];
                done = offset + 8;
            }
        }
    }
    return wide;
}

using machine::instructions_in_loops;
using ptx::Modifier;
using ptx::Opcode;
namespace {

struct LibraryFunction {
    std::string_view name;
    std::uint32_t instructions, fp64, special;
};
// By name; functions that aren't listed count as `unknown`. There are as many fp32 lanes as issue slots.
constexpr std::array library{
    LibraryFunction{"__nv_acos", 50, 27, 1},    LibraryFunction{"__nv_acosf", 23, 0, 1},  LibraryFunction{"__nv_asin", 49, 27, 1},
    LibraryFunction{"__nv_asinf", 22, 0, 1},    LibraryFunction{"__nv_atan", 42, 24, 0},  LibraryFunction{"__nv_atan2f", 37, 0, 2},
    LibraryFunction{"__nv_atanf", 18, 0, 1},    LibraryFunction{"__nv_cbrt", 41, 13, 6},  LibraryFunction{"__nv_cbrtf", 16, 0, 2},
    LibraryFunction{"__nv_cos", 43, 16, 2},     LibraryFunction{"__nv_cosf", 25, 0, 1},   LibraryFunction{"__nv_coshf", 15, 0, 3},
    LibraryFunction{"__nv_erf", 77, 42, 5},     LibraryFunction{"__nv_erfcf", 45, 0, 4},  LibraryFunction{"__nv_erff", 21, 0, 1},
    LibraryFunction{"__nv_exp", 29, 17, 0},     LibraryFunction{"__nv_exp10f", 7, 0, 1},  LibraryFunction{"__nv_exp2", 22, 16, 0},
    LibraryFunction{"__nv_exp2f", 4, 0, 1},     LibraryFunction{"__nv_expf", 7, 0, 1},    LibraryFunction{"__nv_expm1f", 28, 0, 2},
    LibraryFunction{"__nv_fmod", 14, 2, 0},     LibraryFunction{"__nv_fmodf", 8, 0, 0},   LibraryFunction{"__nv_hypot", 40, 14, 1},
    LibraryFunction{"__nv_hypotf", 24, 0, 1},   LibraryFunction{"__nv_ldexpf", 4, 0, 0},  LibraryFunction{"__nv_lgammaf", 27, 0, 0},
    LibraryFunction{"__nv_log", 83, 30, 1},     LibraryFunction{"__nv_log10", 84, 32, 1}, LibraryFunction{"__nv_log10f", 26, 0, 0},
    LibraryFunction{"__nv_log1pf", 24, 0, 0},   LibraryFunction{"__nv_log2f", 27, 0, 0},  LibraryFunction{"__nv_logf", 25, 0, 0},
    LibraryFunction{"__nv_normcdff", 59, 0, 4}, LibraryFunction{"__nv_pow", 189, 85, 1},  LibraryFunction{"__nv_powf", 79, 0, 3},
    LibraryFunction{"__nv_roundf", 3, 0, 1},    LibraryFunction{"__nv_rsqrt", 14, 5, 1},  LibraryFunction{"__nv_sin", 42, 16, 2},
    LibraryFunction{"__nv_sincosf", 28, 0, 1},  LibraryFunction{"__nv_sinf", 24, 0, 1},   LibraryFunction{"__nv_sinh", 126, 39, 1},
    LibraryFunction{"__nv_sinhf", 23, 0, 3},    LibraryFunction{"__nv_sinpif", 21, 0, 3}, LibraryFunction{"__nv_tan", 83, 31, 3},
    LibraryFunction{"__nv_tanf", 23, 0, 2},     LibraryFunction{"__nv_tanh", 48, 17, 1},  LibraryFunction{"__nv_tanhf", 15, 0, 2},
    LibraryFunction{"__nv_tgammaf", 30, 0, 2},
};
constexpr MachineCode unknown_of_32{25, 0, 0, 1}, unknown_of_64{60, 0, 25, 1};

MachineCode of_library(const std::string& name) {
    const auto* const found =
        std::find_if(library.begin(), library.end(), [&](const LibraryFunction& function) { return function.name == name; });
    if (found != library.end()) return {found->instructions, 0, found->fp64, found->special};
    return !name.empty() && name.back() == 'f' ? unknown_of_32 : unknown_of_64;
}

MachineCode of_call(const ptx::Module& module, const ptx::Instruction& call) {
    const ptx::Operand& callee = call.operands[1];
    if (callee.kind != ptx::Operand::Kind::symbol || callee.symbol_kind != ptx::Operand::SymbolKind::function) return {};
    const ptx::Function& function = module.functions[callee.index];
    constexpr std::string_view libdevice = "__nv_";
    if (!function.is_declaration || function.name.compare(0, libdevice.size(), libdevice) != 0) return {};
    MachineCode code = of_library(function.name);
    // The instructions that pass arguments and results exist in PTX only, and count there.
    const auto handed_over = static_cast<std::uint32_t>(call.operands[0].elements.size() + call.operands.back().elements.size());
    code.instructions = code.instructions > handed_over ? code.instructions - handed_over : 0;
    return code;
}

bool is_float(ptx::Type type) {
    return type == ptx::Type::f16 || type == ptx::Type::bf16 || type == ptx::Type::f32 || type == ptx::Type::f64;
}

// Between integers and floating point, between widths with 64 bits, and rounding to integers.
MachineCode of_conversion(const ptx::Instruction& conversion) {
    const ptx::Type from = ptx::row_of(conversion.encoding.from_last(0)).type;
    const ptx::Type to = ptx::row_of(conversion.encoding.from_last(1)).type;
    const bool rounds =
        conversion.has(Modifier::rni) || conversion.has(Modifier::rzi) || conversion.has(Modifier::rmi) || conversion.has(Modifier::rpi);
    const bool changes_width = (from == ptx::Type::f64) != (to == ptx::Type::f64);
    const bool is_special = is_float(from) != is_float(to) || (is_float(from) && (rounds || changes_width));
    return {1, 0, 0, is_special ? 1U : 0U};
}

ptx::OperandClass class_of(const ptx::Instruction& instruction) {
    if (instruction.has(Modifier::f64)) return ptx::OperandClass::fp64;
    for (const Modifier type : {Modifier::f32, Modifier::f16, Modifier::f16x2, Modifier::bf16, Modifier::bf16x2}) {
        if (instruction.has(type)) return ptx::OperandClass::fp32;
    }
    const bool is_wide = instruction.has(Modifier::s64) || instruction.has(Modifier::u64);
    return is_wide ? ptx::OperandClass::wide_integer : ptx::OperandClass::integer;
}

// A constant at a known address is an operand of its user.
bool is_operand(const ptx::Instruction& load) {
    const ptx::Operand& from = load.operands.back();
    return load.space == ptx::Space::constant && from.kind == ptx::Operand::Kind::memory && !from.has_register;
}

bool divides(const ptx::Instruction& instruction) { return ptx::row_of(instruction.opcode()).is_long; }

// Whether the division is in a loop, or follows another one by the same register.
bool is_repeated(const ptx::Function& function, std::size_t at) {
    const std::uint32_t divisor = function.body[at].operands[2].reg;
    const auto divides_so = [&](const ptx::Instruction& instruction) {
        return divides(instruction) && instruction.operands[2].kind == ptx::Operand::Kind::reg && instruction.operands[2].reg == divisor;
    };
    const auto here = function.body.begin() + static_cast<std::ptrdiff_t>(at);
    return std::any_of(function.body.begin(), here, divides_so) || instructions_in_loops(function)[at];
}

}  // namespace

bool is_joined_with_product(const ptx::Function& function, std::size_t at) {
    const ptx::Instruction& sum = function.body[at];
    if (sum.opcode() != Opcode::add || !(sum.has(Modifier::s64) || sum.has(Modifier::u64))) return false;
    const auto is_product = [&](std::uint32_t reg) {
        constexpr std::size_t farthest = 64;
        for (std::size_t back = at; back-- > 0 && at - back < farthest;) {
            const ptx::Instruction& before = function.body[back];
            if (before.operands.empty() || before.operands[0].kind != ptx::Operand::Kind::reg || before.operands[0].reg != reg) continue;
            return before.opcode() == Opcode::mul && before.has(Modifier::wide);
        }
        return false;
    };
    return std::any_of(sum.operands.begin() + 1, sum.operands.end(),
                       [&](const ptx::Operand& operand) { return operand.kind == ptx::Operand::Kind::reg && is_product(operand.reg); });
}

MachineCode machine_code_of(const ptx::Module& module, const ptx::Function& function, std::size_t begin, std::size_t end,
                            const std::vector<bool>& settled) {
    MachineCode sum{0, 0, 0, 0};
    for (std::size_t i = begin; i < end; ++i) {
        const ptx::Instruction& instruction = function.body[i];
        if (is_joined_with_product(function, i)) continue;
        const bool stays =
            divides(instruction) && instruction.operands[2].kind == ptx::Operand::Kind::reg && settled[instruction.operands[2].reg];
        sum += machine_code_of(module, instruction, stays && is_repeated(function, i));
    }
    return sum;
}

MachineCode machine_code_of(const ptx::Module& module, const ptx::Instruction& instruction, bool divisor_stays) {
    switch (instruction.opcode()) {
        case Opcode::call:
            return of_call(module, instruction);
        case Opcode::ld:
            return is_operand(instruction) ? MachineCode{0, 0, 0, 0} : MachineCode{};
        case Opcode::cvt:
            return of_conversion(instruction);
        default:
            return ptx::sass_cost(instruction.encoding, class_of(instruction), divisor_stays);
    }
}

}  // namespace lab::timing
