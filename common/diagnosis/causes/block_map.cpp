#include "common/diagnosis/causes/block_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "common/diagnosis/causes/tile_map.h"

namespace lab::diagnosis {
namespace {

constexpr std::size_t max_blocks = 1024;  // whose tiles are compared with maps

// Values of an expression for all blocks. Negative ones lead out of the grid, as they do as unsigned numbers.
using Values = std::vector<std::int64_t>;

struct Expression {
    std::string text;
    Values values;
    int rank = 1;  // the simplest first
};

// A side of the grid, as the text names it.
struct Side {
    std::string name;
    std::int64_t length;
};

struct Numbering {
    std::string text;
    Values numbers;
};

Values combined(const Values& one, const Values& other, std::int64_t sign) {
    Values all(one.size());
    for (std::size_t at = 0; at < one.size(); ++at) all[at] = one[at] + sign * other[at];
    return all;
}

std::vector<Side> sides_of(const BlockTiles& tiles) {
    const auto side = [&](const char* name, std::size_t length) {
        return Side{tiles.is_numbered ? fmt::format("{}", length) : name, static_cast<std::int64_t>(length)};
    };
    return {side("gridDim.x", tiles.columns), side("gridDim.y", tiles.rows)};
}

Values coordinates(const BlockTiles& tiles, bool is_x) {
    Values all;
    for (std::size_t block = 0; block < tiles.of.size(); ++block) {
        all.push_back(static_cast<std::int64_t>(is_x ? block % tiles.columns : block / tiles.columns));
    }
    return all;
}

// The usual numbering of blocks first.
std::vector<Numbering> numberings_of(const BlockTiles& tiles) {
    const Values x = coordinates(tiles, true);
    const Values y = coordinates(tiles, false);
    std::vector<Numbering> all;
    if (tiles.is_numbered) {
        all.push_back({"blockIdx.x", {}});
        for (std::size_t block = 0; block < tiles.of.size(); ++block) all.back().numbers.push_back(static_cast<std::int64_t>(block));
        return all;
    }
    for (const bool along_y : {false, true}) {
        for (const Side& side : sides_of(tiles)) {
            const Values& slow = along_y ? x : y;
            Values numbers(slow.size());
            for (std::size_t at = 0; at < slow.size(); ++at) numbers[at] = slow[at] * side.length + (along_y ? y : x)[at];
            all.push_back(
                {fmt::format("{} * {} + {}", along_y ? "blockIdx.x" : "blockIdx.y", side.name, along_y ? "blockIdx.y" : "blockIdx.x"),
                 std::move(numbers)});
        }
    }
    return all;
}

Expression simple(std::string text, const Values& numbers, std::int64_t side, bool is_remainder, int rank) {
    Expression one{std::move(text), numbers, rank};
    for (std::int64_t& value : one.values) value = is_remainder ? value % side : value / side;
    return one;
}

// Coordinates, quotients and remainders of the blocks' numbers.
std::vector<Expression> simple_expressions(const BlockTiles& tiles, const Numbering& numbering) {
    std::vector<Expression> all;
    for (const Side& side : sides_of(tiles)) {
        all.push_back(simple("n % " + side.name, numbering.numbers, side.length, true, 1));
        all.push_back(simple("n / " + side.name, numbering.numbers, side.length, false, 1));
    }
    if (!tiles.is_numbered) {
        all.push_back({"blockIdx.x", coordinates(tiles, true)});
        all.push_back({"blockIdx.y", coordinates(tiles, false)});
    }
    return all;
}

// Sums and differences, as they are, wrapped in several ways, or cut off at the last column or row.
std::vector<Expression> combinations(const BlockTiles& tiles, const std::vector<Expression>& of) {
    std::vector<Expression> all;
    for (std::size_t one = 0; one < of.size(); ++one) {
        for (std::size_t other = 0; other < of.size(); ++other) {
            const auto add = [&](const std::string& text, std::int64_t sign, int rank, const auto& change) {
                all.push_back({text, combined(of[one].values, of[other].values, sign), rank});
                for (std::int64_t& value : all.back().values) value = change(value);
            };
            const std::string sum = fmt::format("{} + {}", of[one].text, of[other].text);
            const std::string less = fmt::format("{} - {}", of[one].text, of[other].text);
            const auto same = [](std::int64_t value) { return value; };
            if (one < other) add(sum, 1, 2, same);
            if (one != other) add(less, -1, 3, same);
            for (const auto& [name, side] : sides_of(tiles)) {
                const auto wrap = [length = side](std::int64_t value) { return (value % length + length) % length; };
                const auto as_unsigned = [length = side](std::int64_t value) { return static_cast<std::uint32_t>(value) % length; };
                const auto cut = [length = side](std::int64_t value) { return std::min(value, length - 1); };
                if (one < other) add(fmt::format("({}) % {}", sum, name), 1, 3, wrap);
                if (one < other) add(fmt::format("min({}, {} - 1)", sum, name), 1, 5, cut);
                if (one != other) add(fmt::format("({0} + {1}) % {1}", less, name), -1, 4, wrap);
                if (one != other) add(fmt::format("({}) % {}", less, name), -1, 4, as_unsigned);
            }
        }
    }
    return all;
}

std::vector<Expression> expressions_of(const BlockTiles& tiles, const Numbering& numbering) {
    std::vector<Expression> all = simple_expressions(tiles, numbering);
    const std::vector<Expression> sums = combinations(tiles, all);
    std::vector<Expression> near;
    // Sides that are too long or too short by 1, with the sums of what they give.
    for (const std::int64_t off : {-1, 1}) {
        for (const Side& side : sides_of(tiles)) {
            if (side.length + off < 1) continue;
            const std::string name = fmt::format("({} {} 1)", side.name, off < 0 ? "-" : "+");
            near.push_back(simple("n % " + name, numbering.numbers, side.length + off, true, 4));
            near.push_back(simple("n / " + name, numbering.numbers, side.length + off, false, 4));
        }
    }
    std::vector<Expression> wider = all;
    wider.insert(wider.end(), near.begin(), near.end());
    all.insert(all.end(), sums.begin(), sums.end());
    all.insert(all.end(), near.begin(), near.end());
    for (Expression& one : combinations(tiles, wider)) {
        if (one.text.find(" 1)") == std::string::npos || one.text.find("min(") == 0) continue;
        one.rank += 4;
        all.push_back(std::move(one));
    }
    std::stable_sort(all.begin(), all.end(), [](const Expression& one, const Expression& other) { return one.rank < other.rank; });
    return all;
}

// A map as expressions of its tile's column and row.
struct Map {
    const Expression& x;
    const Expression& y;
    [[nodiscard]] bool leads_out(std::size_t block, const BlockTiles& tiles) const {
        const auto is_in = [](std::int64_t value, std::size_t side) { return value >= 0 && value < static_cast<std::int64_t>(side); };
        return !is_in(x.values[block], tiles.columns) || !is_in(y.values[block], tiles.rows);
    }
};

bool leads_out_where_nothing_is_stored(const Map& map, const BlockTiles& tiles) {
    for (std::size_t block = 0; block < tiles.of.size(); ++block) {
        if (!tiles.of[block] && !map.leads_out(block, tiles)) return false;
    }
    return true;
}

// Calls `visit` for the maps that give each block that stores its tile, the simplest first of each numbering.
template <typename Visit>
void for_each_map(const BlockTiles& tiles, const Visit& visit) {
    for (const Numbering& numbering : numberings_of(tiles)) {
        const std::vector<Expression> all = expressions_of(tiles, numbering);
        const auto fits = [&](const Expression& one, std::size_t GridTile::*part) {
            for (std::size_t block = 0; block < tiles.of.size(); ++block) {
                if (tiles.of[block] && one.values[block] != static_cast<std::int64_t>((*tiles.of[block]).*part)) return false;
            }
            return true;
        };
        std::array<std::vector<const Expression*>, 2> fitting;
        for (const Expression& one : all) {
            if (fits(one, &GridTile::x)) fitting[0].push_back(&one);
            if (fits(one, &GridTile::y)) fitting[1].push_back(&one);
        }
        for (const Expression* const x : fitting[0]) {
            for (const Expression* const y : fitting[1]) {
                visit(Map{*x, *y}, numbering);
            }
        }
    }
}

// The tile in which each block stores first.
std::optional<BlockTiles> tiles_of_blocks(const trace::Launch& launch, const Shape& shape, const Launched& launched, const TileSize& size) {
    const std::size_t down = blocks_over(shape.rows, size.high);
    const std::size_t across = blocks_over(shape.cols, size.wide);
    const bool is_numbered = launched.grid_y == 1 && launched.grid_x == down * across;
    const bool x_is_row = !is_numbered && launched.grid_x == down && (launched.grid_x != across || shape.x_is_row);
    const trace::Recording::Object* const object = launch.object(shape.name, trace::Space::global);
    if (object == nullptr || down < 2 || across < 2) return std::nullopt;
    const std::vector<std::uint64_t>& stores = launch.recording->first_stores;
    if (stores.size() != launched.grid_x * launched.grid_y || stores.size() > max_blocks) return std::nullopt;
    BlockTiles tiles{x_is_row ? down : across, x_is_row ? across : down, is_numbered, {}, x_is_row};
    for (const std::uint64_t store : stores) {
        if (store != 0 && (store < object->begin || store >= object->begin + object->bytes)) return std::nullopt;
        const std::size_t element = (store - object->begin) / sizeof(float);
        const std::size_t row = element / shape.cols / size.high;
        const std::size_t col = element % shape.cols / size.wide;
        tiles.of.push_back(store == 0 ? std::nullopt : std::optional(x_is_row ? GridTile{row, col} : GridTile{col, row}));
    }
    return tiles;
}

// Stores of blocks that write these tiles, each as a whole.
std::size_t stores_of(const BlockTiles& tiles, const Shape& shape, const TileSize& size) {
    std::size_t stores = 0;
    for (const auto& tile : tiles.of) {
        if (!tile) continue;
        stores += elements_in(tiles.x_is_row ? GridTile{tile->y, tile->x} : *tile, size, shape);
    }
    return stores;
}

// The question about a map that takes one coordinate of a tile from the block's place in the grid, as if there were none.
std::string place_kept(const std::string& text) {
    const std::string column = "tile (n % gridDim.x, ", row = ", n / gridDim.x)";
    if (text.find("n = blockIdx.y * gridDim.x + blockIdx.x") == std::string::npos) return "";
    const bool keeps_column = text.find(column) != std::string::npos, keeps_row = text.ends_with(row);
    if (keeps_column == keeps_row) return "";
    return keeps_row ? ": that row is blockIdx.y: is it still taken from there?"
                     : ": that column is blockIdx.x: is it still taken from there, or not shifted?";
}

}  // namespace

std::string map_in_words(const BlockTiles& tiles) {
    std::string text;
    int least = 0;
    for_each_map(tiles, [&](const Map& map, const Numbering& numbering) {
        const std::string both = map.x.text + map.y.text;
        const bool is_by_number = both.find("n ") != std::string::npos;
        const bool is_by_place = both.find("blockIdx") != std::string::npos;
        const int rank = 2 * (map.x.rank + map.y.rank) + int(is_by_number) + int(is_by_number && is_by_place);
        if ((!text.empty() && rank >= least) || !leads_out_where_nothing_is_stored(map, tiles)) return;
        text = fmt::format("{} writes tile ({}, {})", is_by_number ? "block n = " + numbering.text : "each block", map.x.text, map.y.text);
        least = rank;
    });
    return text;
}

Message explained_by_map(Message wrong, const Record& record, const Shape& shape, const Launched& launched) {
    const auto size = tile_size(launched, shape);
    if (wrong.topics.count(Topic::unknown_map) == 0 || !size || launched.is_stopped) return wrong;
    const trace::Launch launch = record();
    const auto tiles = tiles_of_blocks(launch, shape, launched, *size);
    if (!tiles || stores_of(*tiles, shape, *size) != launched.stored) return wrong;
    const std::string map = map_in_words(*tiles);
    if (const std::size_t colon = wrong.what.rfind(": "); !map.empty() && colon != std::string::npos) {
        const std::string question = wrong.what.substr(colon + 2);
        const std::string rest = question == leads_out_of_grid            ? ", out of the grid"
                                 : question == right_in_square_grids_only ? ": " + question
                                                                          : place_kept(map);
        wrong.what = fmt::format("{}: {}{}", wrong.what.substr(0, colon), map, rest);
        wrong.cause = "map_of_blocks";
    }
    return wrong;
}

}  // namespace lab::diagnosis
