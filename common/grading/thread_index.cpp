#include "common/grading/thread_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace lab::grading {
namespace {

// Whether the grid has a thread for each element, with y (or x) along the rows.
bool covers_with_rows_along(const Launched& launched, const Shape& shape, bool y) {
    const std::size_t along_x = launched.grid_x * launched.block_x;
    const std::size_t along_y = launched.grid_y * launched.block_y;
    return y ? along_x >= shape.cols && along_y >= shape.rows : along_x >= shape.rows && along_y >= shape.cols;
}

// A row or a column as a thread computes it: block * apart + thread, or thread * apart + block.
struct Expression {
    bool block_y, thread_y;
    std::size_t apart;
    bool scales_thread = false;
    [[nodiscard]] std::size_t at(const std::array<std::size_t, 2>& block, const std::array<std::size_t, 2>& thread) const {
        const std::size_t of_block = block[block_y ? 1 : 0];
        const std::size_t of_thread = thread[thread_y ? 1 : 0];
        return scales_thread ? of_thread * apart + of_block : of_block * apart + of_thread;
    }
    // `tile`: the side of a block's tile if it has more elements than threads; else 0.
    [[nodiscard]] std::string text(std::size_t tile) const {
        const std::string thread = tile > 0 ? fmt::format("0 to {}", tile - 1) : fmt::format("threadIdx.{}", thread_y ? "y" : "x");
        const std::string block = fmt::format("blockIdx.{}", block_y ? "y" : "x");
        if (scales_thread) {
            return fmt::format("threadIdx.{} * {} + {}", thread_y ? "y" : "x", apart, block);
        }
        return apart == 0 ? thread : apart == 1 ? fmt::format("{} + {}", block, thread) : fmt::format("{} * {} + {}", block, apart, thread);
    }
};

// Whether threads that compute these rows and columns reach exactly the reached elements, with as many stores.
bool is_reached_by(const Launched& launched, const Shape& shape, const std::vector<bool>& elements, const Expression& row,
                   const Expression& col) {
    std::vector<bool> reached(elements.size());
    std::size_t stores = 0;
    for (std::size_t block = 0; block < launched.grid_x * launched.grid_y; ++block) {
        const std::array at_block{block % launched.grid_x, block / launched.grid_x};
        for (std::size_t thread = 0; thread < launched.block_x * launched.block_y; ++thread) {
            const std::array at_thread{thread % launched.block_x, thread / launched.block_x};
            const std::size_t i = row.at(at_block, at_thread);
            const std::size_t j = col.at(at_block, at_thread);
            if (i < shape.rows && j < shape.cols) {
                if (!elements[i * shape.cols + j]) {
                    return false;
                }
                ++stores;
                reached[i * shape.cols + j] = true;
            }
        }
    }
    return reached == elements && (launched.stored == 0 || launched.stored == stores);
}

// Expressions of a row and a column, with the number of their differences from the usual ones.
struct Ranked {
    Expression row, col;
    int unusual;
};

// Ascending by their differences from the usual expression, which is the shape's, or its exchange if only that covers the output.
std::vector<Ranked> expressions(const Launched& launched, const Shape& shape) {
    std::vector<Ranked> all;
    const std::set<std::size_t> aparts{0, 1, 8, 16, 32, launched.block_x, launched.block_y, launched.grid_x, launched.grid_y};
    std::vector<Expression> each;
    for (int bits = 0; bits < 4; ++bits) {
        for (const std::size_t apart : aparts) {
            each.push_back({(bits & 1) != 0, (bits & 2) != 0, apart});
            const bool is_usual = apart == ((bits & 2) != 0 ? launched.block_y : launched.block_x);
            if (apart > 1 && is_usual && launched.grid_x * launched.grid_y > 1) {
                each.push_back({(bits & 1) != 0, (bits & 2) != 0, apart, true});
            }
        }
    }
    const bool is_either = covers_with_rows_along(launched, shape, true) && covers_with_rows_along(launched, shape, false);
    const bool y_is_row = is_either ? !shape.x_is_row : covers_with_rows_along(launched, shape, true);
    const auto unusual = [&](const Expression& one, bool y) {
        const std::size_t usual = y ? launched.block_y : launched.block_x;
        const bool is_other_side = one.apart == launched.block_x || one.apart == launched.block_y;
        const int apart = one.apart == usual ? 0 : one.apart == 0 ? 3 : is_other_side ? 4 : 6;
        return 4 * int(one.block_y != y) + 4 * int(one.thread_y != y) + apart;
    };
    for (const Expression& row : each) {
        for (const Expression& col : each) {
            // Exchanging both is one mistake.
            const int other = unusual(row, !y_is_row) + unusual(col, y_is_row) + (is_either ? 1 : 3);
            if (row.scales_thread != col.scales_thread) {
                continue;
            }
            const int scaled = row.scales_thread ? 1 : 0;
            const int rank = std::min(unusual(row, y_is_row) + unusual(col, !y_is_row), other) + scaled;
            if (rank > (is_either ? 1 : 0) && row.thread_y != col.thread_y) {
                all.push_back({row, col, rank});
            }
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const Ranked& one, const Ranked& other) { return one.unusual < other.unusual; });
    return all;
}

// ": x chooses the row ...", if x and y have changed places in both expressions, and nothing else is wrong.
std::string exchanged_axes(const Ranked& index, const Shape& shape, bool is_tiled) {
    const auto is_exchanged = [&](const Expression& one, bool y) {
        return one.block_y != y && (is_tiled || one.thread_y != y) && !one.scales_thread && one.apart > 1;
    };
    if (!is_exchanged(index.row, !shape.x_is_row) || !is_exchanged(index.col, shape.x_is_row)) {
        return "";
    }
    return shape.x_is_row ? ": x chooses the column instead of the row" : ": x chooses the row instead of the column";
}

// ": 12 is gridDim.y: should it be blockDim.y?", if one of the factors of the blocks' numbers is not the block's side along that axis, or
// both are the same constant.
std::string question_about_factor(const Ranked& index, const Launched& launched) {
    std::vector<char> axes;
    std::size_t factor = 0;
    for (const Expression& one : {index.row, index.col}) {
        const std::size_t usual = one.block_y ? launched.block_y : launched.block_x;
        if (one.block_y != one.thread_y || one.scales_thread || one.apart < 2) {
            return "";
        }
        if (one.apart != usual) {
            if (!axes.empty() && factor != one.apart) {
                return "";
            }
            axes.push_back(one.block_y ? 'y' : 'x');
            factor = one.apart;
        }
    }
    if (axes.empty()) {
        return "";
    }
    const std::string names = names_of_number(factor, launched);
    const std::string sides = fmt::format("blockDim.{}", fmt::join(axes, " and blockDim."));
    return names.empty()      ? fmt::format(": does {} stand where {} should?", factor, sides)
           : axes.size() == 1 ? fmt::format(": {} is {}, should it be {}?", factor, names, sides)
                              : "";
}

// "P is written only at row = blockIdx.y * 16 + threadIdx.y, ...": the index that the elements reached prove. `tile`: as in
// Expression::text().
Cause thread_index(const Launched& launched, const Shape& shape, const Reached& reached, std::size_t tile) {
    constexpr std::size_t max_elements = 20'000;
    if (launched.block_x == 0 || shape.rows == 1 || reached.elements.size() > max_elements) {
        return {};
    }
    if (!covers_with_rows_along(launched, shape, true) && !covers_with_rows_along(launched, shape, false)) {
        return {};  // a thread has several elements
    }
    const auto all = expressions(launched, shape);
    const auto reaches = [&](const Ranked& one) { return is_reached_by(launched, shape, reached.elements, one.row, one.col); };
    const auto first = std::find_if(all.begin(), all.end(), reaches);
    if (first == all.end()) {
        return {};
    }
    // A GPU doesn't count stores, so fewer expressions can be distinguished.
    const bool is_counted = launched.stored > 0;
    const auto next =
        std::find_if(first + 1, all.end(), [&](const Ranked& one) { return (is_counted && one.unusual > first->unusual) || reaches(one); });
    const bool is_only = next == all.end() || (is_counted && next->unusual > first->unusual);
    if (!is_only && (!is_counted || first->row.scales_thread)) {
        return {};
    }
    const std::string unit =
        tile > 0 ? fmt::format("tiles of {0} x {0}", tile) : fmt::format("blocks of {} x {}", launched.block_x, launched.block_y);
    const std::string axes = exchanged_axes(*first, shape, tile > 0);
    return {fmt::format("{} is written only at row = {}, column = {}, in {}{}", shape.name, first->row.text(tile), first->col.text(tile),
                        unit, axes.empty() && tile == 0 ? question_about_factor(*first, launched) : axes),
            is_only ? Proof::index : Proof::several};
}

}  // namespace

