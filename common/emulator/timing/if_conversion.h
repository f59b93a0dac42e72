// If-conversion by ptxas: short guarded blocks become predicated instructions.
#pragma once

#include "common/emulator/ptx/cfg.h"

namespace lab::timing {

// Merges each block that only jumps, and whose single predecessor is a branch, with that branch, which then has two destinations.
[[nodiscard]] ptx::ControlFlow without_jumps(const ptx::Function& function, ptx::ControlFlow flow);

// Merges each block that ends in a branch over a few instructions with these and with the code that follows, even the loop's end: ptxas
// predicates such instructions, so that others can move past them. `flow` has no blocks that only jump. Two conditions joined by && are
// one, since the compiler before ptxas combines them.
// Exceptions: code with barriers, calls or atomics, code that other jumps enter, nested guarded code, and code right before a branch that
// remains. A branch to the function's end is a predicated exit.
// Verified with ptxas of CUDA 11.8 for compute capability 9.0 on some twenty kernels, and with nvcc 13.0 on the labs' solutions.
[[nodiscard]] ptx::ControlFlow if_converted(const ptx::Function& function, ptx::ControlFlow flow);

}  // namespace lab::timing
