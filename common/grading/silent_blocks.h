// Tiles of blocks that store nothing, by what these blocks load: those that nobody writes, or others.
#pragma once

#include "common/grading/tile_map.h"
#include "common/grading/verdict.h"
#include "common/trace/launch.h"

namespace lab::grading {

// Lines of an output that no block writes: columns, or rows, from the first of them to the end.
struct MissingLines {
    bool are_rows = false;
    std::size_t first = 0;
};

// Tiles of the recorded blocks that store nothing, by the elements of the factors that they load. `are_missing`: one of
// them loads what the missing lines need. `are_others`: all load what other lines need, and nothing of the other factor, as a block of a
// tile outside the output does. `unknown`: anything else.
enum class SilentBlocks { unknown, are_missing, are_others };
[[nodiscard]] SilentBlocks tiles_of_silent_blocks(const trace::Launch& launch, const Shape& shape, const Expected& expected,
                                                  const MissingLines& missing);

}  // namespace lab::grading
