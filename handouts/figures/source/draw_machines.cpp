// Figures of the primer, sections 7, 10 and 11, and of the studies: occupancy, latency, roofline.
#include <fmt/format.h>

#include <array>

#include "common/report/chart.h"
#include "common/report/grid.h"
#include "handouts/figures/source/drawings.h"
#include "handouts/figures/source/machines.h"

namespace lab::report {
namespace {

// The resources of one SM as bars, filled by its blocks. Returns the y below them.
double draw_sm(Drawing& drawing, double y, const std::string& title, const SmUse& use) {
    constexpr double left = 130;
    constexpr double full = 400;
    constexpr double height = 26;
    drawing.text({14, y}, title, {.align = Align::start, .is_bold = true});
    y += 20;
    for (const ResourceUse& resource : use.resources) {
        const double block = full * resource.a_block / resource.available;
        for (std::uint32_t i = 0; i < use.occupancy.blocks; ++i) {
            const Box box{left + i * block, y, block, height};
            drawing.rect(box, {.line = Role::muted, .fill = i % 2 == 0 ? Role::first : Role::third});
            label(drawing, box, fmt::format("{}", i), {.size = 13});
        }
        drawing.rect({left, y, full, height}, {.width = 1.5});
        drawing.text({left - 8, y + height / 2}, resource.name, {.align = Align::end, .size = 13, .is_bold = resource.is_limit});
        drawing.text({left + full + 8, y + height / 2},
                     fmt::format("{} of {}", use.occupancy.blocks * resource.a_block, resource.available),
                     {.align = Align::start, .size = 12, .is_bold = resource.is_limit});
        y += height + 8;
    }
    return y;
}

}  // namespace

// Share of an SM's threads, registers and shared memory that its resident blocks take.
Drawing draw_blocks_on_an_sm() {
    Drawing drawing(
        "blocks_on_an_sm", "Blocks that an SM holds, and what they take of it",
        "Bars for threads, registers and shared memory of an SM, filled block by block. Compute capability 1.3 holds 4 blocks of 256 "
        "threads with 10 registers and 2092 bytes: the threads are used up. Compute capability 9.0 holds 6 blocks of 256 threads with "
        "40 registers and 16 KiB: the registers don't suffice for a seventh.");
    double y = draw_sm(drawing, 14, "compute capability 1.3: 256 threads, 10 registers, 2092 bytes", sm_use("1.3", {256, 10, 2092}));
    y = draw_sm(drawing, y + 18, "compute capability 9.0: 256 threads, 40 registers, 16 KiB", sm_use("9.0", {256, 40, 16384}));
    drawing.text({14, y + 6},
                 "Bold: the resource that admits no further block. Each block's share is rounded up to the units of allocation.",
                 {.align = Align::start, .size = 12, .role = Role::muted});
    return drawing;
}

// Issue slots of an SM of a C1060 with one warp, two and six.
Drawing draw_latency_hiding() {
    constexpr int latency = 24;
    constexpr int clocks = 4;
    constexpr std::size_t slots = 18;
    Drawing drawing(
        "latency_hiding", "Issue slots of an SM with one, two and six warps",
        "Three strips of 18 issue slots of 4 clocks. Each instruction of a warp waits 24 clocks for the one before. One warp fills a "
        "slot in six, two warps two in six, six warps all.");
    constexpr std::array<Role, 3> roles{Role::first, Role::second, Role::third};
    double y = 18;
    const auto cells = static_cast<int>(slots);
    for (const int warps : {1, 2, 6}) {
        const Grid strip{{96, y}, 1, cells, 32, 28};
        const std::vector<int> issued = issue_slots(warps, latency, clocks, slots);
        int busy = 0;
        for (int slot = 0; slot < cells; ++slot) {
            const int warp = issued[static_cast<std::size_t>(slot)];
            if (warp < 0) continue;
            ++busy;
            const Role role = roles[static_cast<std::size_t>(warp) % roles.size()];
            drawing.rect(strip.cell(0, slot), {.line = role, .width = 0, .fill = role, .hatch = warp < 3 ? Hatch::none : Hatch::rising});
        }
        strip.draw(drawing, Role::faint);
        for (int slot = 0; slot < cells; ++slot) {
            const int warp = issued[static_cast<std::size_t>(slot)];
            if (warp >= 0) label(drawing, strip.cell(0, slot), fmt::format("{}", warp), {.is_bold = warp >= 3});
        }
        drawing.text({88, y + 8}, fmt::format("{} warp{}", warps, warps == 1 ? "" : "s"),
                     {.align = Align::end, .size = 13, .is_bold = true});
        drawing.text({88, y + 25}, fmt::format("{} of {} slots", busy, slots), {.align = Align::end, .size = 11, .role = Role::muted});
        if (warps == 1) span_x(drawing, strip.cell(0, 0).x, strip.cell(0, 6).x, strip.whole().bottom() + 9, "latency, 24 clocks");
        y += warps == 1 ? 66 : 44;
    }
    for (const int at : {0, 24, 48, 72}) drawing.text({96 + 8.0 * at, y + 2}, fmt::format("{}", at), {.size = 12});
    drawing.text({384, y + 20}, "clocks of a C1060 (compute capability 1.3); a number is the warp that issues in this slot", {.size = 13});
    return drawing;
}

// Rooflines of a C2075 and an H100 with the product in tiles.
Drawing draw_roofline() {
    Drawing drawing(
        "roofline", "Rooflines of a Tesla C2075 and an H100, with the product in tiles",
        "FLOP a byte to the right, GFLOP/s upwards, both logarithmic. Each roof rises with the bandwidth and ends flat at the "
        "arithmetic peak. The product without tiles and in tiles of 16 lies on the slope of both; in tiles of 32 it reaches the flat "
        "part on the C2075 only.");
    const Chart chart{{90, 34, 440, 250},
                      {"FLOP a byte of global memory",
                       0.125,
                       64,
                       true,
                       {{0.125, "1/8"}, {0.25, "1/4"}, {1, "1"}, {4, "4"}, {8, "8"}, {16, "16"}, {64, "64"}}},
                      {"GFLOP/s", 10, 100000, true, {{10, "10"}, {100, "100"}, {1000, "1000"}, {10000, "10 000"}, {100000, "100 000"}}}};
    chart.draw_axes(drawing);
    struct Roof {
        const char* device;
        Role role;
        double gb_per_s;  // 0: from the device's file
        bool is_dashed;
    };
    constexpr double of_the_text = 144;  // GB/s of a C2075, CUDA in Two-dimension
    for (const Roof& roof : {Roof{"h100", Role::first, 0, false}, Roof{"c2075", Role::second, of_the_text, true}}) {
        Roofline line = roofline_of(devices::device_of(roof.device));
        if (roof.gb_per_s > 0) line.gb_per_s = roof.gb_per_s;
        const double ridge = line.gflop_per_s / line.gb_per_s;
        chart.draw_curve(drawing, {{0.125, line.at(0.125)}, {ridge, line.at(ridge)}, {64, line.at(64)}},
                         {.line = roof.role, .width = 2, .is_dashed = roof.is_dashed});
        for (const int tile : {1, 16, 32}) {
            const double intensity = intensity_of_product(tile);
            const Point place = chart.at(intensity, line.at(intensity));
            drawing.circle(place, 4.5, {.line = roof.role, .fill = roof.role, .is_solid = true});
            drawing.text({place.x + (tile == 16 ? -10 : 10), place.y + (tile == 16 ? -10 : 14)}, fmt::format("T = {}", tile),
                         {.align = tile == 16 ? Align::end : Align::start, .size = 12});
        }
        const double end = chart.at(64, line.at(64)).y;
        drawing.text({chart.area.right() + 8, end - 8}, roof.device == std::string("h100") ? "H100" : "Tesla C2075",
                     {.align = Align::start, .size = 13, .role = roof.role, .is_bold = true});
        drawing.text({chart.area.right() + 8, end + 8}, fmt::format("{:.0f} GFLOP/s", line.gflop_per_s),
                     {.align = Align::start, .size = 12});
        drawing.text({chart.area.right() + 8, end + 23}, fmt::format("{:.0f} GB/s", line.gb_per_s), {.align = Align::start, .size = 12});
    }
    return drawing;
}

namespace {

// One occupancy curve, the case marked.
void draw_occupancy_curve(Drawing& drawing, double x, const devices::KernelNeeds& needs, Need changed, const std::string& title,
                          const std::vector<Tick>& ticks) {
    const std::vector<OccupancyPoint> curve = occupancy_curve("1.3", needs, changed);
    const double most = curve.back().value;
    const Chart chart{{x, 40, 158, 130},
                      {title, 0, most, false, ticks},
                      {x < 100 ? "occupancy" : "", 0, 1, false, {{0, "0 %"}, {0.25, "25 %"}, {0.5, "50 %"}, {0.75, "75 %"}, {1, "100 %"}}}};
    chart.draw_axes(drawing);
    std::vector<Point> points;
    for (const OccupancyPoint& point : curve) {
        if (!points.empty()) points.push_back({static_cast<double>(point.value), points.back().y});
        points.push_back({static_cast<double>(point.value), point.occupancy});
    }
    chart.draw_curve(drawing, points, {.line = Role::first, .width = 2});
    const double value = changed == Need::threads ? needs.threads : changed == Need::registers ? needs.registers : needs.shared_bytes;
    const Point mark = chart.at(value, sm_use("1.3", needs).occupancy.fraction());
    drawing.line({mark.x, mark.y}, {mark.x, chart.area.bottom()}, {.line = Role::second, .is_dashed = true});
    drawing.circle(mark, 5, {.line = Role::second, .fill = Role::second, .is_solid = true});
}

void draw_occupancy_curves(Drawing& drawing, const devices::KernelNeeds& needs) {
    draw_occupancy_curve(drawing, 56, needs, Need::threads, "threads a block", {{0, "0"}, {256, "256"}, {512, "512"}});
    draw_occupancy_curve(drawing, 286, needs, Need::registers, "registers a thread", {{0, "0"}, {64, "64"}, {124, "124"}});
    draw_occupancy_curve(drawing, 516, needs, Need::shared_bytes, "bytes of shared memory", {{0, "0"}, {8192, "8192"}, {16384, "16384"}});
    const devices::Occupancy occupancy = sm_use("1.3", needs).occupancy;
    drawing.text({56, 226},
                 fmt::format("Dot: {} threads, {} registers, {} bytes: {} blocks, {} of {} warps", needs.threads, needs.registers,
                             needs.shared_bytes, occupancy.blocks, occupancy.warps, occupancy.max_warps),
                 {.align = Align::start, .size = 13});
}

}  // namespace

Drawing draw_occupancy_256() {
    Drawing drawing(
        "occupancy_256", "Occupancy around 256 threads, 10 registers and 2092 bytes, compute capability 1.3",
        "Three step curves: occupancy over threads a block, registers a thread and bytes of shared memory a block, the other two "
        "kept. The case is marked at 100 % in each; more than 16 registers or 4096 bytes lower it.");
    draw_occupancy_curves(drawing, {256, 10, 2092});
    return drawing;
}

Drawing draw_occupancy_64() {
    Drawing drawing(
        "occupancy_64", "Occupancy around 64 threads, 10 registers and 2092 bytes, compute capability 1.3",
        "The same three curves for blocks of 64 threads. The case is marked at 37.5 %: shared memory allows 6 blocks. Fewer bytes "
        "raise it to 50 %, where the 8 block slots are used up; fewer registers change nothing.");
    draw_occupancy_curves(drawing, {64, 10, 2092});
    return drawing;
}

}  // namespace lab::report
