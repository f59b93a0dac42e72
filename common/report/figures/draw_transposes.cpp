// Figures of lab 5: places of the elements of a transpose.
#include <fmt/format.h>

#include <algorithm>

#include "common/report/figures/drawings.h"
#include "common/report/figures/transposes.h"
#include "common/report/grid.h"

namespace lab::report {
namespace {

const Look moved_look{.line = Role::first, .width = 0, .fill = Role::first};

void draw_index_strip(Drawing& drawing, const Grid& strip, const std::string& name, const std::vector<int>& moved) {
    for (const int index : moved) drawing.rect(strip.cell(0, index), moved_look);
    strip.draw(drawing, Role::muted);
    for (int index = 0; index < strip.columns; ++index) label(drawing, strip.cell(0, index), fmt::format("{}", index), {.size = 13});
    drawing.text({strip.origin.x - 8, strip.whole().centre().y}, name, {.align = Align::end});
}

}  // namespace

// A matrix of 3 x 4 and its transpose; one row and its indices in both arrays.
Drawing draw_transpose() {
    constexpr int rows = 3;
    constexpr int columns = 4;
    constexpr int row = 1;
    Drawing drawing(
        "transpose", "A matrix of 3 x 4 and its transpose",
        "Row 1 of a matrix of 3 rows and 4 columns becomes column 1 of its transpose of 4 rows and 3 columns. In the array of the "
        "matrix its elements have the adjacent indices 4 to 7; in the array of the transpose 1, 4, 7 and 10, three apart.");
    const Grid in{{150, 34}, rows, columns, 40, 32};
    const Grid out{{430, 34}, columns, rows, 40, 32};
    std::vector<int> in_indices;
    std::vector<int> out_indices;
    for (int c = 0; c < columns; ++c) {
        in_indices.push_back(row * columns + c);
        out_indices.push_back(c * rows + row);
    }
    drawing.rect(in.area(row, 0, 1, columns), moved_look);
    drawing.rect(out.area(0, row, columns, 1), moved_look);
    in.draw(drawing, Role::muted);
    out.draw(drawing, Role::muted);
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < columns; ++c) {
            const std::string element(1, static_cast<char>('a' + r * columns + c));
            label(drawing, in.cell(r, c), element);
            label(drawing, out.cell(c, r), element);
        }
    }
    drawing.text({in.whole().centre().x, 18}, "in: 3 rows of 4", {.is_bold = true});
    drawing.text({out.whole().centre().x, 18}, "out: 4 rows of 3", {.is_bold = true});
    drawing.arrow({in.whole().right() + 24, in.cell(row, 0).centre().y}, {out.origin.x - 24, in.cell(row, 0).centre().y}, {.width = 1.5});

    const Grid in_strip{{116, 192}, 1, rows * columns, 40, 28};
    const Grid out_strip{{116, 264}, 1, rows * columns, 40, 28};
    draw_index_strip(drawing, in_strip, "in, index", in_indices);
    draw_index_strip(drawing, out_strip, "out, index", out_indices);
    for (std::size_t i = 0; i < in_indices.size(); ++i) {
        const Box from = in_strip.cell(0, in_indices[i]);
        const Box to = out_strip.cell(0, out_indices[i]);
        drawing.arrow({from.centre().x, from.bottom() + 2}, {to.centre().x, to.y - 2}, {.line = Role::first});
    }
    return drawing;
}

}  // namespace lab::report
