// How often a loop goes round, where its text says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/emulator/machine/register_uses.h"
#include "common/emulator/ptx/module.h"

namespace lab::timing {

// Of a loop of one basic block, the instructions from `begin` up to `end`, that counts from a number by a number to a number; `branch`: the
// instruction that looks whether it is there. 0: it isn't such a one, or goes round more than 4096 times.
[[nodiscard]] std::uint32_t known_turns(const ptx::Function& function, const std::vector<machine::RegisterUses>& uses, std::size_t begin,
                                        std::size_t end, std::size_t branch);

}  // namespace lab::timing
