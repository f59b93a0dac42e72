#include "common/diagnosis/causes/index_guess.h"

#include <fmt/format.h>

#include <algorithm>

namespace lab::diagnosis {
namespace {

std::size_t value_of(Variable variable, const Position& position) {
    switch (variable) {
        case Variable::row:
            return position.row;
        case Variable::col:
            return position.col;
        case Variable::k:
            return position.k;
        case Variable::none:
            break;
    }
    return 0;
}

const char* name_of(Variable variable, bool is_vector) {
    switch (variable) {
        case Variable::row:
            return "row";
        case Variable::col:
            return is_vector ? "row" : "col";
        case Variable::k:
            return is_vector ? "col" : "k";
        case Variable::none:
            break;
    }
    return "0";
}

bool is_whole(const Coordinate& coordinate, const Divisors& tile) { return coordinate.is_plain() && tile.outer == tile.inner; }

std::size_t value_of(const Coordinate& coordinate, const Divisors& tile, const Position& position) {
    return is_whole(coordinate, tile)
               ? value_of(coordinate.outer, position)
               : value_of(coordinate.outer, position) / tile.outer * tile.outer + value_of(coordinate.inner, position) % tile.inner;
}

// `is_factor`: it is multiplied, so a sum needs parentheses.
std::string text_of(const Coordinate& coordinate, const Divisors& tile, bool is_factor, bool is_vector) {
    const auto name = [&](Variable variable) { return name_of(variable, is_vector); };
    if (is_whole(coordinate, tile) || coordinate == Coordinate{}) {
        return name(coordinate.outer);
    }
    const std::string inner = fmt::format("{} % {}", name(coordinate.inner), tile.inner);
    std::string outer = fmt::format("{0} / {1} * {1}", name(coordinate.outer), tile.outer);
    if (coordinate.outer == Variable::none) {
        return is_factor ? fmt::format("({})", inner) : inner;
    }
    if (coordinate.inner == Variable::none) {
        return outer;
    }
    const std::string sum = outer + " + " + inner;
    return is_factor ? "(" + sum + ")" : sum;
}

// One variable in place of another is one mistake.
int distance(const Coordinate& one, const Coordinate& other) {
    return one == other ? 0 : one.is_plain() || one.outer == other.outer || one.inner == other.inner ? 1 : 2;
}

// Implausibility of a mistake.
int distance(const Index& right, const Index& wrong) {
    const bool is_exchanged = wrong.high == right.low && wrong.low == right.high;
    const int parts = is_exchanged ? 1 : distance(wrong.high, right.high) + distance(wrong.low, right.low);
    return 4 * parts + 3 * int(right.pitch != wrong.pitch) + 3 * int(!wrong.high.is_plain()) + 3 * int(!wrong.low.is_plain()) +
           3 * int(wrong.tile.outer != wrong.tile.inner);
}

bool starts_at_no_tile(const Coordinate& right, const Coordinate& wrong) {
    return wrong.outer == Variable::none && wrong.inner == right.inner && wrong != right;
}

// Question about a coordinate that takes its tile's start, or its place in the tile, from the output's other one; "" for others.
std::string part_of_other(const Index& right, const Index& wrong) {
    if ((wrong.high == right.high) == (wrong.low == right.low) || right.pitch != wrong.pitch) {
        return "";
    }
    const Coordinate& wanted = wrong.high == right.high ? right.low : right.high;
    const Coordinate& used = wrong.high == right.high ? wrong.low : wrong.high;
    const bool is_row = wanted == by_row;
    const Variable other = is_row ? Variable::col : Variable::row;
    const bool is_start = used == Coordinate{other, wanted.inner};
    if ((!is_row && wanted != by_col) || (!is_start && used != Coordinate{wanted.outer, other})) {
        return "";
    }
    return fmt::format(": does the {} come from the {} instead of the {}?", is_start ? "start of the tile" : "place in the tile",
                       is_row ? "column" : "row", is_row ? "row" : "column");
}

}  // namespace

std::size_t Index::at(const Position& position) const { return value_of(high, tile, position) * pitch + value_of(low, tile, position); }

std::string Index::text(bool is_vector) const {
    std::string column = text_of(low, tile, false, is_vector);
    if (high == Coordinate{}) {
        return column;
    }
    const std::string row = fmt::format("{} * {}", text_of(high, tile, true, is_vector), pitch);
    return low == Coordinate{} ? row : row + " + " + column;
}

std::vector<Index> other_indices(const Index& right, const std::vector<Variable>& variables, const std::vector<Divisors>& tiles,
                                 const std::vector<std::size_t>& pitches) {
    std::vector<Coordinate> plain{{}};
    for (const Variable variable : variables) {
        plain.push_back({variable, variable});
    }
    std::vector<Index> all;
    const auto add = [&](const std::vector<Coordinate>& coordinates, const Divisors& tile) {
        for (const Coordinate& high : coordinates) {
            for (const Coordinate& low : coordinates) {
                const bool is_tiled = !is_whole(high, tile) || !is_whole(low, tile);
                for (const std::size_t pitch : pitches) {
                    const bool is_right = tile.outer == tile.inner && high == right.high && low == right.low && pitch == right.pitch;
                    const bool is_pitched = high != Coordinate{} || pitch == right.pitch;
                    if (!is_right && is_pitched && is_tiled == (tile.outer > 1)) {
                        all.push_back({high, low, pitch, tile});
                    }
                }
            }
        }
    };
    add(plain, Divisors{});
    std::vector<Coordinate> tiled;
    for (const Coordinate& outer : plain) {
        for (const Coordinate& inner : plain) {
            tiled.push_back({outer.outer, inner.inner});
        }
    }
    for (const Divisors& tile : tiles) {
        add(tiled, tile);
    }
    std::stable_sort(all.begin(), all.end(),
                     [&](const Index& one, const Index& other) { return distance(right, one) < distance(right, other); });
    return all;
}

std::vector<Divisors> divisors_of(const std::vector<std::size_t>& sides, bool mixed) {
    std::vector<Divisors> tiles;
    for (const std::size_t outer : sides) {
        for (const std::size_t inner : sides) {
            if (inner > 1 && (inner == outer || (mixed && inner < outer && outer % inner == 0))) {
                tiles.push_back({outer, inner});
            }
        }
    }
    return tiles;
}

std::string difference(const Index& right, const Index& wrong, const std::string& array, const std::string& line) {
    if (wrong.high == right.high && wrong.low == right.low && wrong.tile.outer == wrong.tile.inner) {
        return fmt::format(": a {} of {} has {} elements, not {}", line, array, right.pitch, wrong.pitch);
    }
    if (wrong.high == right.low && wrong.low == right.high) {
        return fmt::format(": row and column of {} are exchanged", array);
    }
    if (wrong.tile.outer != wrong.tile.inner) {
        return "";
    }
    if (std::string question = part_of_other(right, wrong); !question.empty()) {
        return question;
    }
    const bool high = starts_at_no_tile(right.high, wrong.high);
    const bool low = starts_at_no_tile(right.low, wrong.low);
    if ((high && wrong.low == right.low) || (low && wrong.high == right.high) || (high && low)) {
        return ": is the start of the block or tile missing in the index, or made from another one?";
    }
    return "";
}

}  // namespace lab::diagnosis
