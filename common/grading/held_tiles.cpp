#include "common/grading/held_tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace lab::grading {

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
