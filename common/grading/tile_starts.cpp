#include "common/grading/tile_starts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace lab::grading {
namespace {

// Distance of the tiles' starts, if all of these coordinates were taken so from tiles of this side; 0 if not, or if it is the side.
std::size_t distance_of_starts(const std::vector<Taken>& elements, std::size_t side, std::size_t Taken::*wanted, std::size_t Taken::*got) {
    const auto moved = std::find_if(elements.begin(), elements.end(), [&](const Taken& one) { return one.*wanted >= side; });
    if (side < 2 || moved == elements.end() || (*moved).*got < (*moved).*wanted % side) {
        return 0;
    }
    const std::size_t distance = ((*moved).*got - (*moved).*wanted % side) / ((*moved).*wanted / side);
    const bool fits = std::all_of(elements.begin(), elements.end(),
                                  [&](const Taken& one) { return one.*got == one.*wanted / side * distance + one.*wanted % side; });
    return fits && distance != side ? distance : 0;
}

std::string starts_in_words(std::size_t distance, std::size_t side, const std::string& line, const std::string& source) {
    return fmt::format("tiles are loaded from starts {} {}{} of {} apart instead of {}: what is the {} of the tile multiplied by?",
                       distance, line, distance == 1 ? "" : "s", source, side, line);
}

// Sum of the products of two factors, one of which is loaded in tiles of `side` whose starts are `distance` apart along k.
double sum_of_tiles(const Factors& factors, const Sample& one, bool is_left, std::size_t side, std::size_t distance) {
    double sum = 0;
    for (std::size_t k = 0; k < factors.inner; ++k) {
        const std::size_t other = k / side * distance + k % side;
        sum += factors.M[one.row * factors.inner + (is_left ? other : k)] * factors.N[(is_left ? k : other) * factors.cols + one.col];
    }
    return sum;
}

}  // namespace

std::string tiles_start_elsewhere(const std::vector<Taken>& elements, const std::vector<std::size_t>& sides, const std::string& source) {
    const bool all_rows = std::all_of(elements.begin(), elements.end(), [](const Taken& one) { return one.row == one.wanted_row; });
    const bool all_cols = std::all_of(elements.begin(), elements.end(), [](const Taken& one) { return one.col == one.wanted_col; });
    if (all_rows == all_cols) {
        return "";
    }
    std::vector<std::size_t> largest_first = sides;
    std::sort(largest_first.rbegin(), largest_first.rend());
    for (const std::size_t side : largest_first) {
        const std::size_t distance = all_cols ? distance_of_starts(elements, side, &Taken::wanted_row, &Taken::row)
                                              : distance_of_starts(elements, side, &Taken::wanted_col, &Taken::col);
        if (distance > 0) {
            const char* const line = all_cols ? "row" : "column";
            return starts_in_words(distance, side, line, source);
        }
    }
    return "";
}

std::string factors_tiles_start_elsewhere(const Shape& shape, const Factors& factors, const Explained& samples,
                                          const std::vector<std::size_t>& sides) {
    std::vector<std::size_t> largest_first = sides;
    std::sort(largest_first.begin(), largest_first.end(), std::greater<>());
    const bool is_vector = shape.rows == 1;
    std::size_t candidates = 0;
    for (const bool is_left : {false, true}) {
        for (const std::size_t side : largest_first) {
            for (std::size_t distance = 1; distance < side && side < factors.inner; ++distance) {
                ++candidates;
                const auto predict = [&](const Sample& one) { return std::optional(sum_of_tiles(factors, one, is_left, side, distance)); };
                if (explains(samples, candidates, predict)) {
                    return starts_in_words(distance, side, is_vector ? (is_left ? "element" : "column") : (is_left ? "column" : "row"),
                                           is_left ? factors.left : factors.right);
                }
            }
        }
    }
    return "";
}

Cause held_tiles(const std::vector<Found>& found, std::size_t side, const Shape& out, const std::string& array) {
    using TileNumber = std::pair<std::size_t, std::size_t>;  // row and column of a tile
    if (side < 2 || found.empty()) {
        return {};
    }
    const auto tile_of = [&](std::size_t at, std::size_t cols) { return TileNumber{at / cols / side, at % cols / side}; };
    std::map<TileNumber, TileNumber> held;
    for (const auto& [at, from] : found) {
        const TileNumber tile = tile_of(from, out.rows);
        if (held.try_emplace(tile_of(at, out.cols), tile).first->second != tile) {
            return {};
        }
    }
    const auto is_other = [](const auto& one) { return one.first != TileNumber{one.second.second, one.second.first}; };
    const auto other = std::find_if(held.begin(), held.end(), is_other);
    if (other == held.end()) {
        return {
            fmt::format("each wrong element of {0} holds one of its own tile of {1} ({2} x {2}), but from another place there: do the load "
                        "and the store of a tile agree on row and column?",
                        out.name, array, side),
            Proof::several};
    }
    const auto& [to, from] = *other;
    return {fmt::format("tile ({}, {}) of {} holds tile ({}, {}) of {} instead of ({}, {}): do the load and the store use the same tile?",
                        to.first, to.second, out.name, from.first, from.second, array, to.second, to.first),
            Proof::terms};
}

}  // namespace lab::grading
