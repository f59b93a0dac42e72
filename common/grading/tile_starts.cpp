#include "common/grading/tile_starts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace lab::grading {
namespace {

// Distance of the tiles' starts, if all of these rows were taken so from tiles of this side; 0 if not, or if it is the side.
std::size_t distance_of_starts(const std::vector<Taken>& elements, std::size_t side) {
    const auto moved = std::find_if(elements.begin(), elements.end(), [&](const Taken& one) { return one.wanted_row >= side; });
    if (side < 2 || moved == elements.end() || moved->row < moved->wanted_row % side) {
        return 0;
    }
    const std::size_t distance = (moved->row - moved->wanted_row % side) / (moved->wanted_row / side);
    const bool fits = std::all_of(elements.begin(), elements.end(),
                                  [&](const Taken& one) { return one.row == one.wanted_row / side * distance + one.wanted_row % side; });
    return fits && distance != side ? distance : 0;
}

std::string starts_in_words(std::size_t distance, std::size_t side, const std::string& source) {
    return fmt::format("tiles are loaded from starts {} row{} of {} apart instead of {}: what is the row of the tile multiplied by?",
                       distance, distance == 1 ? "" : "s", source, side);
}

// Sum of the products of two factors, the right of which is loaded in tiles of `side` whose starts are `distance` apart along k.
double sum_of_tiles(const Factors& factors, const Sample& one, std::size_t side, std::size_t distance) {
    double sum = 0;
    for (std::size_t k = 0; k < factors.inner; ++k) {
        const std::size_t other = k / side * distance + k % side;
        sum += factors.M[one.row * factors.inner + k] * factors.N[other * factors.cols + one.col];
    }
    return sum;
}

}  // namespace

std::string tiles_start_elsewhere(const std::vector<Taken>& elements, const std::vector<std::size_t>& sides, const std::string& source) {
    if (!std::all_of(elements.begin(), elements.end(), [](const Taken& one) { return one.col == one.wanted_col; })) {
        return "";
    }
    std::vector<std::size_t> largest_first = sides;
    std::sort(largest_first.rbegin(), largest_first.rend());
    for (const std::size_t side : largest_first) {
        if (const std::size_t distance = distance_of_starts(elements, side); distance > 0) {
            return starts_in_words(distance, side, source);
        }
    }
    return "";
}

std::string factors_tiles_start_elsewhere(const Shape& shape, const Factors& factors, const Explained& samples,
                                          const std::vector<std::size_t>& sides) {
    std::vector<std::size_t> largest_first = sides;
    std::sort(largest_first.begin(), largest_first.end(), std::greater<>());
    std::size_t candidates = 0;
    for (const std::size_t side : largest_first) {
        for (std::size_t distance = 1; shape.rows > 1 && distance < side && side < factors.inner; ++distance) {
            ++candidates;
            const auto predict = [&](const Sample& one) { return std::optional(sum_of_tiles(factors, one, side, distance)); };
            if (explains(samples, candidates, predict)) {
                return starts_in_words(distance, side, factors.right);
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
        return {};
    }
    const auto& [to, from] = *other;
    return {fmt::format("tile ({}, {}) of {} holds tile ({}, {}) of {} instead of ({}, {}): do the load and the store use the same tile?",
                        to.first, to.second, out.name, from.first, from.second, array, to.second, to.first),
            Proof::terms};
}

}  // namespace lab::grading
