#include "common/grading/number_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace lab::grading {
namespace {

struct NumberedTile {
    std::size_t x, y;
};

// Whether blocks that take these tiles, if they are in the grid, write exactly the reached ones, with as many stores. `map`: a block's
// number to a tile by its column and row.
template <typename NumberToTile>
bool is_reached_by_numbers(const NumberToTile& map, const Launched& launched, const Shape& shape, const Tiles& tiles) {
    std::vector<int> reached(tiles.reached.size());
    std::size_t stores = 0;
    for (std::size_t number = 0; number < launched.grid_x; ++number) {
        const NumberedTile tile = map(number);
        if (tile.x >= tiles.across || tile.y >= tiles.down) {
            continue;
        }
        reached[tile.y * tiles.across + tile.x] = 1;
        stores += std::min(tiles.high, shape.rows - tile.y * tiles.high) * std::min(tiles.wide, shape.cols - tile.x * tiles.wide);
    }
    return reached == tiles.reached && stores == launched.stored;
}

}  // namespace

bool numbers_its_tiles(const Launched& launched, const Tiles& tiles) {
    return launched.grid_y == 1 && launched.grid_x == tiles.reached.size();
}

std::string question_about_numbers(const Launched& launched, const Shape& shape, const Tiles& tiles) {
    const auto is_divisor = [&](std::size_t one) {
        const auto map = [one](std::size_t number) { return NumberedTile{number % one, number / one}; };
        return one != tiles.across && is_reached_by_numbers(map, launched, shape, tiles);
    };
    const bool is_down = is_divisor(tiles.down);
    std::vector<std::size_t> divisors;
    // In one row or column of tiles, many divisors reach the same ones.
    for (std::size_t one = 1; !is_down && !is_thin(tiles) && one <= 2 * std::max(tiles.across, tiles.down); ++one) {
        if (is_divisor(one)) divisors.push_back(one);
    }
    if (!is_down && divisors.size() != 1) {
        return "";
    }
    const std::string used =
        is_down ? fmt::format("{}, the tiles in a column of {},", tiles.down, shape.name) : fmt::format("{}", divisors.front());
    return fmt::format("does the map divide the block's number by {} instead of {}, {} in a row{}?", used, tiles.across,
                       is_down ? "those" : "the tiles", is_down ? ", or exchange quotient and remainder" : "");
}

}  // namespace lab::grading
