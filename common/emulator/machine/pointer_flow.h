// From which kernel parameters the addresses of stores come.
#pragma once

#include "common/emulator/machine/code.h"
#include "common/emulator/ptx/module.h"

namespace lab::machine {

// Looks at one function of a kernel, instructions in any order, registers as sets of what may flow into them. What a device
// function gets as an argument or what comes from memory may point anywhere.
void add_written_through(const ptx::Function& function, WrittenThrough& result);

}  // namespace lab::machine
