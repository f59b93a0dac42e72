// Duration of a warp's instructions without waits for other warps or loads.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/machine/register_uses.h"
#include "common/emulator/ptx/cfg.h"
#include "common/emulator/timing/unrolled_loops.h"

namespace lab::timing {

// Duration of each basic block in latencies of a dependent instruction (Q6), at the index of its first instruction. A compiler puts what
// doesn't depend on one another side by side, so that a block takes as long as its longest chain of instructions that need each other's
// results, or as long as starting them all takes, if that is longer; several iterations of an unrolled loop share that. Before a loop that
// is unrolled without a constant trip count, it takes time to find out how many iterations remain. `flow`: if-converted.
[[nodiscard]] std::vector<std::uint32_t> warp_schedule(const ptx::Module& module, const ptx::Function& function,
                                                       const ptx::ControlFlow& flow, const std::vector<machine::RegisterUses>& uses,
                                                       const std::vector<UnrolledLoop>& loops);

}  // namespace lab::timing
