// Figures of the primer, section 3: warps, and branches within them.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/report/grid.h"
#include "handouts/figures/source/drawings.h"
#include "handouts/figures/source/indices.h"

namespace lab::report {
namespace {

constexpr double thread_side = 7;

Look warp_look(int warp) {
    constexpr std::array<Role, 2> roles{Role::first, Role::second};
    const Role role = roles[static_cast<std::size_t>(warp) % roles.size()];
    return {.line = role, .width = 0, .fill = role};
}

// The threads of one warp, a box for its threads of each row.
std::vector<Box> runs_of(const Grid& threads, int warp) {
    std::vector<Box> runs;
    for (int y = 0; y < threads.rows; ++y) {
        const int first = std::max(warp * warp_threads - y * threads.columns, 0);
        const int end = std::min((warp + 1) * warp_threads - y * threads.columns, threads.columns);
        if (first < end) runs.push_back(threads.area(y, first, 1, end - first));
    }
    return runs;
}

// Lines where one warp ends and the next begins.
void draw_warp_borders(Drawing& drawing, const Grid& threads) {
    const int count = threads.rows * threads.columns;
    for (int next = warp_threads; next < count; next += warp_threads) {
        const Box cell = threads.cell(next / threads.columns, next % threads.columns);
        std::vector<Point> border{{cell.x, cell.bottom()}, {cell.x, cell.y}, {threads.whole().right(), cell.y}};
        if (cell.x == threads.origin.x) border.erase(border.begin());
        if (cell.x > threads.origin.x) border.insert(border.begin(), {threads.origin.x, cell.bottom()});
        drawing.polyline(border, {.line = Role::ink});
    }
}

void draw_block_of_warps(Drawing& drawing, Point origin, int columns, int rows) {
    const Grid threads{origin, rows, columns, thread_side, thread_side};
    const int warps = warp_of(columns, columns - 1, rows - 1) + 1;
    const bool has_whole_rows = warp_threads % columns == 0;
    for (int warp = 0; warp < warps; ++warp) {
        const std::vector<Box> runs = runs_of(threads, warp);
        Look look = warp_look(warp);
        const bool is_short = (warp + 1) * warp_threads > rows * columns;
        if (is_short) look.hatch = Hatch::rising;
        drawing.rects(runs, look);
        // If a warp is as high as a digit, every other one has its number.
        const bool is_named = has_whole_rows ? runs.size() > 1 || warp % 2 == 0 : warp == 0 || warp == warps - 1;
        if (!is_named) continue;
        const double middle = (runs.front().y + runs.back().bottom()) / 2;
        drawing.text({origin.x - 5, middle}, fmt::format("{}", warp), {.align = Align::end, .size = 12});
    }
    threads.draw(drawing, Role::faint);
    draw_warp_borders(drawing, threads);
    drawing.text({origin.x, origin.y - 16}, fmt::format("{}x{}", columns, rows), {.align = Align::start, .is_bold = true});
    drawing.text({origin.x, threads.whole().bottom() + 14}, fmt::format("{} warps", warps), {.align = Align::start, .size = 13});
}

}  // namespace

// Threads of four blocks by their warps.
Drawing draw_warps_of_blocks() {
    Drawing drawing(
        "warps_of_blocks", "Warps of blocks of 32x8, 16x16, 8x8 and 25x25 threads",
        "Four blocks, a cell for each thread, x to the right and y downwards, shaded by warp. In 32x8 a warp is one row, in 16x16 two "
        "rows, in 8x8 four. In 25x25 warps begin in the middle of rows, and the last one, hatched, has 17 threads.");
    drawing.text({6, 14}, "Number of the warp at the left of its threads", {.align = Align::start, .size = 13, .role = Role::muted});
    constexpr double top = 54;
    draw_block_of_warps(drawing, {26, top}, 32, 8);
    draw_block_of_warps(drawing, {284, top}, 16, 16);
    draw_block_of_warps(drawing, {428, top}, 8, 8);
    draw_block_of_warps(drawing, {516, top}, 25, 25);
    return drawing;
}

namespace {

constexpr double step_height = 17;
constexpr double lane_width = 5.5;

void draw_steps(Drawing& drawing, Point origin, const std::vector<IssuedStep>& steps) {
    double y = origin.y;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const IssuedStep& step = steps[i];
        std::vector<Box> active;
        for (int lane = 0; lane < warp_threads; ++lane) {
            if ((step.lanes >> static_cast<unsigned>(lane) & 1U) != 0)
                active.push_back({origin.x + lane * lane_width, y, lane_width, step_height - 4});
        }
        const Role role = step.side == 'A' ? Role::first : step.side == 'B' ? Role::second : Role::muted;
        const Look look{.line = role, .fill = role, .hatch = step.side == 'B' ? Hatch::rising : Hatch::none};
        drawing.rects(active, look);
        drawing.rect({origin.x, y, warp_threads * lane_width, step_height - 4}, {.line = Role::faint});
        const std::string name = step.side != 0 ? std::string(1, step.side) : i == 0 ? "if" : "after";
        drawing.text({origin.x + warp_threads * lane_width + 5, y + step_height / 2 - 2}, name, {.align = Align::start, .size = 12});
        y += step_height;
    }
}

}  // namespace

// Two branches: one that splits every warp, one that splits none.
Drawing draw_divergence() {
    Drawing drawing(
        "divergence", "Time that a branch takes in a warp that diverges and in warps that don't",
        "Rows are instructions of a warp, time goes downwards, a cell is a lane. Where even lanes take side A and odd lanes side B, "
        "the warp executes three instructions of A with half its lanes, then three of B with the others: 8 rows. Where whole "
        "warps take one side, warp 0 executes A and warp 1 executes B: 5 rows each.");
    constexpr std::uint32_t even = 0x55555555U;
    constexpr std::uint32_t all = 0xffffffffU;
    constexpr int length = 3;
    constexpr double top = 62;
    constexpr double across = warp_threads * lane_width;
    const std::array<double, 3> x{44, 262, 480};
    drawing.text({x[0], 14}, "threadIdx.x % 2 == 0", {.align = Align::start, .is_bold = true});
    drawing.text({x[1], 14}, "threadIdx.x / 32 % 2 == 0", {.align = Align::start, .is_bold = true});
    drawing.text({x[0], 40}, "a warp: both sides", {.align = Align::start, .size = 13});
    drawing.text({x[1], 40}, "warp 0: side A", {.align = Align::start, .size = 13});
    drawing.text({x[2], 40}, "warp 1: side B", {.align = Align::start, .size = 13});
    const std::vector<IssuedStep> split = branch_steps(even, length);
    draw_steps(drawing, {x[0], top}, split);
    draw_steps(drawing, {x[1], top}, branch_steps(all, length));
    draw_steps(drawing, {x[2], top}, branch_steps(0, length));
    const double end = top + static_cast<double>(split.size()) * step_height;
    drawing.arrow({x[0] - 16, top}, {x[0] - 16, end}, {.line = Role::muted});
    drawing.text({6, end + 12}, "time", {.align = Align::start, .size = 13, .role = Role::muted});
    const double joined = end - step_height - 2;
    drawing.line({x[0] - 8, joined}, {x[0] + across + 4, joined}, {.width = 1.5, .is_dashed = true});
    drawing.text({x[1], joined}, "the dashed line: lanes reconverge", {.align = Align::start, .size = 13});
    drawing.text({x[1], end + 12}, "a cell is a lane; empty: inactive", {.align = Align::start, .size = 13, .role = Role::muted});
    return drawing;
}

}  // namespace lab::report
