// Index expressions that a kernel may have used in place of the right one, from the likely to the far-fetched. Whether it did is for
// the values to prove.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lab::grading {

// The variables of an index: an output's row and column, and k of a sum.
enum class Variable { none, row, col, k };

struct Position {
    std::size_t row = 0, col = 0, k = 0;
};

// Sides of the tile that a coordinate's parts come from; usually the same.
struct Tile {
    std::size_t outer = 1, inner = 1;
};

// One coordinate of an index: outer / tile * tile + inner % tile. The same variable twice is that variable, if the tiles are the same.
struct Coordinate {
    Variable outer = Variable::none, inner = Variable::none;
    [[nodiscard]] bool is_plain() const { return outer == inner; }
    friend bool operator==(const Coordinate&, const Coordinate&) = default;
};

inline constexpr Coordinate by_row{Variable::row, Variable::row};
inline constexpr Coordinate by_col{Variable::col, Variable::col};
inline constexpr Coordinate by_k{Variable::k, Variable::k};

// high * pitch + low.
struct Index {
    Coordinate high, low;
    std::size_t pitch = 1;
    Tile tile;
    [[nodiscard]] std::size_t at(const Position& position) const;
    // "row * 16 + k", "k % 16 * 33 + col". `is_vector`: of y = A x, whose output's columns are rows of A, and k its columns.
    [[nodiscard]] std::string text(bool is_vector = false) const;
};

// Indices other than `right`, those that differ least from it first. `variables`: that may be in them; `tiles`: that may be in them;
// `pitches`: of all matrices there are.
[[nodiscard]] std::vector<Index> other_indices(const Index& right, const std::vector<Variable>& variables, const std::vector<Tile>& tiles,
                                               const std::vector<std::size_t>& pitches);
// Tiles with the given sides; `mixed`: also those whose parts differ.
[[nodiscard]] std::vector<Tile> tiles_of(const std::vector<std::size_t>& sides, bool mixed);

// What tells `wrong` from `right`, as a clause: ": a row of M has 17 elements, not 9"; "" where the two expressions say it all.
// `line`: what lies one after another in the array, "row" or "column".
[[nodiscard]] std::string difference(const Index& right, const Index& wrong, const std::string& array, const std::string& line);

}  // namespace lab::grading
