#include "handouts/figures/source/product.h"

namespace lab::report {

ProductGrids product_grids(Point origin, int rows, int depth, int columns, double cell, double gap) {
    const double right = origin.x + depth * cell + gap;
    const double below = origin.y + depth * cell + gap;
    return {{{origin.x, below}, rows, depth, cell, cell},
            {{right, origin.y}, depth, columns, cell, cell},
            {{right, below}, rows, columns, cell, cell}};
}

}  // namespace lab::report
