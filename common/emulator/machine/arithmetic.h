// What a kernel asks of the lanes that calculate.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/emulator/ptx/module.h"

namespace lab::machine {

// Instructions of machine code, by the lanes that take them: 32-bit floating point (16-bit as well), 64-bit, and special functions, which
// approximate reciprocals, roots, exponentials, logarithms, sines. Divisions and exact roots are made of several.
struct Arithmetic {
    std::uint32_t fp32 = 0, fp64 = 0, special = 0;
    Arithmetic& operator+=(const Arithmetic& other);
};
[[nodiscard]] Arithmetic arithmetic_of(const ptx::Instruction& instruction);

// Of the function's instructions from `begin` up to `end`.
[[nodiscard]] Arithmetic arithmetic_of(const ptx::Function& function, std::size_t begin, std::size_t end);

}  // namespace lab::machine
