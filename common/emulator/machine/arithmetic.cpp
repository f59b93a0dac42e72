#include "common/emulator/machine/arithmetic.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

namespace lab::machine {
namespace {

bool is_one_of(const std::string& name, std::initializer_list<std::string_view> all) {
    return std::find(all.begin(), all.end(), name) != all.end();
}

// Newton's steps behind an approximation, and what makes the last bit right: about as many instructions as ptxas has on the usual way.
constexpr Arithmetic exact_division_32{8, 0, 1};
constexpr Arithmetic exact_root_32{5, 0, 1};
constexpr Arithmetic quick_division_32{3, 0, 1};
constexpr Arithmetic exact_division_64{0, 9, 1};

Arithmetic of_32(const ptx::Instruction& instruction) {
    const std::string& name = instruction.parts[0];
    if (is_one_of(name, {"add", "sub", "mul", "mad", "fma"})) return {1, 0, 0};
    if (is_one_of(name, {"sin", "cos", "lg2", "ex2", "tanh"})) return {0, 0, 1};
    const bool is_approximate = instruction.has("approx");
    if (name == "div") return is_approximate ? Arithmetic{1, 0, 1} : instruction.has("full") ? quick_division_32 : exact_division_32;
    if (is_one_of(name, {"rcp", "sqrt", "rsqrt"})) return is_approximate ? Arithmetic{0, 0, 1} : exact_root_32;
    return {};
}

// Comparisons as well: they take the same lanes.
Arithmetic of_64(const ptx::Instruction& instruction) {
    const std::string& name = instruction.parts[0];
    if (is_one_of(name, {"add", "sub", "mul", "mad", "fma", "min", "max", "setp", "set"})) return {0, 1, 0};
    if (is_one_of(name, {"div", "rcp", "sqrt", "rsqrt"})) return instruction.has("approx") ? Arithmetic{0, 0, 1} : exact_division_64;
    return {};
}

}  // namespace

Arithmetic& Arithmetic::operator+=(const Arithmetic& other) {
    fp32 += other.fp32;
    fp64 += other.fp64;
    special += other.special;
    return *this;
}

Arithmetic arithmetic_of(const ptx::Instruction& instruction) {
    if (is_one_of(instruction.parts[0], {"ld", "ldu", "st", "cvt", "mov", "atom", "red"})) return {};
    if (instruction.has("f64")) return of_64(instruction);
    for (const char* const type : {"f32", "f16", "f16x2", "bf16", "bf16x2"}) {
        if (instruction.has(type)) return of_32(instruction);
    }
    return {};
}

Arithmetic arithmetic_of(const ptx::Function& function, std::size_t begin, std::size_t end) {
    Arithmetic sum;
    for (std::size_t i = begin; i < end; ++i) sum += arithmetic_of(function.body[i]);
    return sum;
}

}  // namespace lab::machine
