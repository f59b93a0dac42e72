// The map from blocks to tiles that the blocks' stores show.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/grading/call.h"
#include "common/grading/message.h"
#include "common/grading/tile_map.h"
#include "common/grading/verdict.h"
#include "common/trace/launch.h"

namespace lab::grading {

// A tile by its column and row, in the directions of the grid's x and y.
struct GridTile {
    std::size_t x = 0, y = 0;
    bool operator==(const GridTile&) const = default;
};

// The tile that each block writes, by the block's number, x first; nothing for a block that stores nothing. `columns`, `rows`: tiles of the
// output; the grid has as many blocks, or all in one row.
struct BlockTiles {
    std::size_t columns = 0, rows = 0;
    bool is_numbered = false;  // along x alone
    std::vector<std::optional<GridTile>> of;
    bool x_is_row = false;  // the grid's x goes along the output's rows
};

// "block n = blockIdx.y * gridDim.x + blockIdx.x writes tile (n % gridDim.x, n % gridDim.y)": the simplest map that gives each block the
// tile that it writes, and leads out of the grid for those that store nothing; "" if none is known.
[[nodiscard]] std::string map_in_words(const BlockTiles& tiles);
// Whether a known map gives each tile to one block, and to those that store the tiles that they write: others reach theirs, too.
[[nodiscard]] bool follow_a_right_map(const BlockTiles& tiles);

// The verdict on an output that lacks whole tiles, with the map in its first line, if the topic is Topic::unknown_map. Makes the call
// again.
[[nodiscard]] Message explained_by_map(Message wrong, const Call& call, const Shape& shape, const Launched& launched,
                                       const Expected& expected);

// Lines of an output that no block writes: columns, or rows, from the first of them to the end.
struct MissingLines {
    bool are_rows = false;
    std::size_t first = 0;
};

// Whether all recorded blocks that store nothing load, of the factor that the missing lines need, other lines only, and nothing of the
// other factor, as a block of a tile outside the output does.
[[nodiscard]] bool silent_blocks_lie_outside(const trace::Launch& launch, const Expected& expected, const MissingLines& missing);

}  // namespace lab::grading
