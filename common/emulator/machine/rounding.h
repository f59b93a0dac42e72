// Runs an instruction's handler under another rounding mode of the host. Operands and results are registers in memory, so the arithmetic
// can't move across the calls of fesetround.
#pragma once

#include <cfenv>

#include "common/emulator/machine/elementwise.h"

namespace lab::machine {

template <int Mode, Compute Work>
const Op* run_rounded(const Op* op, Warp& warp) {
    std::fesetround(Mode);
    Work(op, warp);
    std::fesetround(FE_TONEAREST);
    LAB_CONTINUE(op + 1, warp);
}

// lane_by_lane<F>() under `Mode`, one of FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD.
template <int Mode, auto F>
[[nodiscard]] constexpr Definition rounded() {
    Definition definition = lane_by_lane<F>();
    definition.run[0] = definition.run[1] = run_rounded<Mode, compute_lane_by_lane<F>>;
    return definition;
}

}  // namespace lab::machine
