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

namespace {

constexpr double place_side = 5.6;
constexpr int tile_side_shown = 32;
const Look missing_look{.line = Role::muted, .width = 0, .hatch = Hatch::rising};

// A tile of which `rows` x `columns` places have an element.
Grid draw_tile_places(Drawing& drawing, double x, int rows, int columns) {
    const Grid grid{{x, 62}, tile_side_shown, tile_side_shown, place_side, place_side};
    drawing.rect(grid.area(0, 0, rows, columns), {.width = 0, .fill = Role::faint});
    drawing.rect(grid.area(rows, 0, grid.rows - rows, grid.columns), missing_look);
    drawing.rect(grid.area(0, columns, rows, grid.columns - columns), missing_look);
    drawing.rect(grid.area(0, 0, rows, columns), {.line = Role::muted});
    drawing.rect(grid.whole());
    return grid;
}

}  // namespace

// The way of one warp's load and store through a tile at the corner of a matrix.
Drawing draw_tile_of_a_transpose() {
    constexpr int nx = 70;
    constexpr int ny = 40;
    constexpr Tile block{1, 2};
    Drawing drawing(
        "tile_of_a_transpose", "A tile of a transpose with 70 columns and 40 rows, block (1, 2)",
        "Three tiles of 32 x 32 places: of in, in shared memory, of out. Only 8 rows and 6 columns of in exist there, so 6 rows and 8 "
        "columns of out. Warp 0 loads a row of in into a row of the tile, and stores a column of the tile to a row of out: "
        "6 lanes load, 8 store.");
    const TransposeStep step = transpose_step(nx, ny, block, 0, 0);
    const int rows = step.stores;  // of `in` that exist
    const int columns = step.loads;
    const Grid in = draw_tile_places(drawing, 54, rows, columns);
    const Grid shared = draw_tile_places(drawing, 276, rows, columns);
    const Grid out = draw_tile_places(drawing, 498, columns, rows);
    const Look load{.line = Role::first, .width = 2, .fill = Role::first};
    const Look store{.line = Role::second, .width = 2, .fill = Role::second};
    drawing.rect(shared.area(0, 0, rows, 1), store);
    drawing.rect(in.area(0, 0, 1, columns), load);
    drawing.rect(shared.area(0, 0, 1, columns), {.line = Role::first, .width = 2});
    drawing.rect(out.area(0, 0, 1, rows), store);
    const double bend = 26;
    drawing.arrow({in.cell(0, columns).x + 4, in.origin.y - 1}, {shared.origin.x + 20, shared.origin.y - 2},
                  {.line = Role::first, .width = 2}, bend);
    drawing.arrow({shared.origin.x + 3, shared.cell(rows, 0).y + 2}, {out.origin.x - 3, out.origin.y + 5},
                  {.line = Role::second, .width = 2}, -50);
    for (const auto& [grid, title, place] :
         {std::tuple{in, "in", "rows 32 to 63, columns 64 to 95"}, std::tuple{shared, "shared memory", ""},
          std::tuple{out, "out", "rows 64 to 95, columns 32 to 63"}}) {
        const double below = grid.whole().bottom() + 15;
        drawing.text({grid.whole().centre().x, below}, title, {.is_bold = true});
        if (*place != 0) drawing.text({grid.whole().centre().x, below + 18}, place, {.size = 12});
    }
    drawing.text({200, 12}, fmt::format("load: {} lanes", step.loads), {.size = 13, .role = Role::first});
    drawing.text({478, 40}, fmt::format("store: {} lanes", step.stores), {.size = 13, .role = Role::second});
    drawing.text({in.origin.x - 6, in.cell(0, 0).centre().y}, "row 32", {.align = Align::end, .size = 12});
    drawing.text({in.origin.x - 6, in.cell(rows - 1, 0).centre().y}, "39", {.align = Align::end, .size = 12});
    legend(drawing, {56, in.whole().bottom() + 58}, missing_look, "outside the matrix: guarded, neither loaded nor stored");
    return drawing;
}

}  // namespace lab::report
