// What a function's text says of its registers: how often they are set and read, and where.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/ptx/module.h"

namespace lab::machine {

// The registers of one instruction, each as often as it stands there.
struct RegisterUses {
    std::vector<std::uint32_t> read, written;
    bool is_certain = true;  // false with a guard: what was there before may live on
};
[[nodiscard]] RegisterUses uses_of(const ptx::Instruction& instruction);
// Whether it reads one of the marked registers.
[[nodiscard]] bool reads_any(const RegisterUses& uses, const std::vector<bool>& marked);

// By instruction: whether it stands in a loop. A loop around instruction i holds a jump from i or behind it to i or before it.
[[nodiscard]] std::vector<bool> instructions_in_loops(const ptx::Function& function);

// By register: whether it has one unguarded definition, outside of any loop, in a kernel. Once set, such a one keeps its value.
[[nodiscard]] std::vector<bool> settled_registers(const ptx::Function& function);

// By register: whether a settled one has the same value in all threads, as it comes from parameters and numbers alone.
[[nodiscard]] std::vector<bool> uniform_registers(const ptx::Function& function, const std::vector<bool>& settled);

// By register: how often it stands anywhere in the function, guards included. Once written and once read is twice.
[[nodiscard]] std::vector<std::uint32_t> register_mentions(const ptx::Function& function);

// Whether the register stands anywhere but where an instruction puts its result or takes its guard from.
[[nodiscard]] bool is_read(const ptx::Function& function, std::uint32_t reg);

}  // namespace lab::machine
