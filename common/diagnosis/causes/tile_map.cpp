#include "common/diagnosis/causes/tile_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace lab::diagnosis {
namespace {

// Diagonal orders of square grids.
GridTile diagonal_of_square(int which, GridTile b, GridTile grid) {
    const std::size_t sum = b.x + b.y;
    switch (which) {
        case 0:
            return {sum % grid.x, b.x};
        case 1:
            return {sum % grid.y, b.y};
        case 2:
            return {b.x, sum % grid.x};
        default:
            return {b.y, sum % grid.y};
    }
}
constexpr int diagonals_of_square = 4;

// A diagonal order: `line` is the row (or the column) that the number of a block chooses, the other coordinate is shifted by it.
//   line = number % remainder, other = (number / quotient + line) % wrap
struct Diagonal {
    bool line_is_row = true;
    bool numbers_along_y = false;   // number = x * factor + y; else y * factor + x
    bool has_other_factor = false;  // the grid's other side
    bool has_other_remainder = false;
    bool has_other_quotient = false;
    enum class Wrap { right, other, none } wrap = Wrap::right;

    [[nodiscard]] GridTile operator()(GridTile b, GridTile grid) const {
        const std::size_t line_side = line_is_row ? grid.y : grid.x;
        const std::size_t other_side = line_is_row ? grid.x : grid.y;
        const std::size_t factor = numbers_along_y != has_other_factor ? grid.y : grid.x;
        const std::size_t number = numbers_along_y ? b.x * factor + b.y : b.y * factor + b.x;
        const std::size_t line = number % (has_other_remainder ? other_side : line_side);
        const std::size_t shifted = number / (has_other_quotient ? other_side : line_side) + line;
        const std::size_t other = wrap == Wrap::none ? shifted : shifted % (wrap == Wrap::right ? other_side : line_side);
        return line_is_row ? GridTile{other, line} : GridTile{line, other};
    }
    // A remainder and a quotient by the same wrong side are one mistake.
    [[nodiscard]] int mistakes() const {
        return int(has_other_factor) + int(has_other_remainder || has_other_quotient) + int(wrap != Wrap::right);
    }
    [[nodiscard]] std::string question() const {
        const auto side = [](bool is_x) { return is_x ? "gridDim.x" : "gridDim.y"; };
        if (mistakes() != 1) {
            return wrap == Wrap::none ? "" : right_in_square_grids_only;
        }
        if (has_other_factor) {
            return fmt::format("does the number of a block multiply {} by {} instead of {}?", numbers_along_y ? "blockIdx.x" : "blockIdx.y",
                               side(numbers_along_y), side(!numbers_along_y));
        }
        if (wrap == Wrap::none) {
            return fmt::format("is a diagonal that leaves the grid {} continued at the {}, by a remainder?",
                               line_is_row ? "on the right" : "at the bottom", line_is_row ? "left" : "top");
        }
        return !line_is_row || !has_other_quotient || has_other_remainder
                   ? right_in_square_grids_only
                   : fmt::format("{} Its column follows from / gridDim.x in place of / gridDim.y", right_in_square_grids_only);
    }
};

// All with a mistake, the ones with the fewest first.
std::vector<Diagonal> wrong_diagonals() {
    std::vector<Diagonal> all;
    for (unsigned bits = 0; bits < 32; ++bits) {
        for (const auto wrap : {Diagonal::Wrap::right, Diagonal::Wrap::other, Diagonal::Wrap::none}) {
            const Diagonal one{(bits & 1U) != 0, (bits & 2U) != 0, (bits & 4U) != 0, (bits & 8U) != 0, (bits & 16U) != 0, wrap};
            if (one.mistakes() > 0) {
                all.push_back(one);
            }
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const Diagonal& one, const Diagonal& other) { return one.mistakes() < other.mistakes(); });
    return all;
}

// Each tile of a grid once, column and row exchanged.
GridTile exchanged(GridTile b, GridTile /*grid*/) { return {b.y, b.x}; }

// Whether blocks that take these tiles, if they are in the grid, write exactly the reached ones, with as many stores. `tile_of`: a block's
// number to a tile by its column and row.
template <typename TileOf>
bool is_reached_by(const TileOf& tile_of, const Launched& launched, const Shape& shape, const Tiles& tiles) {
    std::vector<int> reached(tiles.reached.size());
    std::size_t stores = 0;
    for (std::size_t number = 0; number < launched.grid_x * launched.grid_y; ++number) {
        const GridTile tile = tile_of(number);
        if (tile.x >= tiles.across || tile.y >= tiles.down) {
            continue;
        }
        reached[tile.y * tiles.across + tile.x] = 1;
        stores += elements_in(tile, tiles.size, shape);
    }
    return reached == tiles.reached && stores == launched.stored;
}

}  // namespace

