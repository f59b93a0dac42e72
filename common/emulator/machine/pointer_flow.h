// Data flow of a function: kernel parameters that the addresses of its accesses derive from, and stores of constants.
#pragma once

#include "common/emulator/machine/code.h"
#include "common/emulator/ptx/module.h"

namespace lab::machine {

// Analyses one function of a kernel, instructions in any order, registers as sets of possible origins. A device function's arguments and
// values from memory may point anywhere.
void add_written_through(const ptx::Function& function, WrittenThrough& result);

// Offsets in the parameter block of the kernel parameters that the address of a load, store or atomic derives from; empty if it may derive
// from anything else.
[[nodiscard]] std::vector<std::uint32_t> parameters_of_address(const ptx::Function& function, const ptx::Instruction& access);

// The allocations that the parameters at these offsets point into, by address.
[[nodiscard]] std::vector<const Allocation*> pointed_to(const std::vector<std::uint32_t>& parameters, const LaunchConfig& config,
                                                        const Memory& memory);

// Whether the instruction stores a compile-time constant.
[[nodiscard]] bool stores_constant(const ptx::Function& function, const ptx::Instruction& store);

}  // namespace lab::machine
