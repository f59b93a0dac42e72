// Figures of lab 4: tiles that reach over the edge of a matrix.
#include <fmt/format.h>

#include "handouts/figures/source/drawings.h"
#include "handouts/figures/source/product.h"

namespace lab::report {
namespace {

const Look zero_look{.line = Role::second, .width = 0, .fill = Role::second, .hatch = Hatch::rising};
const Look element_look{.line = Role::first, .width = 0, .fill = Role::first};

// The matrix of `rows` x `columns` elements in tiles of `tile`; places without an element are hatched, and 0.
void draw_padded(Drawing& drawing, const Grid& padded, int rows, int columns, int tile) {
    drawing.rect(padded.area(0, 0, rows, columns), element_look);
    if (columns < padded.columns) drawing.rect(padded.area(0, columns, padded.rows, padded.columns - columns), zero_look);
    if (rows < padded.rows) drawing.rect(padded.area(rows, 0, padded.rows - rows, columns), zero_look);
    padded.draw(drawing, Role::faint);
    padded.draw(drawing, Role::ink, tile, tile);
    drawing.rect(padded.area(0, 0, rows, columns), {.line = Role::first, .width = 2.5});
}

int padded_to(int size, int tile) { return tiles_of(size, tile) * tile; }

}  // namespace

// A product whose sizes the tile doesn't divide.
Drawing draw_inexact_tiles() {
    constexpr int m = 6;
    constexpr int k = 10;
    constexpr int n = 7;
    constexpr int tile = 4;
    Drawing drawing(
        "inexact_tiles", "A product in tiles that don't divide its sizes",
        "A has 6 x 10 elements, B 10 x 7, C 6 x 7, in tiles of 4 x 4. Each is extended to whole tiles: A to 8 x 12, B to 12 x 8, C to "
        "8 x 8. The places past the edges are hatched: in the tiles of A and B they hold 0, in C nothing is stored there.");
    const ProductGrids grids = product_grids({196, 30}, padded_to(m, tile), padded_to(k, tile), padded_to(n, tile), 15, 40);
    draw_padded(drawing, grids.m, m, k, tile);
    draw_padded(drawing, grids.n, k, n, tile);
    draw_padded(drawing, grids.p, m, n, tile);
    drawing.text({grids.n.whole().centre().x, 14}, "B, 10 x 7", {.is_bold = true});
    drawing.text({grids.m.origin.x - 12, grids.m.whole().centre().y}, "A, 6 x 10", {.align = Align::end, .is_bold = true});
    drawing.text({grids.p.whole().right() + 12, grids.p.whole().centre().y}, "C, 6 x 7", {.align = Align::start, .is_bold = true});
    span_x(drawing, grids.m.origin.x, grids.m.cell(0, tile - 1).right(), grids.m.whole().bottom() + 10, "a tile of 4");
    Point place{16, 44};
    legend(drawing, place, element_look, "elements");
    place.y += 24;
    legend(drawing, place, zero_look, "nothing there: 0 in");
    drawing.text({place.x + 20, place.y + 18}, "a tile of A or B", {.align = Align::start, .size = 13});
    return drawing;
}

// A matrix of 20 x 5 in blocks of 16 x 16 threads, for y = A x.
Drawing draw_matrix_edge() {
    constexpr int rows = 20;
    constexpr int columns = 5;
    constexpr int block = 16;
    constexpr double side = 10;
    Drawing drawing(
        "matrix_edge", "Tiles over the edge of a matrix of 20 x 5",
        "Two blocks of 16 x 16 threads one below the other over a matrix of 20 rows and 5 columns. 80 threads of block 0 and 20 of "
        "block 1 have an element; the others, hatched, load nothing and their place in the tile is 0. The tile of x below has 5 "
        "elements and 11 zeros.");
    const Grid padded{{230, 30}, padded_to(rows, block), padded_to(columns, block), side, side};
    draw_padded(drawing, padded, rows, columns, block);
    drawing.text({padded.area(0, 0, 1, columns).centre().x, 14}, "A, 20 x 5", {.is_bold = true});
    for (int b = 0; b < tiles_of(rows, block); ++b) {
        const Box tile = padded.area(b * block, 0, block, block);
        const int with_element = std::min(block, rows - b * block) * columns;
        drawing.text({tile.x - 12, tile.centre().y}, fmt::format("block {}", b), {.align = Align::end, .is_bold = true});
        drawing.text({tile.right() + 14, tile.centre().y - 9}, fmt::format("{} of {} threads", with_element, block * block),
                     {.align = Align::start, .size = 13});
        drawing.text({tile.right() + 14, tile.centre().y + 9}, "have an element of A", {.align = Align::start, .size = 13});
    }
    span_y(drawing, padded.origin.y, padded.cell(rows - 1, 0).bottom(), padded.origin.x - 90, "20 rows");
    const Grid x{{padded.origin.x, padded.whole().bottom() + 22}, 1, block, side, 16};
    draw_padded(drawing, x, 1, columns, block);
    drawing.text({x.origin.x - 12, x.whole().centre().y}, "tile of x", {.align = Align::end, .is_bold = true});
    drawing.text({x.whole().right() + 14, x.whole().centre().y}, "5 elements, 11 zeros", {.align = Align::start, .size = 13});
    Point place{470, 44};
    legend(drawing, place, element_look, "elements");
    place.y += 24;
    legend(drawing, place, zero_look, "nothing there: 0 in the tile");
    return drawing;
}

}  // namespace lab::report
