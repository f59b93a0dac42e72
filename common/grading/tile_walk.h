// How the threads of a block walk over a tile in shared memory, by the accesses that a launch recorded.
#pragma once

#include "common/grading/message.h"
#include "common/trace/launch.h"

namespace lab::grading {

// The tiles of a launch: `halves` of them side by side in shared memory; whether each lies inside the matrix as a whole.
struct Tiling {
    std::size_t halves = 1;
    bool is_whole = false;
};

// The message with a first line about the tile's loop or row length, if the recorded accesses prove that it leaves out elements of the
// tile, or takes some twice; the former first line becomes evidence. `launch`: with a recording.
[[nodiscard]] Message explained_by_walk(Message message, const trace::Launch& launch, const Tiling& tiling);

}  // namespace lab::grading