std::string names_of_number(std::size_t number, const Launched& launched) {
    const std::array<std::pair<const char*, std::size_t>, 4> known{{{"blockDim.x", launched.block_x},
                                                                    {"blockDim.y", launched.block_y},
                                                                    {"gridDim.x", launched.grid_x},
                                                                    {"gridDim.y", launched.grid_y}}};
    std::string names;
    for (const auto& [name, value] : known) {
        if (value == number) {
            names += (names.empty() ? "" : " and ") + std::string(name);
        }
    }
    return names;
}

Cause thread_index(const Launched& launched, const Shape& shape, const Reached& reached) {
    Cause cause = thread_index(launched, shape, reached, 0);
    if (!cause.text.empty() || launched.block_x == launched.block_y) {
        return cause;
    }
    Launched tiles = launched;
    tiles.block_y = launched.block_x;
    return thread_index(tiles, shape, reached, launched.block_x);
}

std::string thread_index_of_vector(const Launched& launched, const Shape& shape, const Reached& reached) {
    const std::size_t first =
        static_cast<std::size_t>(std::find(reached.elements.begin(), reached.elements.end(), false) - reached.elements.begin());
    const bool ends_there =
        std::find(reached.elements.begin() + static_cast<std::ptrdiff_t>(first), reached.elements.end(), true) == reached.elements.end();
    return shape.rows == 1 && ends_there && launched.grid_x > 1 && first == launched.block_x && launched.stored == launched.grid_x * first
               ? fmt::format("all {} blocks write the same {} elements of {}: is blockIdx.x part of the index?", launched.grid_x, first,
                             shape.name)
               : "";
}

}  // namespace lab::grading