std::size_t elements_in(const GridTile& tile, const TileSize& size, const Shape& shape) {
    return std::min(size.high, shape.rows - tile.y * size.high) * std::min(size.wide, shape.cols - tile.x * size.wide);
}

std::optional<TileSize> tile_size(const Launched& launched, const Shape& shape) {
    const std::size_t x = launched.block_x;
    const std::size_t y = launched.block_y;
    for (const TileSize& size : {TileSize{y, x}, TileSize{x, y}, TileSize{x, x}}) {
        const std::size_t count = size.high * size.wide > 1 ? blocks_over(shape.rows, size.high) * blocks_over(shape.cols, size.wide) : 0;
        if (count > 0 && count == launched.grid_x * launched.grid_y) return size;
    }
    return std::nullopt;
}

bool is_thin(const Tiles& tiles) { return tiles.down < 2 || tiles.across < 2; }

std::string question_about_map(const Launched& launched, const Shape& shape, const Tiles& tiles) {
    const bool is_grid_of_tiles = (launched.grid_x == tiles.down && launched.grid_y == tiles.across) ||
                                  (launched.grid_x == tiles.across && launched.grid_y == tiles.down);
    if (is_thin(tiles) || launched.grid_x == launched.grid_y || !is_grid_of_tiles) {
        return "";
    }
    const auto is_reached = [&](const auto& map) {
        const auto tile_of = [&](std::size_t number) {
            const GridTile tile = map({number % launched.grid_x, number / launched.grid_x}, {launched.grid_x, launched.grid_y});
            return launched.grid_x == tiles.down ? exchanged(tile, {}) : tile;
        };
        return is_reached_by(tile_of, launched, shape, tiles);
    };
    if (is_reached(exchanged)) {
        return launched.grid_x == tiles.across
                   ? "does the kernel take the grid to cover in instead of out, or the map exchange column and row?"
                   : "are the tile's column and row exchanged in the map?";
    }
    for (int which = 0; which < diagonals_of_square; ++which) {
        if (is_reached([&](GridTile b, GridTile grid) { return diagonal_of_square(which, b, grid); })) {
            return right_in_square_grids_only;
        }
    }
    std::string question;
    int mistakes = 0;
    for (const Diagonal& map : wrong_diagonals()) {
        if ((!question.empty() && map.mistakes() > mistakes) || !is_reached(map)) {
            continue;
        }
        if (!question.empty() && question != map.question()) {
            return "";
        }
        question = map.question();
        mistakes = map.mistakes();
    }
    return question;
}

bool numbers_its_tiles(const Launched& launched, const Tiles& tiles) {
    return launched.grid_y == 1 && launched.grid_x == tiles.reached.size();
}

std::string question_about_numbers(const Launched& launched, const Shape& shape, const Tiles& tiles) {
    const auto is_divisor = [&](std::size_t one) {
        const auto map = [one](std::size_t number) { return GridTile{number % one, number / one}; };
        return one != tiles.across && is_reached_by(map, launched, shape, tiles);
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

}  // namespace lab::diagnosis
