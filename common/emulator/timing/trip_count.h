// Trip counts that are constant in the PTX.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/emulator/machine/register_uses.h"
#include "common/emulator/ptx/module.h"

namespace lab::timing {

// Trip count of the single-block loop [begin, end) if its start, step and bound are constants; 0 if unknown or above 4096. `branch`: the
// instruction that ends the loop.
[[nodiscard]] std::uint32_t trip_count(const ptx::Function& function, const std::vector<machine::RegisterUses>& uses, std::size_t begin,
                                       std::size_t end, std::size_t branch);

}  // namespace lab::timing
