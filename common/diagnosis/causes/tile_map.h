// Mistakes in a kernel's map from blocks to tiles, by the tiles that were written.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "common/diagnosis/verdict.h"

namespace lab::diagnosis {

// A tile by its column and row, in the directions of the grid's x and y.
struct GridTile {
    std::size_t x = 0, y = 0;
    bool operator==(const GridTile&) const = default;
};

struct TileSize {
    std::size_t high = 0, wide = 0;  // elements
};
// Elements of an output that a tile holds: those of one at an edge may be fewer than its size.
[[nodiscard]] std::size_t elements_in(const GridTile& tile, const TileSize& size, const Shape& shape);

// An output in tiles, row by row, each reached as a whole or not at all.
struct Tiles {
    TileSize size;
    std::size_t down, across;
    std::vector<int> reached;
};

// Size of tiles of which the output has as many as the grid has blocks; nothing if no tile as long as a block's sides is such.
[[nodiscard]] std::optional<TileSize> tile_size(const Launched& launched, const Shape& shape);

// Questions about a map that the tiles reached alone don't show.
inline constexpr const char* one_block_a_tile = "does each block get a tile of its own, and each tile a block?";
inline constexpr const char* leads_out_of_grid = "does the map from block to tile lead out of the grid?";
inline constexpr const char* right_in_square_grids_only = "is the map right in square grids only?";

// One row or column of tiles, in which different maps reach the same ones.
[[nodiscard]] bool is_thin(const Tiles& tiles);
// Question about the map that reaches exactly these tiles with as many stores, if it is right in square grids; "" if none does.
[[nodiscard]] std::string question_about_map(const Launched& launched, const Shape& shape, const Tiles& tiles);

// Whether the grid is one row of blocks, one for each tile.
[[nodiscard]] bool numbers_its_tiles(const Launched& launched, const Tiles& tiles);
// Question about the map from numbers along x to tiles, row by row of tiles; "" if no other divisor, or several, explain the tiles reached.
// The tiles in a column as divisor reach the same tiles as a quotient and remainder that are exchanged.
[[nodiscard]] std::string question_about_numbers(const Launched& launched, const Shape& shape, const Tiles& tiles);

}  // namespace lab::diagnosis
