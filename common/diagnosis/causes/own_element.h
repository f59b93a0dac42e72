// Mistakes in a transpose that a recorded launch shows: whether an access outside a matrix lies where its thread belongs, so that a guard
// is wrong, or elsewhere, so that its index is; and how the threads of a block walk over a tile in shared memory.
#pragma once

#include <string>

#include "common/diagnosis/message.h"
#include "common/diagnosis/verdict.h"
#include "common/findings/finding.h"
#include "common/trace/launch.h"

namespace lab::diagnosis {

// An element of a matrix that a thread computes or moves.
struct OwnElement {
    std::size_t row = 0, col = 0;
    std::size_t nth = 0;  // number among the elements of its thread
};

// How the threads of a transpose are laid over its matrices.
struct Layout {
    Shape out;               // the output; `in` has its rows and columns exchanged
    bool covers_in = false;  // the grid's x runs over the columns of `in`; else over those of `out`
    bool is_tiled = false;   // a block moves square tiles of side blockDim.x, along the rows of both matrices
};

// "; that is row 31 of out, which has 31 rows: ..." for an access behind the end of `in` or `out`; "" if nothing is known.
[[nodiscard]] std::string place_of_thread(const Finding& finding, const Launched& launched, const Layout& layout);

// The tiles of a launch: `halves` of them side by side in shared memory; whether each lies inside the matrix as a whole.
struct Tiling {
    std::size_t halves = 1;
    bool is_whole = false;
};

// The message with a first line about the tile's loop or row length, if the recorded accesses prove that it leaves out elements of the
// tile, or takes some twice; the former first line becomes evidence. `launch`: with a recording.
[[nodiscard]] Message explained_by_walk(Message message, const trace::Launch& launch, const Tiling& tiling);

}  // namespace lab::diagnosis
