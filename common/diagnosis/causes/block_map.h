// The map from blocks to tiles that the blocks' stores show.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/diagnosis/causes/failed_launch.h"
#include "common/diagnosis/causes/tile_map.h"
#include "common/diagnosis/message.h"
#include "common/diagnosis/verdict.h"
#include "common/trace/launch.h"

namespace lab::diagnosis {

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
// The verdict on an output that lacks whole tiles, with the map in its first line, if the topic is Topic::unknown_map.
[[nodiscard]] Message explained_by_map(Message wrong, const Record& record, const Shape& shape, const Launched& launched);

}  // namespace lab::diagnosis
