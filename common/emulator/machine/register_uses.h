// Definitions and uses of a function's registers.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/ptx/module.h"

namespace lab::machine {

// The registers of one instruction, once for each occurrence.
struct RegisterUses {
    std::vector<std::uint32_t> read, written;
    bool is_certain = true;  // false with a guard: the old value may remain
};
[[nodiscard]] RegisterUses uses_of(const ptx::Instruction& instruction);
// Whether it reads one of the marked registers.
[[nodiscard]] bool reads_any(const RegisterUses& uses, const std::vector<bool>& marked);

// Per instruction: whether it is in a loop. A loop around instruction i contains a jump from i or a later instruction to i or an earlier
// one.
[[nodiscard]] std::vector<bool> instructions_in_loops(const ptx::Function& function);

// Per register: whether it has one unguarded definition, outside of any loop, in a kernel. Its value then never changes once set.
[[nodiscard]] std::vector<bool> settled_registers(const ptx::Function& function);

// Per register: whether it is settled and uniform across all threads, since it derives only from parameters and constants.
[[nodiscard]] std::vector<bool> uniform_registers(const ptx::Function& function, const std::vector<bool>& settled);

// Per register: number of its occurrences in the function, guards included. One definition and one use are two.
[[nodiscard]] std::vector<std::uint32_t> register_mentions(const ptx::Function& function);

// Whether the register is used anywhere but as a result or guard.
[[nodiscard]] bool is_read(const ptx::Function& function, std::uint32_t reg);

}  // namespace lab::machine
