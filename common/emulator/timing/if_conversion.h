// If-conversion by ptxas: short guarded blocks become predicated instructions.
#pragma once

#include "common/emulator/ptx/cfg.h"

namespace lab::timing {

// The same graph with each block that is a mere jump, and follows the branch that alone leads to it, joined with that: one branch to two
// places.
[[nodiscard]] ptx::ControlFlow without_jumps(const ptx::Function& function, ptx::ControlFlow flow);

// The same graph, which has no such jumps, with each block that ends in a branch over a few instructions joined with those and with what
// follows them, be it the loop's end: ptxas gives such instructions a predicate each, so that others can be moved past them. Of two
// conditions joined by && the compiler before it makes one. Not over barriers, calls and atomics, nor where anything else jumps in. Not
// inside of other guarded code either, nor right before a branch that stays one; one to the function's end is an exit with a predicate.
// (So does ptxas of CUDA 11.8 for compute capability 9.0, with some twenty kernels tried, and nvcc 13.0 with the labs' solutions.)
[[nodiscard]] ptx::ControlFlow if_converted(const ptx::Function& function, ptx::ControlFlow flow);

}  // namespace lab::timing
