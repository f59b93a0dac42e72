// SASS instructions of a PTX instruction: their number, and the execution units that they use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/emulator/ptx/module.h"

namespace lab::timing {

// Of a warp: all of them, and of those the ones that take lanes for 32-bit floating point (16-bit as well), for 64-bit, and for special
// functions, which approximate reciprocals, roots, exponentials, logarithms, sines, and convert between integers and floating point.
struct MachineCode {
    std::uint32_t instructions = 1, fp32 = 0, fp64 = 0, special = 0;
    MachineCode& operator+=(const MachineCode& other);
};

// Of one instruction. Divisions, exact roots and functions of CUDA's library take several: as many as on the way that usual operands take.
// `divisor_stays`: an integer division's divisor is the same all the time, so that what is found out about it is found out once.
// Measured by tests/gpu/instruction_counts.cu on an H200 (nvcc 13.0, compute capability 9.0):
// common/emulator/devices/measured/h200_instructions.jsonl.
[[nodiscard]] MachineCode machine_code_of(const ptx::Module& module, const ptx::Instruction& instruction, bool divisor_stays);

// Whether it adds to a 64-bit address what a product of two 32-bit numbers before it gave: one instruction with that.
[[nodiscard]] bool is_joined_with_product(const ptx::Function& function, std::size_t at);

// Of the function's instructions from `begin` up to `end`. `settled`: settled_registers(function).
[[nodiscard]] MachineCode machine_code_of(const ptx::Module& module, const ptx::Function& function, std::size_t begin, std::size_t end,
                                          const std::vector<bool>& settled);

}  // namespace lab::timing
