#include "common/grading/tile_starts.h"

#include <fmt/format.h>

#include <algorithm>

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
            return fmt::format("tiles are loaded from starts {} {}s of {} apart instead of {}: what is the {} of the tile multiplied by?",
                               distance, line, source, side, line);
        }
    }
    return "";
}

}  // namespace lab::grading
