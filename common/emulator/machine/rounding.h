// Runs an instruction's handler under another rounding mode of the host.
// Operands come from registers and results go to registers, both in memory, so the calls of fesetround hold the arithmetic between them.
#pragma once

#include <cfenv>

#include "common/emulator/machine/elementwise.h"

namespace lab::machine {

template <int Mode, Handler Inner>
const Op* run_rounded(const Op* op, Warp& warp) {
    std::fesetround(Mode);
    const Op* next = Inner(op, warp);
    std::fesetround(FE_TONEAREST);
    return next;
}

// elementwise<F>() under `Mode`, one of FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD.
template <int Mode, auto F>
[[nodiscard]] Definition rounded() {
    constexpr Definition nearest = elementwise<F>();
    Definition definition = nearest;
    definition.run[0] = run_rounded<Mode, nearest.run[0]>;
    definition.run[1] = run_rounded<Mode, nearest.run[1]>;
    return definition;
}

}  // namespace lab::machine
