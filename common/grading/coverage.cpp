#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/grading/arrays.h"
#include "common/grading/causes.h"
#include "common/grading/reached_sides.h"
#include "common/grading/tile_map.h"
#include "common/grading/unrolled_index.h"

namespace lab::grading {
namespace {

// Elements of an output that a launch reached.
struct Reached {
    std::vector<bool> elements;
    bool were_zero = false;  // the others were written, but hold 0
};

// Description of elements that a launch did not reach.
std::string state(bool were_zero, bool is_one) {
    return were_zero ? (is_one ? "is 0" : "are 0") : is_one ? "was never written" : "were never written";
}

// Whether only an edge, narrower than a tile, was not reached.
bool is_edge(const std::array<Side, 2>& sides, std::size_t tile) {
    return std::all_of(sides.begin(), sides.end(),
                       [&](const Side& side) { return is_whole(side) || side.reached.size() - prefix(side) < tile; });
}

// The elements that the launch reached: all but those never written, those without a store of their own, and those that are 0.
bool find_reached(const Wrong& seen, Reached* reached) {
    const bool none_stored = seen.unwritten == 0 && seen.launched.stored > 0 && seen.launched.stored + seen.count == seen.got.size();
    bool all_zero = true;
    reached->elements.resize(seen.got.size());
    for (std::size_t at = 0; at < seen.got.size(); ++at) {
        reached->elements[at] = !seen.wrong[at];
        all_zero = all_zero && (!seen.wrong[at] || seen.got[at] == 0);
    }
    reached->were_zero = seen.unwritten == 0 && !none_stored;
    return seen.count == seen.unwritten || none_stored || (all_zero && seen.count > 1 && seen.count < seen.got.size());
}

// The reached rows and columns, if exactly their intersections were reached; else false.
bool find_sides(const Wrong& seen, const Reached& reached, std::array<Side, 2>* sides) {
    const Shape& shape = seen.shape;
    const std::size_t inner = seen.expected.factors == nullptr ? 0 : seen.expected.factors->inner;
    auto& [rows, cols] = *sides;
    rows = {"row", std::vector<bool>(shape.rows), shape.cols, inner};
    cols = {shape.rows == 1 ? "element" : "column", std::vector<bool>(shape.cols), shape.rows, inner};
    for (std::size_t at = 0; at < seen.got.size(); ++at) {
        if (reached.elements[at]) {
            rows.reached[at / shape.cols] = true;
            cols.reached[at % shape.cols] = true;
        }
    }
    for (std::size_t at = 0; at < seen.got.size(); ++at) {
        if (reached.elements[at] != (rows.reached[at / shape.cols] && cols.reached[at % shape.cols])) {
            return false;
        }
    }
    return true;
}

// Unreached lines at the end, and the question about them: the size that the bound may have been taken from.
struct Ending {
    std::string lines, question;
    bool is_other = false;
};

std::string bound_of_another(const Side& side, std::size_t first) {
    return fmt::format("is a bound of another side, {}, taken for {}s?", first, side.line);
}

constexpr const char* too_early = "does a guard, a loop or an index end too early?";

Ending ending_of(const Side& side) {
    const std::size_t first = is_whole(side) ? 0 : prefix(side);
    if (first == 0) {
        return {};
    }
    const bool is_other = first > 1 && (first == side.other || first == side.inner);
    return {lines_from(side, first), is_other ? bound_of_another(side, first) : too_early, is_other};
}

// What may have left out the last lines of one side.
std::vector<Explanation> explanations_of(const Side& side, const std::string& what, bool by_grid) {
    std::vector<Explanation> all;
    const std::size_t first = prefix(side);
    // At one shape, a single line is no sign of another side's bound.
    for (const auto& [name, lines] : {std::pair{"other side", side.other}, std::pair{"terms", side.inner}}) {
        if (first == lines) {
            all.push_back({name, what + ": " + bound_of_another(side, first), true});
        }
    }
    if (!by_grid) {
        for (const Explanation& one : lacks_rest(side.line, first, side.reached.size(), what)) {
            all.push_back(one);
        }
    }
    all.push_back({"ends early", what + ": " + too_early, true});
    return all;
}

// Whether just the last block along the unrolled side, which crosses the edge, was not reached.
bool leaves_out_a_block(const Launched& launched, const Shape& shape, const std::array<Side, 2>& sides) {
    const Side& unrolled = sides.at(shape.x_is_row != shape.unrolls_y ? 0 : 1);
    const std::size_t covered = launched.block_x * shape.unroll;
    const std::size_t first = is_whole(unrolled) ? 0 : prefix(unrolled);
    return shape.unroll > 1 && first > 0 && covered > 0 && first % covered == 0 && unrolled.reached.size() - first < covered;
}

Cause ends_early(const Launched& launched, const Shape& shape, const std::array<Side, 2>& sides, bool were_zero) {
    const Ending rows = ending_of(sides[0]);
    const Ending cols = ending_of(sides[1]);
    const bool both = !rows.lines.empty() && !cols.lines.empty();
    const std::string lines = rows.lines + (both ? " and " : "") + cols.lines;
    if (lines.empty() || (!both && !is_whole(sides[rows.lines.empty() ? 0 : 1]))) {
        return {};
    }
    const bool is_one = !both && lines.rfind("the last", 0) == 0;
    const bool is_other = rows.is_other || cols.is_other;
    const std::string what = fmt::format("{} of {} {}", lines, shape.name, state(were_zero, is_one));
    Cause cause{fmt::format("{}: {}", what, rows.is_other || cols.lines.empty() ? rows.question : cols.question), !is_other ? Proof::none
                                                                                                                  : were_zero
                                                                                                                      ? Proof::terms
                                                                                                                      : Proof::index};
    if (!both) {
        const std::size_t side = cols.lines.empty() ? 0 : 1;
        cause.explanations = explanations_of(sides.at(side), what, shape.by_grid);
    }
    if (leaves_out_a_block(launched, shape, sides)) cause.text += " Or does one guard decide for all of a thread's elements?";
    return cause;
}

// Lines that were reached in runs as long as a block's side, at starts that are further apart than that.
std::string blocks_too_far_apart(const Launched& launched, const Shape& shape, const Side& side) {
    constexpr std::size_t max_apart = 128;
    const auto& reached = side.reached;
    const auto run = static_cast<std::size_t>(std::find(reached.begin(), reached.end(), false) - reached.begin());
    const auto apart =
        static_cast<std::size_t>(std::find(reached.begin() + static_cast<std::ptrdiff_t>(run), reached.end(), true) - reached.begin());
    if (run < 2 || apart > max_apart || apart >= reached.size() || (run != launched.block_x && run != launched.block_y)) {
        return "";
    }
    for (std::size_t at = 0; at < reached.size(); ++at) {
        if (reached[at] != (at % apart < run)) {
            return "";
        }
    }
    const std::string axis = launched.block_x == launched.block_y ? "" : run == launched.block_x ? ".x" : ".y";
    return fmt::format("blocks write {} {}s of {} each, but start {} apart: does {} stand where blockDim{} should?", run, side.line,
                       shape.name, apart, apart, axis);
}

// Lines that each block left out in the same way.
Cause left_out_by_each_block(const Launched& launched, const Shape& shape, const std::array<Side, 2>& sides, bool were_zero) {
    const std::size_t rows = shape.x_is_row != shape.unrolls_y ? 0 : 1;
    const Side& unrolled = sides.at(rows);
    const auto along = [&](const Side& side, const Side& other) {
        const bool may_be_apart = shape.maps_tiles || shape.rows == 1 || (shape.unroll > 1 && &side != &unrolled);
        const bool may_overlap = !were_zero && (shape.rows == 1 || shape.unroll > 1) && is_whole(other);
        return first_cause(
            [&] {
                return Cause{may_be_apart ? blocks_too_far_apart(launched, shape, side) : "", Proof::index};
            },
            [&] {
                return Cause{may_overlap ? blocks_overlap(launched, shape, side) : "", Proof::index};
            });
    };
    return first_cause([&] { return is_whole(sides.at(1 - rows)) ? unrolled_index(launched, shape, unrolled) : Cause{}; },
                       [&] {
                           return Cause{same_element_of_each_thread(launched, shape, unrolled.reached), Proof::index};
                       },
                       [&] { return along(sides[0], sides[1]); }, [&] { return along(sides[1], sides[0]); });
}

// Lines in between that were not reached, again and again.
std::string gaps(const std::string& name, const Side& side, bool were_zero) {
    const std::size_t period = period_of(side.reached, 128);
    const auto missing = std::count(side.reached.begin(), side.reached.begin() + static_cast<std::ptrdiff_t>(period), false);
    return period == 0 ? ""
                       : fmt::format("{} of every {} {}s of {} {}: does an index, or a loop's step, leave them out?", missing, period,
                                     side.line, name, state(were_zero, missing == 1));
}

std::string gaps(const std::string& name, const std::array<Side, 2>& sides, bool were_zero) {
    for (const Side& side : sides) {
        if (std::string text = is_whole(side) ? "" : gaps(name, side, were_zero); !text.empty()) {
            return text;
        }
    }
    return "";
}

// Whole tiles, some reached and some not.
Cause missing_tiles(const Launched& launched, const Shape& shape, const Reached& reached, const Ending& ends, std::size_t high,
                    std::size_t wide) {
    const std::size_t across = blocks_over(shape.cols, wide);
    const std::size_t down = blocks_over(shape.rows, high);
    std::vector<int> tiles(across * down, -1);
    for (std::size_t at = 0; at < reached.elements.size(); ++at) {
        int& tile = tiles[at / shape.cols / high * across + at % shape.cols / wide];
        const int now = reached.elements[at] ? 1 : 0;
        if (tile >= 0 && tile != now) {
            return {};
        }
        tile = now;
    }
    const auto missing = std::count(tiles.begin(), tiles.end(), 0);
    const std::size_t blocks = launched.grid_x * launched.grid_y;
    if (blocks < tiles.size() && launched.stored <= blocks * high * wide) {
        return {fmt::format("the grid has {} block{}, but {} has {} tiles of {} x {}", blocks, blocks == 1 ? "" : "s", shape.name,
                            tiles.size(), high, wide),
                Proof::several};
    }
    const auto kept = static_cast<std::size_t>(std::count(reached.elements.begin(), reached.elements.end(), true));
    const std::string tile_count = fmt::format("{} of {} tiles of {} ({} x {}) {} never written", missing, tiles.size(), shape.name, high,
                                               wide, missing == 1 ? "is" : "are");
    const Tiles map{high, wide, down, across, tiles};
    const std::string question = !shape.maps_tiles                  ? ""
                                 : numbers_its_tiles(launched, map) ? question_about_numbers(launched, shape, map)
                                                                    : question_about_map(launched, shape, map);
    const Proof proof = shape.maps_tiles && is_thin(map) ? Proof::several : Proof::index;
    const bool is_open = shape.maps_tiles && (question.empty() || question == right_in_square_grids_only);
    const Topic topic = is_open ? Topic::unknown_map : Topic::none;
    if (launched.stored > kept) {
        return {tile_count + ", others more than once: " + (question.empty() ? one_block_a_tile : question), proof, topic};
    }
    // Whole lines of tiles behind a bound may be that bound's fault.
    if (shape.maps_tiles && ends.is_other) {
        return {tile_count + fmt::format(", {}: {}{}", ends.lines, ends.question, or_no_block), Proof::several, Topic::unknown_map};
    }
    if (shape.maps_tiles && launched.stored == kept && blocks == tiles.size()) {
        return {tile_count + fmt::format(", and no other twice: {} of {} blocks wrote nothing: {}", missing, blocks,
                                         question.empty() ? leads_out_of_grid : question),
                proof, topic};
    }
    return {fmt::format("{}: {}", tile_count, one_block_a_tile), Proof::several};
}

Cause missing_tiles(const Launched& launched, const Shape& shape, const Reached& reached, const Ending& ends) {
    const std::size_t x = launched.block_x;
    const std::size_t y = launched.block_y;
    // As many as there are blocks; otherwise the grid may be too small.
    if (const auto size = tile_size(launched, shape)) {
        return missing_tiles(launched, shape, reached, ends, size->high, size->wide);
    }
    const std::size_t count = x == 0 || y == 0 ? 0 : blocks_over(shape.rows, y) * blocks_over(shape.cols, x);
    return x == y && x > 1 && count > launched.grid_x * launched.grid_y ? missing_tiles(launched, shape, reached, ends, y, x) : Cause{};
}

// "the triangle above the diagonal of out was never written".
std::string triangle(const Shape& shape, const Reached& reached) {
    std::vector<bool> missing = reached.elements;
    missing.flip();
    for (const bool is_above : {true, false}) {
        if (shape.rows == shape.cols && is_triangle(missing, shape.rows, !is_above)) {
            return fmt::format("the triangle {} the diagonal of {} {}: where do the loops start and end?", is_above ? "above" : "below",
                               shape.name, state(reached.were_zero, true));
        }
    }
    return "";
}

// For a result that was copied back: fewer elements than the kernel stored.
std::string copied_in_part(const Wrong& seen) {
    const std::size_t first = seen.first_unwritten;
    const bool ends_there = seen.unwritten == seen.got.size() - first;
    return seen.launched.is_fetched && ends_there && first > 0 && seen.launched.stored >= seen.got.size()
               ? fmt::format(
                     "only the first {} of {} elements of {} came back, although the kernel stored {}: what size does the copy have?",
                     first, seen.got.size(), seen.shape.name, seen.launched.stored)
               : "";
}

// End of the rows or columns, if all of the others were reached.
Ending ending_of_one(const std::array<Side, 2>& sides) {
    Ending ending;
    for (const std::size_t at : {0, 1}) {
        if (is_whole(sides[1 - at])) {
            ending = ending_of(sides[at]);
        }
    }
    return ending;
}

}  // namespace

Cause coverage(const Wrong& seen) {
    Reached reached;
    if (seen.launched.is_stopped || seen.count == seen.got.size() || !find_reached(seen, &reached)) {
        return {};
    }
    const Launched& launched = seen.launched;
    const Shape& shape = seen.shape;
    std::array<Side, 2> sides;
    const bool has_sides = find_sides(seen, reached, &sides);
    const Ending one_end = has_sides ? ending_of_one(sides) : Ending{};
    const auto written = static_cast<std::size_t>(std::count(reached.elements.begin(), reached.elements.end(), true));
    const bool all_stored = reached.were_zero && launched.stored >= seen.got.size();
    const bool may_lack_tiles = shape.maps_tiles && !reached.were_zero && !(has_sides && is_edge(sides, launched.block_x));
    const bool may_lack_blocks =
        has_sides && launched.block_x > 0 && !all_stored && !covers(launched, shape, seen.expected.factors == nullptr);
    const bool may_lack_partial_blocks = has_sides && !reached.were_zero && (launched.block_x == 0 || written == launched.stored);
    const auto lacks_blocks_along = [&](const Side& side) {
        return may_lack_blocks && !is_whole(side) ? ends_with_the_grid(launched, shape, side) : Cause{};
    };
    Cause ends = has_sides ? ends_early(launched, shape, sides, reached.were_zero) : Cause{};
    return first_cause(
        [&] {
            return Cause{copied_in_part(seen), Proof::index};
        },
        [&] { return has_sides ? left_out_by_each_block(launched, shape, sides, reached.were_zero) : Cause{}; },
        [&] {
            const bool may_be = has_sides && written == launched.stored;
            return Cause{may_be ? part_of_each_block(launched, shape, sides[0].reached, sides[1].reached) : "", Proof::index};
        },
        [&] {
            const std::size_t inner = seen.expected.factors == nullptr ? 0 : seen.expected.factors->inner;
            return may_lack_tiles ? grid_of_other_sides(launched, shape, inner) : Cause{};
        },
        [&] { return may_lack_tiles ? missing_tiles(launched, shape, reached, one_end) : Cause{}; },
        [&] { return lacks_blocks_along(sides[0]); }, [&] { return lacks_blocks_along(sides[1]); },
        [&] {
            return Cause{may_lack_partial_blocks ? partial_blocks_left_out(launched, shape, sides[0], sides[1]) : "", Proof::index};
        },
        [&] {
            // Blocks that repeat each other's elements leave out others.
            if (shape.maps_tiles && launched.stored > written) ends.proof = Proof::none;
            return ends;
        },
        [&] { return Cause{has_sides ? gaps(shape.name, sides, reached.were_zero) : ""}; }, [&] { return Cause{triangle(shape, reached)}; },
        [&] {
            const bool may_be = launched.block_x > 0 && shape.rows > 1 && !reached.were_zero;
            return may_be ? missing_tiles(launched, shape, reached, one_end) : Cause{};
        });
}

}  // namespace lab::grading
