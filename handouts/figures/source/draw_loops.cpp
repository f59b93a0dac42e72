// Figure of lab 1: cache lines that a loop touches.
#include <fmt/format.h>

#include "common/report/grid.h"
#include "handouts/figures/source/drawings.h"
#include "handouts/figures/source/indices.h"

namespace lab::report {
namespace {

constexpr int walked_rows = 8;
constexpr int walked_columns = 32;
const Look fetched_look{.line = Role::muted, .width = 0, .fill = Role::faint, .hatch = Hatch::rising};

// The matrix with a walk through it: `order` is the loop nest's name.
void draw_walk(Drawing& drawing, double y, const std::string& order, const std::string& loop, const LoopWalk& walk) {
    const Grid matrix{{62, y + 40}, walked_rows, walked_columns, 18, 15};
    const Grid lines{matrix.origin, walked_rows, walked_columns / floats_of_a_cache_line, 18.0 * floats_of_a_cache_line, 15};
    const auto element_of = [&](int element) { return matrix.cell(element / walked_columns, element % walked_columns); };
    for (const int line : walk.cache_lines) drawing.rect(lines.cell(line / lines.columns, line % lines.columns), fetched_look);
    std::vector<Box> touched;
    for (const int element : walk.elements) touched.push_back(element_of(element));
    drawing.rects(touched, {.width = 0, .fill = Role::first, .is_solid = true});
    matrix.draw(drawing, Role::faint);
    lines.draw(drawing, Role::ink);
    const Point from = touched.front().centre();
    const Point to = touched.back().centre();
    const bool is_down = to.y > from.y;
    if (is_down) {
        drawing.arrow({from.x + 18, from.y}, {to.x + 18, to.y + 4}, {.width = 2});
    } else {
        drawing.arrow({from.x, from.y + 16}, {to.x + 4, to.y + 16}, {.width = 2});
    }
    drawing.text({matrix.origin.x, y}, order, {.align = Align::start, .is_bold = true});
    drawing.text({matrix.origin.x + 40, y}, loop, {.align = Align::start});
    drawing.text({matrix.whole().right(), y + 22},
                 fmt::format("{} iterations: {} cache lines", walk.elements.size(), walk.cache_lines.size()),
                 {.align = Align::end, .is_bold = true});
    drawing.text({matrix.origin.x, y + 22}, "N, 8 x 32 floats", {.align = Align::start, .size = 13, .role = Role::muted});
    for (const int row : {0, walked_rows - 1})
        drawing.text({matrix.origin.x - 8, matrix.cell(row, 0).centre().y}, fmt::format("row {}", row), {.align = Align::end, .size = 12});
}

}  // namespace

// Inner loops down a column and along a row of a row-major matrix.
Drawing draw_loop_orders() {
    const LoopWalk down = walk_of(5, walked_columns, walked_rows);
    const LoopWalk along = walk_of(2 * walked_columns, 1, walked_columns);
    Drawing drawing(
        "loop_orders", "Cache lines that the inner loops of ijk and ikj touch in N",
        "A matrix of 8 rows and 32 columns, twice, in cache lines of 16 floats: two a row. The inner loop of ijk goes down column 5: its "
        "8 iterations touch 8 cache lines and use one float of each. The inner loop of ikj goes along row 2: its 32 iterations touch 2 "
        "cache lines and use all floats.");
    draw_walk(drawing, 14, "ijk", "inner loop over k, down column j = 5", down);
    draw_walk(drawing, 214, "ikj", "inner loop over j, along row k = 2", along);
    const Point next = legend(drawing, {62, 402}, {.width = 0, .fill = Role::first, .is_solid = true}, "read by the loop");
    const Point last = legend(drawing, next, fetched_look, "fetched beside it");
    legend(drawing, last, {.width = 1}, "cache line: 16 floats, 64 bytes");
    return drawing;
}

}  // namespace lab::report
