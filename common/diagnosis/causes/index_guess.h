// Index expressions that a kernel may have used in place of the right one, the likely ones first. The values then prove or refute them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lab::diagnosis {

// Variables of an index: an output's row and column, and k of a sum.
enum class Variable { none, row, col, k };

struct Position {
    std::size_t row = 0, col = 0, k = 0;
};

// Sides of tiles by which a coordinate is divided into its parts; usually the same.
struct Divisors {
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
    Divisors tile;
    [[nodiscard]] std::size_t at(const Position& position) const;
    // "row * 16 + k", "k % 16 * 33 + col". `is_vector`: the output is y of y = A x, its columns are rows of A, and k is A's column.
    [[nodiscard]] std::string text(bool is_vector = false) const;
};

// Candidates other than `right`, the most similar first. `variables`: that may occur; `tiles`: that may occur; `pitches`: of all matrices.
[[nodiscard]] std::vector<Index> other_indices(const Index& right, const std::vector<Variable>& variables,
                                               const std::vector<Divisors>& tiles, const std::vector<std::size_t>& pitches);
// Divisors among the given sides; `mixed`: includes those that differ.
[[nodiscard]] std::vector<Divisors> divisors_of(const std::vector<std::size_t>& sides, bool mixed);

// Difference between `wrong` and `right` as a clause: ": a row of M has 17 elements, not 9"; "" if the two expressions suffice. `line`: the
// contiguous direction of the array, "row" or "column".
[[nodiscard]] std::string difference(const Index& right, const Index& wrong, const std::string& array, const std::string& line);

}  // namespace lab::diagnosis
