// What a function's text says of its stores: from which kernel parameters their addresses come, and which store a constant.
#pragma once

#include "common/emulator/machine/code.h"
#include "common/emulator/ptx/module.h"

namespace lab::machine {

// Looks at one function of a kernel, instructions in any order, registers as sets of what may flow into them. What a device
// function gets as an argument or what comes from memory may point anywhere.
void add_written_through(const ptx::Function& function, WrittenThrough& result);

// Whether the instruction is a store of one value that stands in the text: all that it ever writes is the same.
[[nodiscard]] bool stores_constant(const ptx::Function& function, const ptx::Instruction& store);

}  // namespace lab::machine
