// Loads at which a warp waits for memory, derived from the PTX text, and if-conversion by ptxas, which decides what a basic block is.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/ptx/cfg.h"
#include "common/emulator/ptx/module.h"

namespace lab::timing {

// The share of a wait (Q4) that each load begins, by instruction, for global (and generic) and for shared memory. A warp continues
// after a load until an instruction needs the result, so loads that are outstanding together are one wait, which the first of them begins:
// its execution count is the number of waits. Compilers hoist loads, so all loads of a basic block whose addresses are independent count as
// issued at its beginning, but not across barriers, fences, atomics and stores to the same space. In a loop the back edge counts, not the
// entry. In an unrolled loop (unrolled_loops.h) the loads of all unrolled iterations are outstanding together, so an iteration begins a
// part of a wait.
struct LoadWaits {
    std::vector<std::uint8_t> global, shared;
    std::vector<std::uint32_t> dependent_q6;        // by the basic block that begins there: its duration (warp_schedule.h)
    std::vector<std::uint32_t> saved_instructions;  // by the basic block that begins there: as UnrolledLoop has them
};
[[nodiscard]] LoadWaits load_waits(const ptx::Module& module, const ptx::Function& function);

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
