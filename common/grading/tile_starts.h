// Infers by how much the tiles that a kernel loads are too close together or too far apart.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/grading/causes.h"
#include "common/grading/samples.h"
#include "common/grading/verdict.h"

namespace lab::grading {

// Row and column of the source that an output's element should hold, and those of the one that it holds.
struct Taken {
    std::size_t wanted_row, wanted_col, row, col;
};

// "tiles are loaded from starts 8 rows of in apart instead of 32: ...", if that explains all elements; or "". `sides`: candidates for the
// side of a tile.
[[nodiscard]] std::string tiles_start_elsewhere(const std::vector<Taken>& elements, const std::vector<std::size_t>& sides,
                                                const std::string& source);

// The same of the tiles of the right factor of a product, if sums of such products explain all samples.
[[nodiscard]] std::string factors_tiles_start_elsewhere(const Shape& shape, const Factors& factors, const Explained& samples,
                                                        const std::vector<std::size_t>& sides);

// Right position of a wrong element's value.
struct Found {
    std::size_t at, from;  // its position in the output; the element of the origin
};

// "tile (0, 1) of out holds tile (3, 3) of in instead of (1, 0): ...",
// for square tiles with `side` rows. Nothing if elements of one tile come from several. `out`: the transpose; `array`: its input's name.
[[nodiscard]] Cause held_tiles(const std::vector<Found>& found, std::size_t side, const Shape& out, const std::string& array);

}  // namespace lab::grading
