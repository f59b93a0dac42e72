// Mistakes in the map from a block's number along x to its tile.
#pragma once

#include <string>

#include "common/grading/tile_map.h"
#include "common/grading/verdict.h"

namespace lab::grading {

// Whether the grid is one row of blocks, one for each tile.
[[nodiscard]] bool numbers_its_tiles(const Launched& launched, const Tiles& tiles);
// Question about the map from numbers along x to tiles, row by row of tiles; "" if no other divisor, or several, explain the tiles reached.
// The tiles in a column as divisor reach the same tiles as a quotient and remainder that are exchanged.
[[nodiscard]] std::string question_about_numbers(const Launched& launched, const Shape& shape, const Tiles& tiles);

}  // namespace lab::grading
