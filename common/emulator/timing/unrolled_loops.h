// Counted single-block loops that ptxas unrolls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/emulator/machine/register_uses.h"
#include "common/emulator/ptx/cfg.h"
#include "common/emulator/ptx/module.h"

namespace lab::timing {

// Trip count of the single-block loop [begin, end) if its start, step and bound are constants; 0 if unknown or above 4096. `branch`: the
// instruction that ends the loop.
[[nodiscard]] std::uint32_t trip_count(const ptx::Function& function, const std::vector<machine::RegisterUses>& uses, std::size_t begin,
                                       std::size_t end, std::size_t branch);

struct UnrolledLoop {
    std::size_t begin = 0, end = 0;  // its instructions
    std::uint32_t unroll_factor = 1;
    bool can_load_ahead = true;   // no load address depends on a load of the iteration before
    bool has_trip_count = false;  // it is constant in the PTX
    // Mean number of instructions per iteration that unrolling removes: loop counters and addresses.
    std::uint32_t saved_instructions = 0;
};

// Whether it is a barrier, fence, atomic or call: no instruction moves across it.
[[nodiscard]] bool keeps_order(const ptx::Instruction& instruction);

// Loops that end by comparing an induction variable of constant step; others (i += stride) are not unrolled (nvcc 13.0). ptxas unrolls by
// four (CUDA 11.8, compute capability 5.0 to 9.0), and so does nvcc before it. nvcc unrolls a loop with a constant trip count completely if
// the result has at most some 300 to 1000 instructions (nvcc 13.0, four bodies, trip counts of 3 to 1024). clang, which makes this PTX,
// does the same for constant trip counts. Other loops it leaves rolled or unrolls by two, four or eight; then each kind of instruction
// occurs that often in the body. `flow`: without blocks that only jump. `uses`: per instruction.
[[nodiscard]] std::vector<UnrolledLoop> unrolled_loops(const ptx::Function& function, const ptx::ControlFlow& flow,
                                                       const std::vector<machine::RegisterUses>& uses);

}  // namespace lab::timing
