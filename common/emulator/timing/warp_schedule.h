// Duration of a warp's instructions without waits for other warps or loads.
#pragma once

#include <cstdint>
#include <vector>

#include "common/emulator/machine/register_uses.h"
#include "common/emulator/ptx/cfg.h"
#include "common/emulator/timing/unrolled_loops.h"

namespace lab::timing {

// Per instruction: duration of one execution of the basic block that begins there, in parts (parts_an_instruction, launch.h). A compiler
// interleaves independent instructions, so a block takes as long as its critical path, or as issuing its instructions if that is longer.
// Unrolled iterations overlap in the same way. A loop that is unrolled without a constant trip count first computes the number of remaining
// iterations, which takes time. `flow`: if-converted.
[[nodiscard]] std::vector<std::uint32_t> warp_schedule(const ptx::Module& module, const ptx::Function& function,
                                                       const ptx::ControlFlow& flow, const std::vector<machine::RegisterUses>& uses,
                                                       const std::vector<UnrolledLoop>& loops);

}  // namespace lab::timing
