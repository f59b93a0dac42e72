// Data flow of a function's stores: kernel parameters that their addresses derive from, and stores of constants.
#pragma once

#include "common/emulator/machine/code.h"
#include "common/emulator/ptx/module.h"

namespace lab::machine {

// Analyses one function of a kernel, instructions in any order, registers as sets of possible origins. A device function's arguments and
// values from memory may point anywhere.
void add_written_through(const ptx::Function& function, WrittenThrough& result);

// Whether the instruction stores a compile-time constant.
[[nodiscard]] bool stores_constant(const ptx::Function& function, const ptx::Instruction& store);

}  // namespace lab::machine
