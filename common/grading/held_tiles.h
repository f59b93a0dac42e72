// Tiles of a transpose whose elements come from one tile of its input: the wrong one, or the right one in another order.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/grading/causes.h"
#include "common/grading/verdict.h"

namespace lab::grading {

// Right position of a wrong element's value.
struct Found {
    std::size_t at, from;  // its position in the output; the element of the origin
};

// "tile (0, 1) of out holds tile (3, 3) of in instead of (1, 0): ...", or "each wrong element of out holds one of its own tile of in ...",
// for square tiles with `side` rows. Nothing if elements of one tile come from several. `out`: the transpose; `array`: its input's name.
[[nodiscard]] Cause held_tiles(const std::vector<Found>& found, std::size_t side, const Shape& out, const std::string& array);

}  // namespace lab::grading
