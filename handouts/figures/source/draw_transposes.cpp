// Figures of lab 5: places of the elements of a transpose.
#include <fmt/format.h>

#include <algorithm>

#include "common/report/grid.h"
#include "handouts/figures/source/drawings.h"
#include "handouts/figures/source/transposes.h"

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

namespace {

constexpr int pair_side = 4;
constexpr int pair_threads_y = 2;

std::vector<Box> cells_of(const Grid& grid, const std::vector<Place>& places, bool is_transposed = false) {
    std::vector<Box> cells;
    for (const Place& place : places) {
        cells.push_back(is_transposed ? grid.cell(place.column, place.row) : grid.cell(place.row, place.column));
    }
    return cells;
}

// Numbers each element of `in` and of the tile, or of `out`.
void number_elements(Drawing& drawing, const Grid& grid, bool is_transposed) {
    for (int row = 0; row < pair_side; ++row) {
        for (int column = 0; column < 2 * pair_side; ++column) {
            const Box cell = is_transposed ? grid.cell(column, row) : grid.cell(row, column);
            label(drawing, cell, fmt::format("{}", row * 2 * pair_side + column), {.size = 12});
        }
    }
}

}  // namespace

// Two square tiles side by side, and the elements that one thread loads and stores.
Drawing draw_pair_of_tiles() {
    Drawing drawing(
        "pair_of_tiles", "Two tiles of 4 x 4 that a block of 4x2 threads moves",
        "Three grids with the numbers 0 to 31: 4 rows and 8 columns of in, the same in shared memory in rows of 9 words, the last of them "
        "padding, and 8 rows and 4 columns of out. Thread (1, 0) loads elements 1, 17, 5 and 21, rows 0 and 2 of column 1 of either "
        "tile. It stores elements 8, 10, 12 and 14, rows 0, 2, 4 and 6 of column 1 of out, which other threads have loaded.");
    const PairMoves moves = pair_moves(pair_side, pair_threads_y, 1, 0);
    const Grid in{{24, 62}, pair_side, 2 * pair_side, 26, 26};
    const Grid tile{{282, 62}, pair_side, 2 * pair_side + 1, 26, 26};
    const Grid out{{566, 62}, 2 * pair_side, pair_side, 26, 26};
    const Look load{.line = Role::first, .width = 2, .fill = Role::first};
    const Look store{.line = Role::second, .width = 2, .fill = Role::second};
    const Look padding{.line = Role::muted, .width = 0, .hatch = Hatch::crossed};
    for (const Grid& grid : {in, tile}) drawing.rects(cells_of(grid, moves.loads), {.width = 0, .fill = Role::first});
    drawing.rect(tile.area(0, 2 * pair_side, pair_side, 1), padding);
    for (const Grid& grid : {in, tile, out}) grid.draw(drawing, Role::muted);
    drawing.rects(cells_of(tile, moves.stores, true), store);
    drawing.rects(cells_of(out, moves.stores), store);
    for (const Grid& grid : {in, tile}) {
        for (const int left : {0, pair_side}) drawing.rect(grid.area(0, left, pair_side, pair_side), {.width = 2});
    }
    for (const int top : {0, pair_side}) drawing.rect(out.area(top, 0, pair_side, pair_side), {.width = 2});
    number_elements(drawing, in, false);
    number_elements(drawing, tile, false);
    number_elements(drawing, out, true);
    drawing.arrow({in.whole().right() + 8, in.whole().centre().y}, {tile.origin.x - 8, in.whole().centre().y},
                  {.line = Role::first, .width = 2});
    drawing.arrow({tile.whole().right() + 8, tile.whole().centre().y}, {out.origin.x - 8, tile.whole().centre().y},
                  {.line = Role::second, .width = 2});
    for (const auto& [grid, title, size] : {std::tuple{in, "in", "4 rows of 8"}, std::tuple{tile, "shared memory", "4 rows of 9 words"},
                                            std::tuple{out, "out", "8 rows of 4"}}) {
        drawing.text({grid.whole().centre().x, 14}, title, {.is_bold = true});
        drawing.text({grid.whole().centre().x, 36}, size, {.size = 13, .role = Role::muted});
    }
    const Point next = legend(drawing, {24, 218}, load, "thread (1, 0) loads");
    legend(drawing, next, store, "thread (1, 0) stores");
    legend(drawing, {24, 244}, padding, "padding");
    return drawing;
}

}  // namespace lab::report
