// Figures of labs 2, 3 and 4: elements that a product reads.
#include <fmt/format.h>

#include "handouts/figures/source/drawings.h"
#include "handouts/figures/source/product.h"

namespace lab::report {
namespace {

const Look row_look{.line = Role::first, .width = 0, .fill = Role::first};
const Look column_look{.line = Role::second, .width = 0, .fill = Role::second};
const Look result_look{.line = Role::third, .width = 2, .fill = Role::third};

void name_matrix(Drawing& drawing, const Grid& grid, const std::string& name, bool is_above) {
    const Box box = grid.whole();
    drawing.text({is_above ? box.centre().x : box.x - 14, is_above ? box.y - 14 : box.centre().y}, name, {.size = 16, .is_bold = true});
}

}  // namespace

// One block of P, its bands of M and N, and the tiles of one step.
Drawing draw_blocked_product() {
    constexpr int tiles = 4;
    constexpr int block_row = 1;
    constexpr int block_column = 2;
    constexpr int step = 1;
    Drawing drawing("blocked_product", "One block of a product in tiles",
                    "M at the left, N above, P below N, each of 4 x 4 tiles. Block (2, 1) of P needs the second row of tiles of M and the "
                    "third column of tiles of N. In one step it holds one tile of each; the loop moves right in M and down in N.");
    const ProductGrids grids = product_grids({200, 26}, tiles, tiles, tiles, 42, 28);
    drawing.rect(grids.m.area(block_row, 0, 1, tiles), row_look);
    drawing.rect(grids.n.area(0, block_column, tiles, 1), column_look);
    for (const Grid* grid : {&grids.m, &grids.n, &grids.p}) grid->draw(drawing, Role::muted);
    drawing.rect(grids.m.cell(block_row, step), {.line = Role::first, .width = 3, .hatch = Hatch::rising});
    drawing.rect(grids.n.cell(step, block_column), {.line = Role::second, .width = 3, .hatch = Hatch::falling});
    drawing.rect(grids.p.cell(block_row, block_column), {.line = Role::third, .width = 3, .fill = Role::third});
    name_matrix(drawing, grids.m, "M", false);
    name_matrix(drawing, grids.n, "N", true);
    label(drawing, grids.p.cell(block_row, block_column), "block", {.size = 12});

    const Box m_end = grids.m.cell(block_row, tiles - 1);
    drawing.arrow({m_end.x - 36, m_end.centre().y}, {m_end.right() - 8, m_end.centre().y}, {.line = Role::first, .width = 2});
    const Box n_end = grids.n.cell(tiles - 1, block_column);
    drawing.arrow({n_end.centre().x, n_end.y - 36}, {n_end.centre().x, n_end.bottom() - 8}, {.line = Role::second, .width = 2});
    const Box p = grids.p.whole();
    drawing.text({p.right() + 14, p.centre().y}, "P", {.size = 16, .is_bold = true});
    span_x(drawing, grids.m.cell(0, 0).x, grids.m.cell(0, 0).right(), grids.m.whole().bottom() + 10, "TILE");
    span_x(drawing, p.x, p.right(), p.bottom() + 10, "W");

    Point place{24, 44};
    for (const auto& [look, text] : {std::pair{result_look, "block of P, one tile"}, std::pair{row_look, "rows of M that it needs"},
                                     std::pair{column_look, "columns of N that it needs"}}) {
        legend(drawing, place, look, text);
        place.y += 24;
    }
    legend(drawing, place, {.line = Role::ink, .width = 2, .hatch = Hatch::rising}, "the tiles of step 2");
    return drawing;
}

// The 4 x 4 product in blocks of 2 x 2, with all elements that P(1, 2) needs.
Drawing draw_small_product() {
    constexpr int size = 4;
    constexpr int row = 1;
    constexpr int column = 2;
    Drawing drawing("small_product", "The 4 x 4 product in blocks of 2 x 2",
                    "M at the left, N above, P below N, every element with its row and column. Thick lines outline the blocks of 2 x 2 "
                    "threads. Row 1 of M and column 2 of N are shaded: their products add up to P(1, 2), in block (1, 0).");
    const ProductGrids grids = product_grids({190, 26}, size, size, size, 42, 34);
    drawing.rect(grids.m.area(row, 0, 1, size), row_look);
    drawing.rect(grids.n.area(0, column, size, 1), column_look);
    drawing.rect(grids.p.cell(row, column), {.line = Role::third, .width = 0, .fill = Role::third});
    for (const Grid* grid : {&grids.m, &grids.n, &grids.p}) {
        grid->draw(drawing, Role::muted);
        for (int r = 0; r < size; ++r) {
            for (int c = 0; c < size; ++c) label(drawing, grid->cell(r, c), fmt::format("{},{}", r, c), {.size = 13});
        }
    }
    for (int y = 0; y < 2; ++y) {
        for (int x = 0; x < 2; ++x) drawing.rect(grids.p.area(2 * y, 2 * x, 2, 2), {.width = 2.5});
        const Box block = grids.p.area(2 * y, 2, 2, 2);
        drawing.text({block.right() + 10, block.centre().y}, fmt::format("blocks (0, {0}), (1, {0})", y),
                     {.align = Align::start, .size = 13});
    }
    name_matrix(drawing, grids.m, "M", false);
    name_matrix(drawing, grids.n, "N", true);
    drawing.text({grids.p.whole().centre().x, grids.p.whole().bottom() + 16}, "P", {.size = 16, .is_bold = true});
    Point place{16, 44};
    for (const auto& [look, text] :
         {std::pair{row_look, "row 1 of M"}, std::pair{column_look, "column 2 of N"}, std::pair{result_look, "their element, P(1, 2)"}}) {
        legend(drawing, place, look, text);
        place.y += 24;
    }
    return drawing;
}

namespace {

constexpr double phase_cell = 27;

void label_elements(Drawing& drawing, const Grid& grid, int row, int column) {
    for (int r = 0; r < grid.rows; ++r) {
        for (int c = 0; c < grid.columns; ++c) {
            label(drawing, grid.cell(r, c), fmt::format("{},{}", row + r, column + c), {.size = 11});
        }
    }
}

// A step of block (1, 0) of the 4 x 4 product: its tile of M goes up into shared memory, that of N to the right.
void draw_phase(Drawing& drawing, int start) {
    constexpr double lift = 2 * phase_cell + 34;
    constexpr double from_edge = 4;
    const Grid m{{0, lift}, 4, 4, phase_cell, phase_cell};
    const Grid n{{4 * phase_cell + 30, lift}, 4, 4, phase_cell, phase_cell};
    const Grid m_tile{{start * phase_cell, 0}, 2, 2, phase_cell, phase_cell};
    const Grid n_tile{{n.whole().right() + 24, lift + start * phase_cell}, 2, 2, phase_cell, phase_cell};
    drawing.rect(m.area(0, start, 2, 2), row_look);
    drawing.rect(m_tile.whole(), row_look);
    drawing.rect(n.area(start, 2, 2, 2), column_look);
    drawing.rect(n_tile.whole(), column_look);
    for (const Grid* grid : {&m, &n, &m_tile, &n_tile}) grid->draw(drawing, Role::muted);
    label_elements(drawing, m, 0, 0);
    label_elements(drawing, n, 0, 0);
    label_elements(drawing, m_tile, 0, start);
    label_elements(drawing, n_tile, start, 2);
    for (int at = 0; at < 2; ++at) {
        for (int other = 0; other < 2; ++other) {
            // Beside the elements' names: the first row's arrows at one side of them, the second row's at the other.
            const double aside = at == 0 ? from_edge : phase_cell - from_edge;
            const Box from_m = m.cell(at, start + other);
            drawing.arrow({from_m.x + aside, from_m.y + 5}, {from_m.x + aside, m_tile.cell(at, other).bottom() - 5}, {.line = Role::first});
            const Box from_n = n.cell(start + other, 2 + at);
            const double down = at == 0 ? phase_cell - from_edge : from_edge;
            drawing.arrow({from_n.right() - 5, from_n.y + down}, {n_tile.cell(other, at).x + 5, from_n.y + down}, {.line = Role::second});
        }
    }
    drawing.text({m.whole().centre().x, m.whole().bottom() + 15}, "M, global", {.size = 13});
    drawing.text({n.whole().centre().x, n.whole().bottom() + 15}, "N, global", {.size = 13});
    drawing.text({n_tile.whole().centre().x, n_tile.whole().bottom() + 14}, "shared", {.size = 13});
    const bool is_left = start == 0;
    drawing.text({is_left ? m_tile.whole().right() + 8 : m_tile.origin.x - 8, m_tile.whole().centre().y}, "shared",
                 {.align = is_left ? Align::start : Align::end, .size = 13});
}

}  // namespace

// The two steps of block (1, 0).
Drawing draw_product_phases() {
    Drawing drawing(
        "product_phases", "The two steps of block (1, 0) of the 4 x 4 product",
        "In each step four threads copy a tile of 2 x 2 elements of M and one of N from global to shared memory, an arrow for each "
        "copy. Step start = 0 takes columns 0 and 1 of M and rows 0 and 1 of N; step start = 2 takes columns and rows 2 and 3.");
    for (const int start : {0, 2}) {
        const double x = start == 0 ? 6 : 360;
        drawing.text({x, 12}, fmt::format("step start = {}", start), {.align = Align::start, .is_bold = true});
        drawing.group({x, 32}, [&] { draw_phase(drawing, start); });
    }
    return drawing;
}

// Elements that one thread of the product without tiles reads.
Drawing draw_product_without_tiles() {
    constexpr int size = 8;
    constexpr int row = 3;
    constexpr int column = 5;
    Drawing drawing(
        "product_without_tiles", "What one thread of the product reads",
        "M at the left, N above, P below N. One thread walks along a row of M and down a column of N and stores one element of P. All "
        "threads of that row of P read the same row of M, all of that column the same column of N, so each element is loaded W times.");
    const ProductGrids grids = product_grids({150, 26}, size, size, size, 19, 30);
    drawing.rect(grids.m.area(row, 0, 1, size), row_look);
    drawing.rect(grids.n.area(0, column, size, 1), column_look);
    for (const Grid* grid : {&grids.m, &grids.n, &grids.p}) grid->draw(drawing, Role::faint);
    drawing.rect(grids.p.cell(row, column), result_look);
    const Box m_row = grids.m.area(row, 0, 1, size);
    drawing.arrow({m_row.x + 4, m_row.centre().y}, {m_row.right() - 4, m_row.centre().y}, {.line = Role::first, .width = 2});
    const Box n_column = grids.n.area(0, column, size, 1);
    drawing.arrow({n_column.centre().x, n_column.y + 4}, {n_column.centre().x, n_column.bottom() - 4}, {.line = Role::second, .width = 2});
    name_matrix(drawing, grids.m, "M", false);
    name_matrix(drawing, grids.n, "N", true);
    const Box p = grids.p.whole();
    drawing.text({p.centre().x, p.bottom() + 14}, "P", {.size = 16, .is_bold = true});
    drawing.rect(grids.p.area(row, 0, 1, size), {.line = Role::first, .width = 1.5, .is_dashed = true});
    drawing.rect(grids.p.area(0, column, size, 1), {.line = Role::second, .width = 1.5, .is_dashed = true});
    const double beside = grids.p.cell(row, 0).centre().y;
    drawing.text({p.right() + 10, beside - 9}, "W threads of a row of P", {.align = Align::start, .size = 13, .role = Role::first});
    drawing.text({p.right() + 10, beside + 9}, "read this row of M", {.align = Align::start, .size = 13, .role = Role::first});
    drawing.text({p.right() + 10, p.bottom() - 12}, "W threads of a column of P",
                 {.align = Align::start, .size = 13, .role = Role::second});
    drawing.text({p.right() + 10, p.bottom() + 6}, "read this column of N", {.align = Align::start, .size = 13, .role = Role::second});
    Point place{20, 40};
    for (const auto& [look, text] :
         {std::pair{row_look, "M[row * W + k]"}, std::pair{column_look, "N[k * W + col]"}, std::pair{result_look, "P[row * W + col]"}}) {
        legend(drawing, place, look, text);
        place.y += 24;
    }
    return drawing;
}

}  // namespace lab::report
