#include "common/grading/grid_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace lab::grading {

std::string size_of_grid(const Launched& launched, const Shape& shape, const Side& side, const Extent& extent) {
    const std::size_t all = side.reached.size();
    std::set<std::string> sizes;
    for (const std::size_t other : {side.inner, side.other}) {
        if (other > 1 && other != all && blocks_over(other, extent.lines) == extent.blocks) {
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
    if (const std::size_t elements = shape.rows * shape.cols; blocks == blocks_over(elements, tile * tile)) {
        const std::string other =
            fitting == 1 ? fmt::format(" Or is the grid computed for a matrix of {} x {}?", first->first, first->second) : "";
        return {fmt::format("the grid has {} blocks, as many as {} elements fill, but {}: is each side to be rounded up on its own?{}",
                            blocks, elements, tiles, other),
                other.empty() ? Proof::index : Proof::several};
    }
    if (fitting != 1) return {};
    return {fmt::format("the grid has {} blocks, but {}, and a matrix of {} x {} has {}: is the grid computed from its sides?", blocks,
                        tiles, first->first, first->second, blocks),
            Proof::index};
}

}  // namespace lab::grading
