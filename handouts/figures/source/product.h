// Numbers and positions behind the figures about the product P = M N.
#pragma once

#include "common/report/grid.h"

namespace lab::report {

// M at the left, N above, P below N and beside M, so that a row of M and a column of N cross at their element of P.
struct ProductGrids {
    Grid m, n, p;
};
// M has `rows` x `depth` cells, N `depth` x `columns`.
[[nodiscard]] ProductGrids product_grids(Point origin, int rows, int depth, int columns, double cell, double gap);

// Number of tiles of that side that cover `size` elements.
[[nodiscard]] constexpr int tiles_of(int size, int tile) { return (size + tile - 1) / tile; }

}  // namespace lab::report
