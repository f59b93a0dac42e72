// Maps from blocks to tiles, as the tiles that the blocks write show them.
#include "common/diagnosis/causes/block_map.h"

#include <gtest/gtest.h>

#include <functional>

namespace lab::diagnosis {
namespace {

// Tiles that the blocks of a grid of x x y write by a map from (blockIdx.x, blockIdx.y), if they lie in the grid and `is_stored` holds.
using ToTile = std::function<GridTile(std::size_t, std::size_t)>;
BlockTiles tiles_by(std::size_t x, std::size_t y, const ToTile& map, const std::function<bool(const GridTile&)>& is_stored = {}) {
    BlockTiles tiles{x, y, false, {}};
    for (std::size_t block = 0; block < x * y; ++block) {
        const GridTile tile = map(block % x, block / x);
        const bool is_in = tile.x < x && tile.y < y && (!is_stored || is_stored(tile));
        tiles.of.push_back(is_in ? std::optional(tile) : std::nullopt);
    }
    return tiles;
}

// The same of a map from the block's number.
BlockTiles tiles_by_number(std::size_t x, std::size_t y, const std::function<GridTile(std::size_t)>& map,
                           const std::function<bool(const GridTile&)>& is_stored = {}) {
    return tiles_by(
        x, y, [&](std::size_t at_x, std::size_t at_y) { return map(at_y * x + at_x); }, is_stored);
}

TEST(BlockMap, WritesAMapAsAFormula) {
    EXPECT_EQ(map_in_words(tiles_by_number(6, 4,
                                           [](std::size_t n) {
                                               return GridTile{n % 6, n % 4};
                                           })),
              "block n = blockIdx.y * gridDim.x + blockIdx.x writes tile (n % gridDim.x, n % gridDim.y)");
    EXPECT_EQ(map_in_words(tiles_by_number(6, 4,
                                           [](std::size_t n) {
                                               return GridTile{(n / 6 + n % 6) % 6, n % 4};
                                           })),
              "block n = blockIdx.y * gridDim.x + blockIdx.x writes tile ((n % gridDim.x + n / gridDim.x) % gridDim.x, n % gridDim.y)");
    EXPECT_EQ(map_in_words(tiles_by(6, 4,
                                    [](std::size_t x, std::size_t y) {
                                        return GridTile{(x + y) % 4, x};
                                    })),
              "each block writes tile ((blockIdx.x + blockIdx.y) % gridDim.y, blockIdx.x)");
    EXPECT_EQ(map_in_words(tiles_by_number(6, 4,
                                           [](std::size_t n) {
                                               return GridTile{n % 4 - n / 4, n % 4};
                                           })),
              "block n = blockIdx.y * gridDim.x + blockIdx.x writes tile (n % gridDim.y - n / gridDim.y, n % gridDim.y)");
    EXPECT_EQ(map_in_words(tiles_by(6, 4,
                                    [](std::size_t x, std::size_t y) {
                                        const std::size_t n = x * 6 + y;
                                        return GridTile{(n / 4 + n % 4) % 6, n % 4};
                                    })),
              "block n = blockIdx.x * gridDim.x + blockIdx.y writes tile ((n % gridDim.y + n / gridDim.y) % gridDim.x, n % gridDim.y)");
}

TEST(BlockMap, KnowsWrongEndsOfADiagonal) {
    EXPECT_EQ(map_in_words(tiles_by_number(6, 4,
                                           [](std::size_t n) {
                                               const auto row = static_cast<std::uint32_t>(n % 4);
                                               return GridTile{(static_cast<std::uint32_t>(n / 4) - row) % 6, row};
                                           })),
              "block n = blockIdx.y * gridDim.x + blockIdx.x writes tile ((n / gridDim.y - n % gridDim.y) % gridDim.x, n % gridDim.y)");
    EXPECT_EQ(
        map_in_words(tiles_by_number(6, 4,
                                     [](std::size_t n) {
                                         return GridTile{std::min<std::size_t>(n / 4 + n % 4, 5), n % 4};
                                     })),
        "block n = blockIdx.y * gridDim.x + blockIdx.x writes tile (min(n % gridDim.y + n / gridDim.y, gridDim.x - 1), n % gridDim.y)");
    EXPECT_EQ(
        map_in_words(tiles_by_number(6, 4,
                                     [](std::size_t n) {
                                         return GridTile{(n / 4 + n % 3) % 6, n % 3};
                                     })),
        "block n = blockIdx.y * gridDim.x + blockIdx.x writes tile ((n / gridDim.y + n % (gridDim.y - 1)) % gridDim.x, n % (gridDim.y "
        "- 1))");
}

TEST(BlockMap, WritesTheMapOfBlocksInOneRow) {
    BlockTiles tiles{2, 3, true, {}};
    for (std::size_t n = 0; n < 6; ++n) tiles.of.push_back(n % 3 < 2 ? std::optional(GridTile{n % 3, n / 3}) : std::nullopt);
    EXPECT_EQ(map_in_words(tiles), "block n = blockIdx.x writes tile (n % 3, n / 3)");
}

TEST(BlockMap, TellsAGuardFromAMapThatLeadsOut) {
    const auto right = [](std::size_t n) { return GridTile{(n / 4 + n % 4) % 6, n % 4}; };
    // Each tile has a block, but those of columns 4 and 5 store nothing.
    const BlockTiles guarded = tiles_by_number(6, 4, right, [](const GridTile& tile) { return tile.x < 4; });
    EXPECT_EQ(map_in_words(guarded), "");
    // A diagonal that is not wrapped: the blocks that store follow the right map as well, but a map that leads out explains the others.
    const BlockTiles open = tiles_by_number(6, 4, [](std::size_t n) { return GridTile{n / 4 + n % 4, n % 4}; });
    EXPECT_EQ(map_in_words(open),
              "block n = blockIdx.y * gridDim.x + blockIdx.x writes tile (n % gridDim.y + n / gridDim.y, n % gridDim.y)");
    // Tiles in no order.
    EXPECT_EQ(map_in_words(tiles_by_number(6, 4, [](std::size_t n) { return GridTile{n * n % 7 % 6, n * n % 5 % 4}; })), "");
}

}  // namespace
}  // namespace lab::diagnosis
