// Rows and columns that a launch reached, and ends of them that the grid or its blocks explain.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/diagnosis/causes/cause.h"
#include "common/diagnosis/verdict.h"

namespace lab::diagnosis {

// Rows or columns of an output, and a mask of the reached ones.
struct Side {
    std::string line;  // "row"
    std::vector<bool> reached;
    std::size_t other = 0;  // number of lines in the other direction
    std::size_t inner = 0;  // terms of a sum; 0 without a sum
};

// Unreached lines at the end, and the question about them: the size that the bound may have been taken from.
struct Ending {
    std::string lines, question;
    bool is_other = false;
};

[[nodiscard]] bool is_whole(const Side& side);

// Number of reached lines from the first on; 0 if others follow after a gap.
[[nodiscard]] std::size_t prefix(const Side& side);

// "rows 16 to 19", "the last row".
[[nodiscard]] std::string lines_from(const Side& side, std::size_t first);

// Whether the grid has a thread, or a thread's share of a tile, for each element, with x along either side. `may_be_square`: tiles may have
// the side blockDim.x whatever blockDim.y is.
[[nodiscard]] bool covers(const Launched& launched, const Shape& shape, bool may_be_square);

// The grid has fewer threads along a side than the side has lines, and no later line was reached.
[[nodiscard]] Cause ends_with_the_grid(const Launched& launched, const Shape& shape, const Side& side);

// "blocks write 64 rows of out each, but start 32 apart: ...": the blocks along a side overlap, so that the last lines are left out.
// Without the number of stores that can't be told; "" then, too.
[[nodiscard]] std::string blocks_overlap(const Launched& launched, const Shape& shape, const Side& side);

// "rows 128 to 129 and the last column of out were never written, ...": only whole blocks were reached along both sides, none of those
// that cross an edge. "" if that doesn't hold. The blocks are the launch's, or without one of a power of two.
[[nodiscard]] std::string partial_blocks_left_out(const Launched& launched, const Shape& shape, const Side& rows, const Side& cols);

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

}  // namespace lab::diagnosis
