#include "common/grading/block_part.h"

#include <fmt/format.h>

#include <algorithm>

namespace lab::grading {
namespace {

// The same along one side: `is_row` for rows.
std::string part_along(const Launched& launched, const Shape& shape, bool is_row, const std::vector<bool>& reached) {
    const bool is_x = is_row == shape.x_is_row;
    const std::size_t side = is_x ? launched.block_x : launched.block_y;
    if (side < 2 || reached.size() <= side || shape.unroll != 1) {
        return "";
    }
    const auto begin = reached.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(side);
    const auto first = std::find(begin, end, true);
    const auto last = std::find(first, end, false);
    const bool is_one_run = first != end && last - first < end - begin && std::find(last, end, true) == end;
    const bool is_alike_in_all = std::equal(end, reached.end(), begin);
    if (!is_one_run || !is_alike_in_all) {
        return "";
    }
    const auto range = last - first == 1 ? fmt::format("{}", first - begin) : fmt::format("{} to {}", first - begin, last - begin - 1);
    const bool is_one = last - first == 1;
    const char* const line = is_row ? "row" : "column";
    return fmt::format(
        "of every {} {}s of {}, one block's, only {}{} {} {} written: does a guard let only threads with threadIdx.{} = {} "
        "store?",
        side, line, shape.name, line, is_one ? "" : "s", range, is_one ? "was" : "were", is_x ? 'x' : 'y', range);
}

}  // namespace

std::string part_of_each_block(const Launched& launched, const Shape& shape, const std::vector<bool>& rows, const std::vector<bool>& cols) {
    if (shape.rows == 1) {
        return "";
    }
    const std::string text = part_along(launched, shape, true, rows);
    return text.empty() ? part_along(launched, shape, false, cols) : text;
}

}  // namespace lab::grading
