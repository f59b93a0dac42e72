// Figures about single requests: sectors of global memory, banks of shared memory.
#include <fmt/format.h>

#include <algorithm>

#include "common/report/grid.h"
#include "handouts/figures/source/draw_request.h"
#include "handouts/figures/source/drawings.h"
#include "handouts/figures/source/requests.h"

namespace lab::report {
namespace {

constexpr double cell = request_lane;

}  // namespace

void draw_request(Drawing& drawing, Point origin, const GlobalRequest& request, double pixels, double shift) {
    const Grid lanes{origin, 1, static_cast<int>(request.addresses.size()), cell, 14};
    const double below = origin.y + 40;
    const auto x_of = [&](std::int64_t byte) { return origin.x + shift + static_cast<double>(byte - request.sectors.front()) * pixels; };
    std::vector<Box> used;
    for (const std::int64_t address : request.addresses) {
        const Box box{x_of(address), below, 4 * pixels, 16};
        if (used.empty() || used.back().x != box.x) used.push_back(box);
    }
    drawing.rects(used, {.line = Role::first, .width = 0, .fill = Role::first, .is_solid = pixels < 1});
    drawing.rects(used, {.line = Role::first, .width = 0, .hatch = Hatch::rising});
    for (std::size_t lane = 0; lane < request.addresses.size(); ++lane) {
        const Box from = lanes.cell(0, static_cast<int>(lane));
        drawing.line({from.centre().x, from.bottom()}, {x_of(request.addresses[lane]) + 2 * pixels, below}, {.line = Role::muted});
    }
    for (const std::int64_t sector : request.sectors) {
        drawing.rect({x_of(sector), below, sector_bytes * pixels, 16}, {.width = 1.5});
    }
    lanes.draw(drawing, Role::muted);
    for (const int lane : {0, 31}) label(drawing, lanes.cell(0, lane), fmt::format("{}", lane), {.size = 11});
}

// Four requests of a warp, and the sectors that each takes.
Drawing draw_sectors_of_a_request() {
    Drawing drawing("sectors_of_a_request", "Sectors that four requests of a warp take",
                    "Four rows of 32 lanes, with the sectors of 32 bytes that they ask for below. Adjacent floats take 4 sectors; the same "
                    "off by one float, 5; a stride of 8 floats, 32, of which an eighth is used; one address for all lanes, 1.");
    constexpr double left = 60;
    constexpr double word_pixels = cell / 4;  // a byte
    constexpr double apart = 94;
    struct Case {
        const char* access;
        std::int64_t first, stride;
        double pixels, shift;
    };
    double y = 14;
    for (const Case& each : {Case{"x[i]", 0, 1, word_pixels, 0}, Case{"x[i + 1]", 1, 1, word_pixels, -cell},
                             Case{"x[8 * i]", 0, 8, cell / sector_bytes, 0}, Case{"x[0]", 0, 0, word_pixels, 11.5 * cell}}) {
        const GlobalRequest request = request_of(each.first, each.stride);
        const std::size_t count = request.sectors.size();
        drawing.text({left, y}, each.access, {.align = Align::start, .is_bold = true});
        drawing.text({left + 32 * cell, y}, fmt::format("{} sector{}, {} bytes moved", count, count == 1 ? "" : "s", count * sector_bytes),
                     {.align = Align::end, .size = 13});
        draw_request(drawing, {left, y + 12}, request, each.pixels, each.shift);
        y += apart;
    }
    drawing.text({left + 33 * cell, 14 + 19}, "lanes 0 to 31", {.align = Align::start, .size = 13, .role = Role::muted});
    drawing.text({left + 33 * cell, 14 + 60}, "sectors", {.align = Align::start, .size = 13, .role = Role::muted});
    const Point end =
        legend(drawing, {left, y}, {.line = Role::first, .fill = Role::first, .hatch = Hatch::rising}, "bytes that the lanes use");
    legend(drawing, end, {.width = 1.5}, "sector of 32 bytes, moved as a whole");
    return drawing;
}

namespace {

void draw_tile(Drawing& drawing, Point origin, const BankTile& tile, int column) {
    constexpr double side = 9;
    const Grid grid{origin, tile.side, tile.side, side, side};
    for (int bank = 0; bank < tile.side; ++bank) {
        std::vector<Box> boxes;
        for (int row = 0; row < tile.side; ++row) {
            for (int c = 0; c < tile.side; ++c) {
                if (tile.bank(row, c) == bank) boxes.push_back(grid.cell(row, c));
            }
        }
        drawing.rects(boxes, {.width = 0, .fill = Role::first, .strength = 0.06 + 0.025 * bank, .is_solid = true});
    }
    drawing.rect(grid.whole());
    if (tile.pitch > tile.side) {
        const Box padding{grid.whole().right(), origin.y, (tile.pitch - tile.side) * side, grid.whole().height};
        drawing.rect(padding, {.line = Role::muted, .hatch = Hatch::rising});
    }
    drawing.rect(grid.area(0, column, tile.side, 1), {.line = Role::second, .width = 2.5});
    drawing.rect(grid.area(column, 0, 1, tile.side), {.line = Role::ink, .width = 2.5});
    for (const int at : {0, 8, 16, 24, 31}) {
        drawing.text({grid.cell(0, at).centre().x, origin.y - 12}, fmt::format("{}", tile.bank(0, at)), {.size = 12});
        drawing.text({origin.x - 6, grid.cell(at, 0).centre().y}, fmt::format("{}", tile.bank(at, column)),
                     {.align = Align::end, .size = 12, .role = Role::second});
    }
    const double below = grid.whole().bottom() + 18;
    const auto passes_of = [](unsigned passes) { return fmt::format("{} pass{}", passes, passes == 1 ? "" : "es"); };
    drawing.text({origin.x, below}, fmt::format("a row: {}", passes_of(tile.row_passes())), {.align = Align::start});
    drawing.text({origin.x + 120, below}, fmt::format("a column: {}", passes_of(tile.column_passes())),
                 {.align = Align::start, .role = Role::second});
}

}  // namespace

// Tiles of 32 x 32 floats with and without padding.
Drawing draw_banks() {
    Drawing drawing(
        "banks", "Banks of a tile of 32 x 32 floats, without padding and with it",
        "Two tiles whose cells are darker for higher banks. In rows of 32 words each column lies in one bank, so a column takes 32 "
        "passes. In rows of 33 words the banks move by one a row, so a column has all 32 banks and takes one pass. A row takes one "
        "pass in both.");
    constexpr int column = 8;
    constexpr double top = 62;
    const BankTile plain{32, 32};
    const BankTile padded{32, 33};
    for (const auto& [tile, x, title] : {std::tuple{plain, 44.0, "tile[32][32]"}, std::tuple{padded, 386.0, "tile[32][33]"}}) {
        drawing.text({x, 14}, title, {.align = Align::start, .is_bold = true});
        drawing.text({x, 34}, "bank of the first row's words", {.align = Align::start, .size = 12, .role = Role::muted});
        draw_tile(drawing, {x, top}, tile, column);
    }
    const double below = top + 32 * 9 + 42;
    Point place = legend(drawing, {44, below}, {.line = Role::second, .width = 2.5}, "column 8, banks at its left");
    place = legend(drawing, place, {.line = Role::ink, .width = 2.5}, "row 8");
    legend(drawing, place, {.line = Role::muted, .hatch = Hatch::rising}, "padding");
    return drawing;
}

}  // namespace lab::report
