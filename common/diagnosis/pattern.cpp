// Maps of right and wrong elements, and their patterns.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "common/diagnosis/verdict.h"

namespace lab::diagnosis {
namespace {

// Elements per mark along one side: a power of two, so that marks end at tile boundaries.
std::size_t cell_side(std::size_t count, std::size_t max_cells) {
    std::size_t side = 1;
    while (blocks_over(count, side) > max_cells) {
        side *= 2;
    }
    return side;
}

// First index from which on all are wrong and before which all are right; `flags.size()` if there is no such split.
std::size_t wrong_tail(const std::vector<bool>& flags) {
    const auto first = std::find(flags.begin(), flags.end(), true);
    if (first == flags.begin() || std::find(first, flags.end(), false) != flags.end()) {
        return flags.size();
    }
    return static_cast<std::size_t>(first - flags.begin());
}

// Rows (or columns) that hold a wrong element, and whether each of those is wrong throughout.
struct Lines {
    std::vector<bool> any;
    std::vector<bool> all;
};

Lines lines_of(const std::vector<bool>& wrong, std::size_t rows, std::size_t cols, bool by_row) {
    const std::size_t count = by_row ? rows : cols;
    Lines lines{std::vector<bool>(count, false), std::vector<bool>(count, true)};
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < cols; ++j) {
            const std::size_t line = by_row ? i : j;
            if (wrong[i * cols + j]) {
                lines.any[line] = true;
            } else {
                lines.all[line] = false;
            }
        }
    }
    return lines;
}

// "every 16th column" or "columns 0 to 15 of every 32": periodic ranges. "" if there are none.
std::string repeating(const std::vector<bool>& any, const char* line) {
    const std::size_t period = period_of(any, 64);
    const auto wrong_in_one = std::count(any.begin(), any.begin() + static_cast<std::ptrdiff_t>(period), true);
    if (period == 0) {
        return "";
    }
    if (wrong_in_one == 1) {
        return period == 2 ? fmt::format("every second {} is wrong", line) : fmt::format("one {} in {} is wrong", line, period);
    }
    return fmt::format("{} of every {} {}s are wrong", wrong_in_one, period, line);
}

// Everything on one side of a straight line is wrong, the rest right.
Pattern edge(const Lines& lines, const char* line, bool by_grid) {
    const std::size_t first = wrong_tail(lines.any);
    const std::size_t count = lines.any.size();
    if (first == count || lines.any != lines.all) {
        return {};
    }
    if (first < count - first) {
        return {first == 1 ? fmt::format("only {} 0 is right", line) : fmt::format("only {}s 0 to {} are right", line, first - 1), {}};
    }
    const std::string which = first + 1 == count ? fmt::format("only the last {} is wrong", line)
                                                 : fmt::format("only {}s {} to {} are wrong", line, first, count - 1);
    return {which,
            by_grid ? "do the loop bounds or the grid reach the end? (a grid has to be rounded up)" : "do the loop bounds reach the end?"};
}

}  // namespace

std::size_t period_of(const std::vector<bool>& flags, std::size_t max_period) {
    for (std::size_t period = 2; period * 2 <= flags.size() && period <= max_period; ++period) {
        if (std::equal(flags.begin() + static_cast<std::ptrdiff_t>(period), flags.end(), flags.begin())) return period;
    }
    return 0;
}

bool is_triangle(const std::vector<bool>& flags, std::size_t side, bool lower) {
    for (std::size_t i = 0; i < side; ++i) {
        for (std::size_t j = 0; j < side; ++j) {
            if (i != j && flags[i * side + j] != (lower ? j < i : j > i)) {
                return false;
            }
        }
    }
    return side > 2;
}

std::vector<std::string> draw_map(const std::vector<bool>& wrong, std::size_t rows, std::size_t cols) {
    if (rows == 0 || cols == 0) {
        return {};
    }
    constexpr std::size_t max_cells = 12;
    const std::size_t high = cell_side(rows, max_cells);
    const std::size_t wide = cell_side(cols, max_cells);
    std::vector<std::string> map{high * wide == 1
                                     ? "map (· right, × wrong):"
                                     : fmt::format("map (a mark is {} x {} elements: · all right, × if any is wrong):", high, wide)};
    bool tells = false;
    for (std::size_t i = 0; i < rows; i += high) {
        std::string line = "  ";
        for (std::size_t j = 0; j < cols; j += wide) {
            bool any = false;
            for (std::size_t y = i; y < std::min(rows, i + high); ++y) {
                for (std::size_t x = j; x < std::min(cols, j + wide); ++x) {
                    any = any || wrong[y * cols + x];
                }
            }
            line += any ? "×" : "·";
            tells = tells || !any;
        }
        map.push_back(line);
    }
    return tells ? map : std::vector<std::string>{};
}

WrongElements wrong_elements(const Shape& shape, const std::vector<bool>& wrong) {
    constexpr std::size_t max_side = 64;
    WrongElements found{shape.name, shape.rows, shape.cols, 0, cell_side(shape.rows, max_side), cell_side(shape.cols, max_side), {}};
    found.cells.assign(blocks_over(shape.rows, found.cell_rows), std::vector<std::size_t>(blocks_over(shape.cols, found.cell_columns)));
    for (std::size_t at = 0; at < wrong.size(); ++at) {
        if (wrong[at]) {
            ++found.count;
            ++found.cells[at / shape.cols / found.cell_rows][at % shape.cols / found.cell_columns];
        }
    }
    return found;
}

Pattern describe_pattern(const Shape& shape, const std::vector<bool>& wrong) {
    const std::size_t rows = shape.rows;
    const std::size_t cols = shape.cols;
    const auto count = static_cast<std::size_t>(std::count(wrong.begin(), wrong.end(), true));
    if (count == 0 || count == wrong.size()) {
        return {};
    }
    const std::array sides{std::pair{lines_of(wrong, rows, cols, false), rows == 1 ? "element" : "column"},
                           std::pair{lines_of(wrong, rows, cols, true), "row"}};
    for (const auto& [lines, line] : sides) {
        if (Pattern pattern = edge(lines, line, shape.by_grid); !pattern.empty()) {
            return pattern;
        }
    }
    for (const bool is_lower : {true, false}) {
        if (rows == cols && is_triangle(wrong, rows, is_lower)) {
            return {fmt::format("the triangle {} the diagonal is wrong", is_lower ? "below" : "above"), {}};
        }
    }
    for (const auto& [lines, line] : sides) {
        if (std::string text = lines.any == lines.all ? repeating(lines.any, line) : ""; !text.empty()) {
            return {text, {}};
        }
    }
    return {};
}

}  // namespace lab::diagnosis
