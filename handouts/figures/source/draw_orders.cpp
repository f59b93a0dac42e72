// Figures of lab 6: the order of blocks, and the memory partitions that concurrent blocks access.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/report/grid.h"
#include "handouts/figures/source/drawings.h"
#include "handouts/figures/source/transposes.h"

namespace lab::report {
namespace {

constexpr int grid_side = 4;

void draw_numbered_tiles(Drawing& drawing, const Grid& grid, Order order, const std::vector<int>& shaded) {
    for (const int block : shaded) {
        const Tile tile = tile_of(block, grid_side, order);
        drawing.rect(grid.cell(tile.y, tile.x), {.line = Role::first, .width = 0, .fill = Role::first});
    }
    grid.draw(drawing, Role::muted);
    for (int block = 0; block < grid_side * grid_side; ++block) {
        const Tile tile = tile_of(block, grid_side, order);
        label(drawing, grid.cell(tile.y, tile.x), fmt::format("{}", block), {.size = 16});
    }
    for (int at = 0; at < grid_side; ++at) {
        drawing.text({grid.cell(0, at).centre().x, grid.origin.y - 12}, fmt::format("{}", at), {.size = 13, .role = Role::muted});
        drawing.text({grid.origin.x - 12, grid.cell(at, 0).centre().y}, fmt::format("{}", at), {.size = 13, .role = Role::muted});
    }
}

// Lines through the tiles of adjacent blocks, in their order.
void draw_path(Drawing& drawing, const Grid& grid, Order order, int first, int last) {
    for (int block = first; block < last; ++block) {
        const Tile from = tile_of(block, grid_side, order);
        const Tile to = tile_of(block + 1, grid_side, order);
        const Point a = grid.cell(from.y, from.x).centre();
        const Point b = grid.cell(to.y, to.x).centre();
        const bool is_near = std::abs(to.x - from.x) <= 1 && std::abs(to.y - from.y) <= 1;
        if (!is_near) continue;
        constexpr double clear = 0.3;
        drawing.arrow({a.x + clear * (b.x - a.x), a.y + clear * (b.y - a.y)}, {b.x - clear * (b.x - a.x), b.y - clear * (b.y - a.y)},
                      {.line = Role::first, .width = 1.5});
    }
}

}  // namespace

// Block numbers of a 4 x 4 grid.
Drawing draw_block_numbers() {
    Drawing drawing(
        "block_numbers", "Numbers of the blocks of a 4 x 4 grid",
        "A grid of 4 x 4 blocks, numbered along x first: the first row has blocks 0 to 3, the last one 12 to 15. Block (2, 1) has "
        "number 1 times 4 plus 2, which is 6.");
    const Grid grid{{120, 48}, grid_side, grid_side, 46, 38};
    draw_numbered_tiles(drawing, grid, Order::cartesian, {6});
    drawing.text({grid.whole().centre().x, 14}, "blockIdx.x", {.size = 13});
    drawing.text({grid.origin.x - 26, grid.whole().centre().y}, "blockIdx.y", {.align = Align::end, .size = 13});
    const double x = grid.whole().right() + 40;
    drawing.text({x, grid.cell(1, 0).centre().y - 14}, "bid = blockIdx.y · gridDim.x + blockIdx.x", {.align = Align::start});
    drawing.text({x, grid.cell(1, 0).centre().y + 14}, "block (2, 1): 1 · 4 + 2 = 6", {.align = Align::start});
    drawing.arrow({x - 8, grid.cell(1, 0).centre().y + 14}, {grid.cell(1, 2).right() - 4, grid.cell(1, 2).centre().y + 10},
                  {.line = Role::first});
    return drawing;
}

// The tiles that the blocks of a 4 x 4 grid take, in either order.
Drawing draw_diagonal_order() {
    Drawing drawing(
        "diagonal_order", "Tiles of a 4 x 4 grid in cartesian and in diagonal order",
        "Two grids of 4 x 4 tiles, each tile with the number of the block that takes it. In cartesian order blocks 0 to 3 lie in "
        "one row. In diagonal order they lie on the main diagonal, blocks 4 to 7 on the next one, which wraps at the right edge.");
    for (const auto& [order, x, title] :
         {std::tuple{Order::cartesian, 90.0, "cartesian"}, std::tuple{Order::diagonal, 410.0, "diagonal"}}) {
        const Grid grid{{x, 58}, grid_side, grid_side, 50, 42};
        draw_numbered_tiles(drawing, grid, order, {0, 1, 2, 3});
        draw_path(drawing, grid, order, 0, 3);
        drawing.text({x, 14}, title, {.align = Align::start, .is_bold = true});
        drawing.text({grid.whole().right(), 14}, "tile x", {.align = Align::end, .size = 13, .role = Role::muted});
        drawing.text({x - 30, grid.whole().centre().y}, "tile y", {.align = Align::end, .size = 13, .role = Role::muted});
    }
    legend(drawing, {90, 252}, {.line = Role::first, .width = 0, .fill = Role::first}, "blocks 0 to 3, which start one after another");
    return drawing;
}

namespace {

constexpr int shown_tiles = 16;
constexpr int matrix_columns = 2048;
constexpr int blocks_at_a_time = 16;
constexpr double partition_cell = 18;
constexpr double partition_cell_height = 13;

Look partition_look(int partition) {
    constexpr std::array<Role, 4> roles{Role::first, Role::second, Role::third, Role::fourth};
    const Role role = roles[static_cast<std::size_t>(partition) % roles.size()];
    return {.line = role, .width = 0, .fill = role, .hatch = partition < 4 ? Hatch::none : Hatch::rising};
}

// Tiles of a matrix by their partitions, those of the first blocks outlined, with the number of these in each partition below.
void draw_partitions(Drawing& drawing, double x, Order order, bool is_out) {
    const devices::Device& device = devices::device_of("gtx280");
    const Grid grid{{x, 62}, shown_tiles, shown_tiles, partition_cell, partition_cell_height};
    std::vector<std::vector<Box>> of_partition(device.partitions);
    for (int row = 0; row < shown_tiles; ++row) {
        for (int column = 0; column < shown_tiles; ++column)
            of_partition[static_cast<std::size_t>(partition_of(device, {column, row}, matrix_columns))].push_back(grid.cell(row, column));
    }
    for (std::size_t partition = 0; partition < of_partition.size(); ++partition) {
        drawing.rects(of_partition[partition], partition_look(static_cast<int>(partition)));
        const Box first = of_partition[partition].front();
        drawing.text({first.right(), grid.origin.y - 11}, fmt::format("{}", partition), {.size = 12});
    }
    grid.draw(drawing, Role::faint);
    std::vector<int> count(device.partitions);
    for (int block = 0; block < blocks_at_a_time; ++block) {
        Tile tile = tile_of(block, shown_tiles, order);
        if (is_out) std::swap(tile.x, tile.y);
        ++count[static_cast<std::size_t>(partition_of(device, tile, matrix_columns))];
        drawing.rect(grid.cell(tile.y, tile.x), {.width = 2});
    }
    drawing.text({x, 14}, is_out ? "out: tiles that are written" : "in: tiles that are read", {.align = Align::start, .is_bold = true});
    drawing.text({x, 34}, "partition", {.align = Align::start, .size = 12, .role = Role::muted});
    const double base = grid.whole().bottom() + 76;
    for (std::size_t partition = 0; partition < count.size(); ++partition) {
        const double left = x + static_cast<double>(partition) * 2 * partition_cell + 6;
        const double height = 3.5 * count[partition];
        if (count[partition] > 0) drawing.rect({left, base - height, 24, height}, partition_look(static_cast<int>(partition)));
        drawing.text({left + 12, base - height - 9}, fmt::format("{}", count[partition]), {.size = 12});
    }
    drawing.line({x, base}, {grid.whole().right(), base});
    drawing.text({grid.whole().centre().x, base + 14}, "tiles of blocks 0 to 15 in each partition", {.size = 13});
    if (is_out) return;
    drawing.text({x, base + 36}, "GTX 280, 8 partitions; matrices of 2048 columns, their first 16 x 16 tiles of 32 x 32 floats",
                 {.align = Align::start, .size = 12, .role = Role::muted});
}

}  // namespace

Drawing draw_partitions_cartesian() {
    Drawing drawing(
        "partitions_cartesian", "Partitions of a transpose in cartesian order",
        "The first 16 x 16 tiles of matrices of 2048 columns on a GTX 280, shaded by partition: two columns of tiles lie in each of "
        "8 partitions. Blocks 0 to 15 read a row of tiles, two from each partition, and write a column of tiles, all 16 in "
        "partition 0.");
    draw_partitions(drawing, 30, Order::cartesian, false);
    draw_partitions(drawing, 380, Order::cartesian, true);
    return drawing;
}

Drawing draw_partitions_diagonal() {
    Drawing drawing(
        "partitions_diagonal", "Partitions of a transpose in diagonal order",
        "The same tiles as in cartesian order. Blocks 0 to 15 now read and write the tiles on the main diagonal: two in each of the "
        "8 partitions, for reads and for writes.");
    draw_partitions(drawing, 30, Order::diagonal, false);
    draw_partitions(drawing, 380, Order::diagonal, true);
    return drawing;
}

namespace {

constexpr int study_columns = 2048;  // of `in`; `out` has study_rows
constexpr int study_rows = 1024;
constexpr int square_block = 16;
const std::array<Look, 2> half_looks{
    {{.line = Role::first, .width = 0, .fill = Role::first}, {.line = Role::second, .width = 0, .fill = Role::second}}};

// Lanes of both half-warps on the first floats of the rows that they access. A lane (x, y) accesses row y and column x, or the reverse.
void draw_lanes(Drawing& drawing, const Grid& grid, const HalfWarps& access, int row_floats, bool is_down) {
    for (int lane = 0; lane < 2 * square_block; ++lane) {
        const int x = lane % square_block;
        const int y = lane / square_block;
        const Box cell = is_down ? grid.cell(x, y) : grid.cell(y, x);
        drawing.rect(cell, half_looks[static_cast<std::size_t>(y)]);
        label(drawing, cell, fmt::format("{}", lane), {.size = 11});
    }
    grid.draw(drawing, Role::faint);
    const auto row_bytes = static_cast<std::uint64_t>(row_floats) * 4;
    for (const auto& half : access.segments) {
        for (const MemorySegment& segment : half) {
            const int row = static_cast<int>(segment.begin / row_bytes);
            const int column = static_cast<int>(segment.begin % row_bytes / 4);
            drawing.rect(grid.area(row, column, 1, static_cast<int>(segment.bytes / 4)), {.width = 1.5});
        }
    }
}

// Bytes by partition as bars beside their numbers.
void draw_partition_bytes(Drawing& drawing, Point origin, const std::string& title, const std::vector<std::uint64_t>& bytes) {
    drawing.text(origin, title, {.align = Align::start, .size = 13});
    const Grid places{{origin.x, origin.y + 14}, 1, static_cast<int>(bytes.size()), 34, 22};
    for (std::size_t partition = 0; partition < bytes.size(); ++partition) {
        const Box box = places.cell(0, static_cast<int>(partition));
        if (bytes[partition] > 0) drawing.rect(box, {.width = 0, .fill = Role::third});
        label(drawing, box, fmt::format("{}", bytes[partition]), {.size = 13, .is_bold = bytes[partition] > 0});
        drawing.text({box.centre().x, box.bottom() + 11}, fmt::format("{}", partition), {.size = 12, .role = Role::muted});
    }
    places.draw(drawing, Role::muted);
}

}  // namespace

// The first warp of diagonal_col in blocks of 16 x 16: half-warps, segments, partitions.
Drawing draw_half_warps() {
    Drawing drawing(
        "half_warps", "Half-warps, segments and partitions of a warp of diagonal_col in blocks of 16 x 16",
        "The first warp of diagonal_col in blocks of 16 x 16 on a GTX 280, in of 2048 columns and 1024 rows. Load: lanes 0 to 15 read "
        "column 0 of 16 rows of in, 16 segments of 32 bytes; lanes 16 to 31 read column 1, the same 16 segments once more. That makes 32 "
        "sectors, on an H100 16. Store: each half-warp writes 16 adjacent floats of a row of out, one segment of 64 bytes, 4 sectors on "
        "both. All bytes lie in partition 0 of 8, since rows of both matrices begin at multiples of 2048 bytes.");
    const devices::Device& device = devices::device_of("gtx280");
    const HalfWarps load = half_warps_of(device, square_block, study_columns, 1);
    const HalfWarps store = half_warps_of(device, square_block, 1, study_rows);
    const Grid in{{70, 62}, square_block, 8, 24, 16};
    const Grid out{{330, 62}, 2, square_block, 22, 22};
    draw_lanes(drawing, in, load, study_columns, true);
    draw_lanes(drawing, out, store, study_rows, false);
    drawing.text({in.origin.x, 14}, "load from in", {.align = Align::start, .is_bold = true});
    drawing.text({in.origin.x, 38}, "columns 0 to 7 of 2048", {.align = Align::start, .size = 13, .role = Role::muted});
    drawing.text({out.origin.x, 14}, "store to out", {.align = Align::start, .is_bold = true});
    drawing.text({out.origin.x, 38}, "columns 0 to 15 of 1024", {.align = Align::start, .size = 13, .role = Role::muted});
    for (const int row : {0, 15})
        drawing.text({in.origin.x - 8, in.cell(row, 0).centre().y}, fmt::format("row {}", row), {.align = Align::end, .size = 12});
    for (const int row : {0, 1})
        drawing.text({out.origin.x - 8, out.cell(row, 0).centre().y}, fmt::format("row {}", row), {.align = Align::end, .size = 12});
    const double x = out.origin.x;
    const auto say = [&](double y, const char* what, const HalfWarps& access, unsigned on_h100) {
        drawing.text({x, y},
                     fmt::format("{}: {} + {} segments of {} bytes", what, access.segments[0].size(), access.segments[1].size(),
                                 access.segments[0].front().bytes),
                     {.align = Align::start});
        drawing.text({x, y + 20}, fmt::format("{} sectors; on an H100 {}", access.sectors(), on_h100), {.align = Align::start});
    };
    say(132, "load", load, whole_warp_sectors(square_block, study_columns, 1));
    say(178, "store", store, whole_warp_sectors(square_block, 1, study_rows));
    draw_partition_bytes(drawing, {x, 228}, "bytes of the load by partition", load.partition_bytes);
    draw_partition_bytes(drawing, {x, 294}, "bytes of the store by partition", store.partition_bytes);
    Point next = legend(drawing, {70, 378}, half_looks[0], "lanes 0 to 15");
    next = legend(drawing, next, half_looks[1], "lanes 16 to 31");
    legend(drawing, next, {.width = 1.5}, "segment");
    return drawing;
}

}  // namespace lab::report
