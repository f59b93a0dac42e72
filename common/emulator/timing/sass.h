// Number of SASS instructions of a PTX instruction, and the execution units that they use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/emulator/machine/vectorised_loads.h"
#include "common/emulator/ptx/instruction_set.h"

namespace lab::timing {

// Wide loads that ptxas makes of loads of `bytes` each (4 or 8) at these offsets from the first one's address, 0 among them: two or four
// words of 4 bytes, or two of 8, that fill an aligned span. PTX has them one by one. Verified by the SASS of lab 3's products for compute
// capability 5.0 to 9.0. ptxas derives a span's alignment from the code; the model uses the addresses.
[[nodiscard]] machine::VectorisedLoads vectorised_loads(std::vector<std::int64_t> offsets, std::uint32_t bytes);

// Counted for each warp that executes them, whatever its active lanes. Special functions approximate reciprocals, roots, exponentials,
// logarithms, sines, and convert between integers and floating point.
using MachineCode = ptx::SassCost;

// SASS of one instruction. Divisions, exact roots and library functions take several instructions: those of the path for common operands.
// `divisor_stays`: the divisor of an integer division is loop-invariant, so its reciprocal is computed once. The cost that depends on the
// instruction alone is in its row (ptx/instruction_set.h).
[[nodiscard]] MachineCode machine_code_of(const ptx::Module& module, const ptx::Instruction& instruction, bool divisor_stays);

// Whether the instruction adds a product of two 32-bit numbers, computed before, to a 64-bit address: SASS fuses the two.
[[nodiscard]] bool is_joined_with_product(const ptx::Function& function, std::size_t at);

// SASS of the function's instructions [begin, end). `settled`: settled_registers(function).
[[nodiscard]] MachineCode machine_code_of(const ptx::Module& module, const ptx::Function& function, std::size_t begin, std::size_t end,
                                          const std::vector<bool>& settled);

}  // namespace lab::timing
