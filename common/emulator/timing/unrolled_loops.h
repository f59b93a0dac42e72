// Counted loops of one basic block as machine code has them: several turns in one.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/machine/register_uses.h"
#include "common/emulator/ptx/cfg.h"

namespace lab::timing {

struct UnrolledLoop {
    std::size_t begin = 0, end = 0;  // its instructions
    std::uint32_t turns = 1;         // in one of machine code
    bool can_load_ahead = true;      // no turn needs what the one before has loaded, to know where to load from
    bool is_known = false;           // how often it goes round
    std::uint32_t spared = 0;        // instructions of a turn, on average, that machine code doesn't have: of counting and of addresses
};

// A barrier, fence, atomic or call: nothing is moved past it.
[[nodiscard]] bool keeps_order(const ptx::Instruction& instruction);

// ptxas has four turns in one (CUDA 11.8, compute capability 5.0 to 9.0), nvcc before it four as well. clang, whose PTX this is, does as
// nvcc where it knows how often the loop goes round. Where it doesn't, it leaves loops as they are, or has two, four or eight turns in one;
// then each kind of work stands there as often. Loops count that end by comparing what grows by the same each turn, a number written there:
// others (i += stride) nobody unrolls (nvcc 13.0). Of a loop whose text says how often it goes round nvcc makes one piece without any
// counting, if that isn't too long: some 300 to 1000 instructions (nvcc 13.0, four bodies with 3 to 1024 turns). `flow`: without mere
// jumps. `uses`: of each instruction.
[[nodiscard]] std::vector<UnrolledLoop> unrolled_loops(const ptx::Function& function, const ptx::ControlFlow& flow,
                                                       const std::vector<machine::RegisterUses>& uses);

}  // namespace lab::timing
