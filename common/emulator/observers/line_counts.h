// Counts of memory instructions, by line of the student's source.
#pragma once

#include <vector>

#include "common/emulator/machine/launch.h"

namespace lab::observers {

// Sorted by file, then line. Inlined code counts at the call in the student's own code; lines without memory accesses are omitted.
[[nodiscard]] std::vector<trace::LineCounts> by_line(const std::vector<machine::PlaceCounts>& places, const ptx::Module& module);

}  // namespace lab::observers
