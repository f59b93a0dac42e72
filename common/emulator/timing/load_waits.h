// Loads at which a warp waits for memory, derived from the PTX text.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/ptx/module.h"

namespace lab::timing {

// Per instruction: the share of a wait, in sixteenths, that the load begins, for global (and generic) and for shared memory.
// A warp continues after a load until an instruction needs the result, so loads that are outstanding together are one wait, begun by the
// first of them: its execution count is the number of waits.
// Compilers hoist loads, so all loads of a basic block with independent addresses count as issued at its beginning, but not across
// barriers, fences, atomics and stores to the same space. In a loop the back edge counts, not the entry. In an unrolled loop
// (unrolled_loops.h) the loads of all unrolled iterations are outstanding together, so one iteration begins a fraction of a wait.
struct LoadWaits {
    std::vector<std::uint8_t> global, shared;
    std::vector<std::uint32_t> parts;               // by the basic block that begins there: its duration (warp_schedule.h)
    std::vector<std::uint32_t> saved_instructions;  // by the basic block that begins there: UnrolledLoop::saved_instructions
};
[[nodiscard]] LoadWaits load_waits(const ptx::Module& module, const ptx::Function& function);

}  // namespace lab::timing
