#include "common/diagnosis/causes/reached_sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <utility>

namespace lab::diagnosis {
namespace {

// Whether a grid, with too few blocks along y, was computed with the factor of a thread's elements there instead of along x.
bool has_factor_on_other_axis(const Launched& launched, const Shape& shape, const Side& side, const std::string& axis) {
    return shape.unroll > 1 && axis == "y" && !shape.unrolls_y && launched.grid_x == blocks_over(side.other, launched.block_x) &&
           launched.grid_y == blocks_over(side.reached.size(), launched.block_y * shape.unroll);
}

// Whether the reached lines end where a block of `side_of_block` lines would cross the edge.
bool ends_with_whole_blocks(const Side& side, std::size_t side_of_block) {
    const std::size_t first = prefix(side);
    return side_of_block > 1 && first > 0 && first % side_of_block == 0 && side.reached.size() - first < side_of_block;
}

}  // namespace

bool is_whole(const Side& side) { return std::find(side.reached.begin(), side.reached.end(), false) == side.reached.end(); }

std::size_t prefix(const Side& side) {
    const auto end = std::find(side.reached.begin(), side.reached.end(), false);
    return std::find(end, side.reached.end(), true) == side.reached.end() ? static_cast<std::size_t>(end - side.reached.begin()) : 0;
}

bool covers(const Launched& launched, const Shape& shape, bool may_be_square) {
    const std::size_t x = launched.grid_x * launched.block_x * (shape.unrolls_y ? 1 : shape.unroll);
    const std::size_t square = launched.grid_y * launched.block_x * (shape.unrolls_y ? shape.unroll : 1);
    // Where threads take several elements along x, which side lies along x is given.
    if (shape.unroll > 1 && !shape.unrolls_y) {
        const auto& [along_x, along_y] = shape.x_is_row ? std::pair(shape.rows, shape.cols) : std::pair(shape.cols, shape.rows);
        return x >= along_x && launched.grid_y * launched.block_y >= along_y;
    }
    const std::size_t y = std::max(launched.grid_y * launched.block_y, may_be_square ? square : 0);
    if (shape.maps_tiles && launched.grid_y == 1 &&
        launched.grid_x >= blocks_over(shape.cols, launched.block_x) * blocks_over(shape.rows, launched.block_y)) {
        return true;  // tiles numbered along x
    }
    return (x >= shape.cols && y >= shape.rows) || (x >= shape.rows && y >= shape.cols);
}

std::string lines_from(const Side& side, std::size_t first) {
    const std::size_t all = side.reached.size();
    return first + 1 == all ? "the last " + side.line : fmt::format("{}s {} to {}", side.line, first, all - 1);
}

Cause ends_with_the_grid(const Launched& launched, const Shape& shape, const Side& side) {
    const std::size_t first = prefix(side);
    std::array<std::tuple<const char*, std::size_t, std::size_t>, 2> extents{
        {{"x", launched.grid_x, launched.block_x * (shape.unrolls_y ? 1 : shape.unroll)},
         {"y", launched.grid_y, shape.unrolls_y ? launched.block_x * shape.unroll : launched.block_y}}};
    const bool has_rows_along_x = shape.unroll > 1 && !shape.unrolls_y && shape.x_is_row;
    if ((side.line == "row") != has_rows_along_x) {
        std::swap(extents[0], extents[1]);  // rows usually lie along y
    }
    for (const auto& [axis, blocks, threads] : extents) {
        if (first > 0 && blocks * threads == first) {
            if (has_factor_on_other_axis(launched, shape, side, axis)) {
                return {fmt::format("the grid covers only {} of {} {}s of {} along y, and {} times as many along x as there are: is the "
                                    "factor {} at y instead of x in what a block covers?",
                                    first, side.reached.size(), side.line, shape.name, shape.unroll, shape.unroll),
                        Proof::index};
            }
            const bool lacks_one = first + threads > side.reached.size();
            const std::string from = blocks > 1 ? size_of_grid(launched, shape, side, {axis, blocks, threads}) : "";
            const std::string question = lacks_one ? "was the grid rounded down" + (from.empty() ? "" : ", or " + from) + "?"
                                         : from.empty()
                                             ? shape.unroll > 1 ? "does a block cover less than the grid is made for?" : "is it too small?"
                                             : from + "?";
            return {fmt::format(
                        "only the first {} of {} {}s of {} were written, as many as the grid has threads along {} ({} block{} of {}): {}",
                        first, side.reached.size(), side.line, shape.name, axis, blocks, blocks == 1 ? "" : "s", threads, question),
                    lacks_one && !from.empty() ? Proof::several : Proof::index, lacks_one ? Topic::grid_rounded_down : Topic::none};
        }
    }
    return {};
}

std::string blocks_overlap(const Launched& launched, const Shape& shape, const Side& side) {
    const std::size_t lines = side.reached.size();
    const std::size_t end = is_whole(side) ? 0 : prefix(side);
    for (const std::size_t blocks : {launched.grid_y, launched.grid_x}) {
        for (const std::size_t threads : {launched.block_x, launched.block_y}) {
            const std::size_t high = threads * shape.unroll;
            const bool may_be = blocks > 1 && high > 1 && blocks == blocks_over(lines, high) && end > high &&
                                launched.stored == blocks * high * side.other && (end - high) % (blocks - 1) == 0;
            const std::size_t apart = may_be ? (end - high) / (blocks - 1) : 0;
            if (apart > 0 && apart < high) {
                return fmt::format(
                    "blocks write {} {}s of {} each, but start {} apart: {}", high, side.line, shape.name, apart,
                    high % apart == 0 ? fmt::format("is the factor {} missing in the index of a block's first {}?", high / apart, side.line)
                                      : fmt::format("what is the block's number multiplied by in the index of its first {}?", side.line));
            }
        }
    }
    return "";
}

std::string partial_blocks_left_out(const Launched& launched, const Shape& shape, const Side& rows, const Side& cols) {
    // One line could also be a bound that is too small by 1.
    const auto left_out = [](const Side& side) { return side.reached.size() - prefix(side); };
    if (is_whole(rows) || is_whole(cols) || (left_out(rows) == 1 && left_out(cols) == 1)) {
        return "";
    }
    const std::vector<std::size_t> of_blocks =
        launched.block_x > 0 ? std::vector<std::size_t>{launched.block_x, launched.block_y} : std::vector<std::size_t>{8, 16, 32, 64};
    const auto ends = [&](const Side& side) {
        return std::any_of(of_blocks.begin(), of_blocks.end(), [&](std::size_t one) { return ends_with_whole_blocks(side, one); });
    };
    return !ends(rows) || !ends(cols) ? ""
                                      : fmt::format(
                                            "{} and {} of {} were never written, where blocks cross the edge: does a bound or a guard "
                                            "leave out such a block as a whole?",
                                            lines_from(rows, prefix(rows)), lines_from(cols, prefix(cols)), shape.name);
}

std::string size_of_grid(const Launched& launched, const Shape& shape, const Side& side, const Extent& extent) {
    const std::size_t all = side.reached.size();
    std::set<std::string> sizes;
    for (const std::size_t other : {side.inner, side.other}) {
        if (shape.unroll == 1 && other > 1 && other != all && blocks_over(other, extent.lines) == extent.blocks) {
            sizes.insert(fmt::format("is it computed from another side, {}", other));
        }
    }
    const std::size_t factor = (extent.axis == "y") == shape.unrolls_y ? shape.unroll : 1;
    const std::string times = factor > 1 ? fmt::format("{} * ", factor) : "";
    const bool is_by_x = extent.lines == factor * launched.block_x;
    const std::size_t exchanged = factor * (is_by_x ? launched.block_y : launched.block_x);
    if (exchanged != extent.lines && blocks_over(all, exchanged) == extent.blocks) {
        sizes.insert(fmt::format("is it computed for {} {}s a block, {}blockDim.{} instead of {}blockDim.{}", exchanged, side.line, times,
                                 is_by_x ? "y" : "x", times, is_by_x ? "x" : "y"));
    }
    return sizes.size() == 1 ? *sizes.begin() : "";
}

Cause grid_of_other_sides(const Launched& launched, const Shape& shape, std::size_t inner) {
    const std::size_t tile = launched.block_x;
    const std::size_t blocks = launched.grid_x * launched.grid_y;
    if (inner == 0 || tile < 2 || launched.block_y != tile || blocks < 2 || launched.stored > blocks * tile * tile) {
        return {};
    }
    const auto tiles_of = [&](std::size_t rows, std::size_t cols) { return blocks_over(rows, tile) * blocks_over(cols, tile); };
    const std::size_t wanted = tiles_of(shape.rows, shape.cols);
    if (blocks >= wanted || blocks == (shape.rows / tile) * (shape.cols / tile)) {
        return {};  // rounded down
    }
    const std::array<std::pair<std::size_t, std::size_t>, 5> others{
        {{shape.rows, inner}, {inner, shape.cols}, {shape.rows, shape.rows}, {shape.cols, shape.cols}, {inner, inner}}};
    const auto fits = [&](const auto& one) { return tiles_of(one.first, one.second) == blocks; };
    const auto first = std::find_if(others.begin(), others.end(), fits);
    const auto fitting = std::count_if(others.begin(), others.end(), fits);
    const std::string tiles = fmt::format("{} has {} tiles of {} x {}", shape.name, wanted, tile, tile);
    if (fitting != 1) return {};
    return {fmt::format("the grid has {} blocks, but {}, and a matrix of {} x {} has {}: is the grid computed from its sides?", blocks,
                        tiles, first->first, first->second, blocks),
            Proof::index};
}

}  // namespace lab::diagnosis
