// Figures of the primer, sections 2 and 3.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/report/grid.h"
#include "handouts/figures/source/drawings.h"
#include "handouts/figures/source/indices.h"

namespace lab::report {

// 1000 elements in 4 blocks of 256 threads.
Drawing draw_one_dimension() {
    constexpr int n = 1000;
    constexpr int block = 256;
    const std::vector<StripWarp> warps = strip_of(n, block);
    Drawing drawing("one_dimension", "1000 elements in 4 blocks of 256 threads",
                    "A strip of 1024 threads, cut into 4 blocks and 32 warps. The last 24 threads of block 3 lie past element 999 and are "
                    "hatched. Below, the last warp enlarged: lanes 0 to 7 have elements 992 to 999, lanes 8 to 31 have none.");
    constexpr double left = 30;
    constexpr double a_thread = 0.625;
    constexpr double top = 40;
    constexpr double height = 36;
    const auto x_of = [&](int thread) { return left + thread * a_thread; };
    const Look past{.line = Role::second, .width = 0, .fill = Role::second, .hatch = Hatch::rising};
    for (const StripWarp& warp : warps) {
        const double begin = x_of(warp.first);
        const Role tint = warp.block % 2 == 0 ? Role::first : Role::muted;
        drawing.rect({begin, top, warp.threads * a_thread, height}, {.line = Role::muted, .fill = tint});
        if (warp.in_bounds < warp.threads) {
            const double from = x_of(warp.first + warp.in_bounds);
            drawing.rect({from, top, x_of(warp.first + warp.threads) - from, height}, past);
        }
    }
    for (const StripWarp& warp : warps) {
        if (warp.warp != 0) continue;
        const Box whole{x_of(warp.first), top, block * a_thread, height};
        drawing.rect(whole, {.width = 2});
        drawing.text({whole.centre().x, top - 16}, fmt::format("block {}", warp.block), {.is_bold = true});
        drawing.text({whole.x, whole.bottom() + 14}, fmt::format("{}", warp.first), {.size = 13});
    }
    const StripWarp& last = warps.back();
    drawing.text({x_of(last.first) - 4, top + height + 14}, fmt::format("{}", last.first), {.size = 13});
    const Grid lanes{{left + 32, top + 106}, 1, warp_threads, 19, 26};
    const Box warp = lanes.whole();
    drawing.line({x_of(last.first), top + height + 22}, {warp.x, warp.y}, {.line = Role::muted, .is_dashed = true});
    drawing.line({x_of(last.first + last.threads), top + height + 2}, {warp.right(), warp.y}, {.line = Role::muted, .is_dashed = true});
    drawing.rect(lanes.area(0, 0, 1, last.in_bounds), {.width = 0, .fill = Role::muted});
    drawing.rect(lanes.area(0, last.in_bounds, 1, last.threads - last.in_bounds), past);
    lanes.draw(drawing, Role::muted);
    drawing.text({warp.right() - 12, warp.y - 16}, "warp 7 of block 3, enlarged", {.align = Align::end, .is_bold = true});
    const double below = warp.bottom() + 18;
    drawing.text({lanes.area(0, 0, 1, last.in_bounds).centre().x, below}, "8 lanes: i = 992 to 999", {.size = 13});
    drawing.text({lanes.area(0, last.in_bounds, 1, last.threads - last.in_bounds).centre().x, below},
                 "24 lanes past the end: the guard keeps them from memory", {.size = 13});
    return drawing;
}

// 5 x 7 elements in 2x3 blocks of 4x2 threads.
Drawing draw_two_dimensions() {
    constexpr int rows = 5;
    constexpr int columns = 7;
    constexpr int block_x = 4;
    constexpr int block_y = 2;
    constexpr int grid_x = 2;
    constexpr int grid_y = 3;
    Drawing drawing(
        "two_dimensions", "5 rows and 7 columns in 2x3 blocks of 4x2 threads",
        "A cell for each of 48 threads with its flat index, row times 7 plus column; thick lines around blocks. The 13 threads outside "
        "the matrix are hatched. Three threads are marked: (1, 0) of block (1, 2) has index 33, an element; (0, 1) of block (0, 2) has "
        "35, past the end; (3, 0) of block (1, 0) has 7, which is the element at row 1, column 0.");
    const Grid threads{{150, 36}, grid_y * block_y, grid_x * block_x, 40, 30};
    const Look outside{.line = Role::second, .width = 0, .fill = Role::second, .hatch = Hatch::rising};
    drawing.rect(threads.area(0, 0, rows, columns), {.width = 0, .fill = Role::first});
    drawing.rect(threads.area(0, columns, threads.rows, threads.columns - columns), outside);
    drawing.rect(threads.area(rows, 0, threads.rows - rows, columns), outside);
    threads.draw(drawing, Role::muted);
    threads.draw(drawing, Role::ink, block_y, block_x);
    for (int x = 0; x < grid_x; ++x) {
        for (int y = 0; y < grid_y; ++y) drawing.rect(threads.area(y * block_y, x * block_x, block_y, block_x), {.width = 2});
    }
    struct Marked {
        int row, column;
        const char* text;
    };
    const std::array<Marked, 3> marked{{{0, 7, "7: no column 7; index of (1, 0)"}, {4, 5, "33: an element"}, {5, 0, "35: no row 5"}}};
    for (const Marked& thread : marked) {
        const Box cell = threads.cell(thread.row, thread.column);
        const Box inner{cell.x + 3, cell.y + 3, cell.width - 6, cell.height - 6};
        drawing.rect(inner, {.line = Role::ink, .width = 2, .fill = Role::ink});
    }
    for (int row = 0; row < threads.rows; ++row) {
        for (int column = 0; column < threads.columns; ++column) {
            const bool is_marked =
                std::any_of(marked.begin(), marked.end(), [&](const Marked& m) { return m.row == row && m.column == column; });
            const bool is_inside = row < rows && column < columns;
            if (is_inside || is_marked)
                label(drawing, threads.cell(row, column), fmt::format("{}", row * columns + column), {.size = 13, .is_bold = is_marked});
        }
    }
    const Box all = threads.whole();
    for (int x = 0; x < grid_x; ++x)
        drawing.text({threads.area(0, x * block_x, 1, block_x).centre().x, all.y - 16}, fmt::format("blockIdx.x = {}", x), {.size = 13});
    for (int y = 0; y < grid_y; ++y)
        drawing.text({all.x - 10, threads.area(y * block_y, 0, block_y, 1).centre().y}, fmt::format("blockIdx.y = {}", y),
                     {.align = Align::end, .size = 13});
    for (const Marked& thread : marked)
        drawing.text({all.right() + 12, threads.cell(thread.row, 0).centre().y}, thread.text, {.align = Align::start, .size = 12});
    return drawing;
}

}  // namespace lab::report
