// Sizes from which a grid that covers too little of an output may have been computed.
#pragma once

#include <cstddef>
#include <string>

#include "common/grading/causes.h"
#include "common/grading/reached_sides.h"
#include "common/grading/verdict.h"

namespace lab::grading {

// Blocks along an axis of the grid, and the lines that each of them covers.
struct Extent {
    std::string axis;
    std::size_t blocks, lines;
};

// "is it computed from another side, 16": the one size, of a side or of a block, from which the grid would have its number of blocks; "" if
// none or several would explain it.
[[nodiscard]] std::string size_of_grid(const Launched& launched, const Shape& shape, const Side& side, const Extent& extent);

// "the grid has 2 blocks, but C has 6 tiles of 16 x 16, and a matrix of 20 x 16 has 2: ...": a product's grid of too few square blocks,
// that only one pair of other sides explains. `inner`: terms of a sum; 0 without a sum.
[[nodiscard]] Cause grid_of_other_sides(const Launched& launched, const Shape& shape, std::size_t inner);

}  // namespace lab::grading
