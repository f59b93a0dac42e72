// Counts of memory instructions, gathered by line of the student's source.
#pragma once

#include <vector>

#include "common/emulator/machine/launch.h"

namespace lab::observers {

// By file, then line. Code that was inlined counts where the student's own code called it; what touched no memory has no line.
[[nodiscard]] std::vector<machine::LineCounts> by_line(const std::vector<machine::PlaceCounts>& places, const ptx::Module& module);

}  // namespace lab::observers
