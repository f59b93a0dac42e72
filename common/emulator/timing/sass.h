// SASS instructions of a PTX instruction: their number, and the execution units that they use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/emulator/ptx/instruction_set.h"

namespace lab::timing {

// Counted for each warp that executes them, whatever lanes are active. Special functions approximate reciprocals, roots, exponentials,
// logarithms, sines, and convert between integers and floating point.
using MachineCode = ptx::SassCost;

// Of one instruction. Divisions, exact roots and functions of CUDA's library take several: as many as on the way that usual operands take.
// `divisor_stays`: an integer division's divisor is the same all the time, so that what is found out about it is found out once.
// The cost that depends on the instruction alone is in its row (ptx/instruction_set.h).
[[nodiscard]] MachineCode machine_code_of(const ptx::Module& module, const ptx::Instruction& instruction, bool divisor_stays);

// Whether it adds to a 64-bit address what a product of two 32-bit numbers before it gave: one instruction with that.
[[nodiscard]] bool is_joined_with_product(const ptx::Function& function, std::size_t at);

// Of the function's instructions from `begin` up to `end`. `settled`: settled_registers(function).
[[nodiscard]] MachineCode machine_code_of(const ptx::Module& module, const ptx::Function& function, std::size_t begin, std::size_t end,
                                          const std::vector<bool>& settled);

}  // namespace lab::timing
