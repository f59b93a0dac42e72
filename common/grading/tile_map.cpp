#include "common/grading/tile_map.h"

#include <algorithm>
#include <array>

namespace lab::grading {
namespace {

struct Tile2 {
    std::size_t x, y;
};
// A block's index and the grid's size, to a tile.
using Map = Tile2 (*)(Tile2 block, Tile2 grid);

// Diagonal orders of square grids.
constexpr std::array<Map, 5> of_square_grids{[](Tile2 b, Tile2 grid) {
                                                 return Tile2{(b.x + b.y) % grid.x, b.x};
                                             },
                                             [](Tile2 b, Tile2 grid) {
                                                 return Tile2{(b.x + b.y) % grid.y, b.y};
                                             },
                                             [](Tile2 b, Tile2 grid) {
                                                 return Tile2{b.x, (b.x + b.y) % grid.x};
                                             },
                                             [](Tile2 b, Tile2 grid) {
                                                 return Tile2{b.y, (b.x + b.y) % grid.y};
                                             },
                                             [](Tile2 b, Tile2 grid) {
                                                 const std::size_t number = b.y * grid.x + b.x;
                                                 return Tile2{(number / grid.y + number % grid.y) % grid.y, number % grid.y};
                                             }};

// Each tile of a grid once, column and row exchanged.
Tile2 exchanged(Tile2 b, Tile2 /*grid*/) { return {b.y, b.x}; }

// Whether blocks that take these tiles, if they are in the grid, write exactly the reached ones, with as many stores.
bool is_reached_by(Map map, const Launched& launched, const Shape& shape, const Tiles& tiles) {
    const bool x_is_row = launched.grid_x == tiles.down;
    std::vector<int> reached(tiles.reached.size());
    std::size_t stores = 0;
    for (std::size_t number = 0; number < launched.grid_x * launched.grid_y; ++number) {
        const Tile2 tile = map({number % launched.grid_x, number / launched.grid_x}, {launched.grid_x, launched.grid_y});
        if (tile.x >= launched.grid_x || tile.y >= launched.grid_y) {
            continue;
        }
        const std::size_t row = x_is_row ? tile.x : tile.y;
        const std::size_t col = x_is_row ? tile.y : tile.x;
        reached[row * tiles.across + col] = 1;
        stores += std::min(tiles.high, shape.rows - row * tiles.high) * std::min(tiles.wide, shape.cols - col * tiles.wide);
    }
    return reached == tiles.reached && stores == launched.stored;
}

}  // namespace

bool is_thin(const Tiles& tiles) { return tiles.down < 2 || tiles.across < 2; }

std::string question_about_map(const Launched& launched, const Shape& shape, const Tiles& tiles) {
    const bool is_grid_of_tiles = (launched.grid_x == tiles.down && launched.grid_y == tiles.across) ||
                                  (launched.grid_x == tiles.across && launched.grid_y == tiles.down);
    if (is_thin(tiles) || launched.grid_x == launched.grid_y || !is_grid_of_tiles) {
        return "";
    }
    if (is_reached_by(exchanged, launched, shape, tiles)) {
        return "are the tile's column and row exchanged in the map?";
    }
    const bool is_of_square_grids =
        std::any_of(of_square_grids.begin(), of_square_grids.end(), [&](Map map) { return is_reached_by(map, launched, shape, tiles); });
    return is_of_square_grids ? "is the map right in square grids only?" : "";
}

}  // namespace lab::grading
