// Whether an access outside a matrix lies where its thread belongs, so that a guard is wrong, or elsewhere, so that its index is.
#pragma once

#include <string>

#include "common/findings/finding.h"
#include "common/grading/verdict.h"

namespace lab::grading {

// How the threads of a transpose are laid over its matrices.
struct Layout {
    Shape out;               // the output; `in` has its rows and columns exchanged
    bool covers_in = false;  // the grid's x runs over the columns of `in`; else over those of `out`
    bool is_tiled = false;   // a block moves square tiles of side blockDim.x, along the rows of both matrices
};

// "; that is row 31 of out, which has 31 rows: ..." for an access behind the end of `in` or `out`; "" if nothing is known.
[[nodiscard]] std::string place_of_thread(const Finding& finding, const Launched& launched, const Layout& layout);

}  // namespace lab::grading
