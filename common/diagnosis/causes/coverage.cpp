#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/diagnosis/causes/list.h"
#include "common/diagnosis/causes/reached_sides.h"
#include "common/diagnosis/causes/tile_map.h"
#include "common/diagnosis/causes/unrolled_index.h"

namespace lab::diagnosis {

// Elements of an output that a launch reached.
struct Reach {
    std::vector<bool> elements;
    std::size_t written = 0;    // number of those
    bool were_zero = false;     // the others were written, but hold 0
    bool has_sides = false;     // they are all of the intersections of some rows and columns:
    std::array<Side, 2> sides;  // these
    Ending one_end;             // where the rows or columns end, if all of the others were reached
};

namespace {

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
bool find_reached(const Wrong& seen, Reach* reached) {
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
bool find_sides(const Wrong& seen, const Reach& reached, std::array<Side, 2>* sides) {
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
    const auto blocks = [&](std::size_t of_lines) { return blocks_over(reached.size(), of_lines); };
    const auto has_grid = [&](std::size_t count) { return count == launched.grid_x || count == launched.grid_y; };
    if (has_grid(blocks(apart)) && !has_grid(blocks(run)))
        return fmt::format("blocks write {} of their {} {}s of {} each: does each thread store only some of its elements?", run, apart,
                           side.line, shape.name);
    const std::string axis = launched.block_x == launched.block_y ? "" : run == launched.block_x ? ".x" : ".y";
    return fmt::format("blocks write {} {}s of {} each, but start {} apart: does {} stand where blockDim{} should?", run, side.line,
                       shape.name, apart, apart, axis);
}

// Whole tiles, some reached and some not, of a kernel that maps its blocks to them.
Cause missing_tiles(const Launched& launched, const Shape& shape, const Reach& reached, std::size_t high, std::size_t wide) {
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
    const Tiles map{{high, wide}, down, across, tiles};
    const std::string question =
        numbers_its_tiles(launched, map) ? question_about_numbers(launched, shape, map) : question_about_map(launched, shape, map);
    const Proof proof = is_thin(map) ? Proof::several : Proof::index;
    const bool is_open = question.empty() || question == right_in_square_grids_only;
    const Topic topic = is_open ? Topic::unknown_map : Topic::none;
    if (launched.stored > kept) {
        return {tile_count + ", others more than once: " + (question.empty() ? one_block_a_tile : question), proof, topic};
    }
    // Whole lines of tiles behind a bound may be that bound's fault.
    if (const Ending& ends = reached.one_end; ends.is_other) {
        return {tile_count + fmt::format(", {}: {} Or does no block get these tiles?", ends.lines, ends.question), Proof::several};
    }
    if (launched.stored == kept && blocks == tiles.size()) {
        return {tile_count + fmt::format(", and no other twice: {} of {} blocks wrote nothing: {}", missing, blocks,
                                         question.empty() ? leads_out_of_grid : question),
                proof, topic};
    }
    return {fmt::format("{}: {}", tile_count, one_block_a_tile), Proof::several};
}

Cause missing_tiles(const Launched& launched, const Shape& shape, const Reach& reached) {
    const std::size_t x = launched.block_x;
    const std::size_t y = launched.block_y;
    // As many as there are blocks; otherwise the grid may be too small.
    if (const auto size = tile_size(launched, shape)) {
        return missing_tiles(launched, shape, reached, size->high, size->wide);
    }
    const std::size_t count = x == 0 || y == 0 ? 0 : blocks_over(shape.rows, y) * blocks_over(shape.cols, x);
    return x == y && x > 1 && count > launched.grid_x * launched.grid_y ? missing_tiles(launched, shape, reached, y, x) : Cause{};
}

// "the triangle above the diagonal of out was never written".
std::string triangle(const Shape& shape, const Reach& reached) {
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

// Null where the launch was stopped, or where other elements are wrong as well.
const Reach* reach_of(const Symptoms& seen) {
    return seen.reach([&]() -> std::shared_ptr<const Reach> {
        auto reach = std::make_shared<Reach>();
        if (seen.launched.is_stopped || seen.count == seen.got.size() || !find_reached(seen, reach.get())) return nullptr;
        reach->written = static_cast<std::size_t>(std::count(reach->elements.begin(), reach->elements.end(), true));
        reach->has_sides = find_sides(seen, *reach, &reach->sides);
        if (reach->has_sides) reach->one_end = ending_of_one(reach->sides);
        return reach;
    });
}

// The same, and null where no sides were reached.
const Reach* sides_of(const Symptoms& seen) {
    const Reach* const reach = reach_of(seen);
    return reach != nullptr && reach->has_sides ? reach : nullptr;
}

// Number of the side along which a thread takes several elements.
std::size_t unrolled_side(const Shape& shape) { return shape.x_is_row != shape.unrolls_y ? 0 : 1; }

// The first cause that `propose(side, other)` has for one of the two sides.
template <typename Propose>
Cause first_of_sides(const Reach& reach, const Propose& propose) {
    Cause cause = propose(reach.sides[0], reach.sides[1]);
    return cause.empty() ? propose(reach.sides[1], reach.sides[0]) : cause;
}

bool may_lack_tiles(const Symptoms& seen, const Reach& reach) {
    return seen.shape.maps_tiles && !reach.were_zero && !(reach.has_sides && is_edge(reach.sides, seen.launched.block_x));
}

}  // namespace

// For a result that was copied back: fewer elements than the kernel stored.
Cause copied_back_in_part(const Symptoms& seen) {
    const std::size_t first = seen.first_unwritten;
    const bool ends_there = seen.unwritten == seen.got.size() - first;
    if (reach_of(seen) == nullptr || !seen.launched.is_fetched || !ends_there || first == 0 || seen.launched.stored < seen.got.size())
        return {};
    return {fmt::format("only the first {} of {} elements of {} came back, although the kernel stored {}: what size does the copy have?",
                        first, seen.got.size(), seen.shape.name, seen.launched.stored),
            Proof::index};
}

Cause element_index(const Symptoms& seen) {
    const Reach* const reach = sides_of(seen);
    const std::size_t rows = unrolled_side(seen.shape);
    return reach != nullptr && is_whole(reach->sides.at(1 - rows)) ? unrolled_index(seen.launched, seen.shape, reach->sides.at(rows))
                                                                   : Cause{};
}

Cause element_of_each_thread(const Symptoms& seen) {
    const Reach* const reach = sides_of(seen);
    if (reach == nullptr) return {};
    return {same_element_of_each_thread(seen.launched, seen.shape, reach->sides.at(unrolled_side(seen.shape)).reached), Proof::index};
}

Cause blocks_too_far_apart(const Symptoms& seen) {
    const Reach* const reach = sides_of(seen);
    if (reach == nullptr) return {};
    const Shape& shape = seen.shape;
    return first_of_sides(*reach, [&](const Side& side, const Side&) {
        const bool may_be = shape.maps_tiles || shape.rows == 1 || (shape.unroll > 1 && &side != &reach->sides.at(unrolled_side(shape)));
        return Cause{may_be ? blocks_too_far_apart(seen.launched, shape, side) : "", Proof::index};
    });
}

Cause blocks_overlap(const Symptoms& seen) {
    const Reach* const reach = sides_of(seen);
    if (reach == nullptr || reach->were_zero || (seen.shape.rows > 1 && seen.shape.unroll == 1)) return {};
    return first_of_sides(*reach, [&](const Side& side, const Side& other) {
        return Cause{is_whole(other) ? blocks_overlap(seen.launched, seen.shape, side) : "", Proof::index};
    });
}

Cause grid_of_other_sides(const Symptoms& seen) {
    const Reach* const reach = reach_of(seen);
    if (reach == nullptr || !may_lack_tiles(seen, *reach)) return {};
    return grid_of_other_sides(seen.launched, seen.shape, seen.expected.factors == nullptr ? 0 : seen.expected.factors->inner);
}

Cause tiles_left_out(const Symptoms& seen) {
    const Reach* const reach = reach_of(seen);
    return reach != nullptr && may_lack_tiles(seen, *reach) ? missing_tiles(seen.launched, seen.shape, *reach) : Cause{};
}

Cause grid_too_small(const Symptoms& seen) {
    const Reach* const reach = sides_of(seen);
    const Launched& launched = seen.launched;
    if (reach == nullptr || launched.block_x == 0 || (reach->were_zero && launched.stored >= seen.got.size()) ||
        covers(launched, seen.shape, seen.expected.factors == nullptr))
        return {};
    return first_of_sides(
        *reach, [&](const Side& side, const Side&) { return is_whole(side) ? Cause{} : ends_with_the_grid(launched, seen.shape, side); });
}

Cause partial_blocks_left_out(const Symptoms& seen) {
    const Reach* const reach = sides_of(seen);
    const bool may_be = reach != nullptr && !reach->were_zero && (seen.launched.block_x == 0 || reach->written == seen.launched.stored);
    return {may_be ? partial_blocks_left_out(seen.launched, seen.shape, reach->sides[0], reach->sides[1]) : "", Proof::index};
}

Cause ends_early(const Symptoms& seen) {
    const Reach* const reach = sides_of(seen);
    if (reach == nullptr) return {};
    Cause ends = ends_early(seen.launched, seen.shape, reach->sides, reach->were_zero);
    // Blocks that repeat each other's elements leave out others.
    if (seen.shape.maps_tiles && seen.launched.stored > reach->written) ends.proof = Proof::none;
    return ends;
}

Cause triangle_left_out(const Symptoms& seen) {
    const Reach* const reach = reach_of(seen);
    return {reach != nullptr ? triangle(seen.shape, *reach) : ""};
}

}  // namespace lab::diagnosis
