// Short guarded pieces of code as compilers of machine code make them: without a branch.
#pragma once

#include "common/emulator/ptx/cfg.h"

namespace lab::machine {

// The same graph with each block that ends in a branch over a few instructions joined with those and with what follows them: ptxas gives
// such instructions a predicate each, so that others can be moved past them. Not over barriers, calls and atomics, nor where anything else
// jumps in.
[[nodiscard]] ptx::ControlFlow if_converted(const ptx::Function& function, ptx::ControlFlow flow);

}  // namespace lab::machine
