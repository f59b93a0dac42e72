// Mistakes in a kernel's map from blocks to tiles, by the tiles that were written.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/grading/verdict.h"

namespace lab::grading {

// An output in tiles, row by row, each reached as a whole or not at all.
struct Tiles {
    std::size_t high, wide;  // elements of one
    std::size_t down, across;
    std::vector<int> reached;
};

// One row or column of tiles, in which different maps reach the same ones.
[[nodiscard]] bool is_thin(const Tiles& tiles);
// Question about the map that reaches exactly these tiles with as many stores, if it is right in square grids; "" if none does.
[[nodiscard]] std::string question_about_map(const Launched& launched, const Shape& shape, const Tiles& tiles);

}  // namespace lab::grading
