// Figures of labs 2, 3 and 4: which elements a product reads.
#include <fmt/format.h>

#include "common/report/figures/drawings.h"
#include "common/report/figures/product.h"

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

}  // namespace lab::report
