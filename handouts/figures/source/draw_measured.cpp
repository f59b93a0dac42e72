// Figures of published and measured times: cost of copies, bounds of a transpose, thread geometry, a Tegra X1.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "common/report/chart.h"
#include "common/report/grid.h"
#include "handouts/figures/source/drawings.h"
#include "handouts/figures/source/measured.h"

namespace lab::report {

// Rates of copies over their size, by the fit.
Drawing draw_copy_bandwidth() {
    Drawing drawing(
        "copy_bandwidth", "Bandwidth of copies over their size, H200",
        "Bytes to the right, GB/s upwards, both logarithmic. Three curves rise in proportion to the size and level off at their rate "
        "beta. A dot on each marks the half-power point, where a copy gets half of beta: 133 KB and 456 KB for the bus, 12 MB within "
        "the device.");
    constexpr double least = 1024;
    constexpr double most = 1024.0 * 1024 * 1024;
    const Chart chart{{70, 34, 440, 250},
                      {"bytes of a copy",
                       least,
                       most,
                       true,
                       {{1024, "1 KiB"}, {32768, "32 KiB"}, {1048576, "1 MiB"}, {33554432, "32 MiB"}, {most, "1 GiB"}}},
                      {"GB/s", 0.1, 10000, true, {{0.1, "0.1"}, {1, "1"}, {10, "10"}, {100, "100"}, {1000, "1000"}, {10000, "10 000"}}}};
    chart.draw_axes(drawing);
    constexpr std::array<Role, 3> roles{Role::first, Role::third, Role::second};
    std::size_t at = 0;
    for (const CopyFit& copy : copies_of_h200()) {
        const Role role = roles[at++];
        std::vector<Point> points;
        for (double bytes = least; bytes <= most; bytes *= std::sqrt(2.0)) points.push_back({bytes, copy.rate(bytes)});
        chart.draw_curve(drawing, points, {.line = role, .width = 2, .is_dashed = role == Role::second});
        const Point half = chart.at(copy.half_bytes(), copy.gb_per_s / 2);
        drawing.line(half, {half.x, chart.area.bottom()}, {.line = role, .is_dashed = true});
        drawing.circle(half, 4.5, {.line = role, .fill = role, .is_solid = true});
        const double end = chart.at(most, copy.rate(most)).y + (role == Role::second ? 12 : 0);
        drawing.text({chart.area.right() + 8, end - 8}, copy.name, {.align = Align::start, .size = 12, .role = role, .is_bold = true});
        drawing.text({chart.area.right() + 8, end + 7}, fmt::format("α {:.1f} µs, β {:g} GB/s", copy.alpha_us, copy.gb_per_s),
                     {.align = Align::start, .size = 12});
    }
    drawing.text({70, 334}, "Dots: half-power points n½ = α β, where a copy gets ½ β. Curves: n / (α + n / β) with α and β",
                 {.align = Align::start, .size = 12, .role = Role::muted});
    drawing.text({70, 350}, "as fitted to what was measured on an NVIDIA H200, driver 580.159.04, 2026-11-21.",
                 {.align = Align::start, .size = 12, .role = Role::muted});
    return drawing;
}

// Copies and transposes as shares of their GPU's peak.
Drawing draw_transpose_bounds() {
    Drawing drawing(
        "transpose_bounds", "Copies and transposes of 2048 x 2048 floats as shares of the peak bandwidth",
        "Bars of effective bandwidth as a share of the peak. Tesla M2090: copy_row 71 %, copy_col 33 %. NVIDIA H200: copy_row 51 %, "
        "copy_col 32 %, naive_row 22 %, naive_col 45 %, smem 30 %, smem_pad 87 %.");
    std::vector<BarRow> old_rows;
    std::vector<BarRow> new_rows;
    for (const BoundRow& row : transpose_bounds()) {
        const bool is_old = row.gpu == "Tesla M2090";
        const bool is_bound = row.kernel.starts_with("copy");
        (is_old ? old_rows : new_rows)
            .push_back({row.kernel,
                        row.share(),
                        fmt::format("{:g} GB/s, {:.0f} %", row.gb_per_s, 100 * row.share()),
                        {.line = is_bound ? Role::first : Role::third,
                         .fill = is_bound ? Role::first : Role::third,
                         .hatch = is_bound ? Hatch::rising : Hatch::none}});
    }
    constexpr double names = 120;
    constexpr double full = 440;
    drawing.text({14, 14}, "Tesla M2090, blocks of 16 x 16, peak 177.6 GB/s (Cheng, Grossman, McKercher)",
                 {.align = Align::start, .size = 13, .is_bold = true});
    double y = draw_bars(drawing, {14, 28}, old_rows, names, full, 1, 24);
    drawing.text({14, y + 24}, "NVIDIA H200, peak 4814 GB/s (ours, measured 2026-11-23)",
                 {.align = Align::start, .size = 13, .is_bold = true});
    y = draw_bars(drawing, {14, y + 38}, new_rows, names, full, 1, 24);
    legend(drawing, {14 + names, y + 14}, {.line = Role::first, .fill = Role::first, .hatch = Hatch::rising}, "bounds: copies");
    legend(drawing, {14 + names + 150, y + 14}, {.line = Role::third, .fill = Role::third}, "transposes");
    return drawing;
}

// The product of 512 x 512 matrices by block shape on three GPUs.
Drawing draw_thread_geometry() {
    Drawing drawing(
        "thread_geometry", "GFLOP/s of the product by block shape, N = 512",
        "Four lists of bars, best shape first. C1060 in double from 9.8 (2x256) to 2.7 (8x32), in float from 8.6 to 1.8; M2070 in float "
        "from 65 (2x128) to 6.2 (32x4); H100 in float from 5430 (256x2) to 916 (2x128): the order is nearly reversed.");
    double x = 4;
    for (const GeometryTable& table : thread_geometries()) {
        const bool is_ours = table.gpu.starts_with("H100");
        std::vector<BarRow> rows;
        for (const NamedValue& row : table.rows)
            rows.push_back({row.name,
                            row.value,
                            fmt::format("{:g}", row.value),
                            {.line = is_ours ? Role::third : Role::first,
                             .fill = is_ours ? Role::third : Role::first,
                             .hatch = is_ours ? Hatch::rising : Hatch::none}});
        drawing.text({x + 8, 14}, table.gpu, {.align = Align::start, .size = 13, .is_bold = true});
        draw_bars(drawing, {x, 30}, rows, 56, 78, table.rows.front().value, 22);
        x += 174;
    }
    drawing.text({12, 268}, "C1060 and M2070: CSE 260, Lecture 8, shapes as printed there. H100: ours, measured 2026-11-21, x first.",
                 {.align = Align::start, .size = 12, .role = Role::muted});
    return drawing;
}

namespace {

// Times relative to the first kernel's or the best shape's: published above, modelled below.
double draw_pairs(Drawing& drawing, Point origin, const std::vector<TegraRow>& rows, const TegraRow& unit, double names, double full) {
    double most = 0;
    for (const TegraRow& row : rows) most = std::max({most, row.published / unit.published, row.modelled / unit.modelled});
    double y = origin.y;
    for (const TegraRow& row : rows) {
        const double published = row.published / unit.published;
        const double modelled = row.modelled / unit.modelled;
        drawing.text({origin.x + names - 6, y + 11}, row.name, {.align = Align::end, .size = 12});
        drawing.rect({origin.x + names, y + 1, published / most * full, 9}, {.line = Role::first, .fill = Role::first});
        drawing.rect({origin.x + names, y + 12, modelled / most * full, 9},
                     {.line = Role::second, .fill = Role::second, .hatch = Hatch::rising});
        drawing.text({origin.x + names + published / most * full + 4, y + 5.5}, fmt::format("{:.2f}", published),
                     {.align = Align::start, .size = 11});
        drawing.text({origin.x + names + modelled / most * full + 4, y + 16.5}, fmt::format("{:.2f}", modelled),
                     {.align = Align::start, .size = 11});
        y += 26;
    }
    drawing.line({origin.x + names, origin.y}, {origin.x + names, y}, {.line = Role::ink});
    return y;
}

void draw_pair_legend(Drawing& drawing, Point place) {
    place = legend(drawing, place, {.line = Role::first, .fill = Role::first}, "published (Dalmasso, Tegra X1)");
    legend(drawing, place, {.line = Role::second, .fill = Role::second, .hatch = Hatch::rising}, "modelled for tegra-x1");
}

// The row with the least published time.
const TegraRow& best_of(const std::vector<TegraRow>& rows) {
    return *std::min_element(rows.begin(), rows.end(), [](const TegraRow& a, const TegraRow& b) { return a.published < b.published; });
}

}  // namespace

Drawing draw_tegra_kernels() {
    const std::vector<TegraRow>& rows = tegra_kernels();
    Drawing drawing(
        "tegra_kernels", "Times of ten kernels on a Tegra X1 over that of copy_row, published and modelled",
        "Pairs of bars. Published: copy_col, naive_row, unroll4_row and diagonal_row take about four times as long as copy_row, the "
        "others 1 to 1.6 times. Modelled beside each.");
    draw_pair_legend(drawing, {110, 14});
    const double y = draw_pairs(drawing, {10, 32}, rows, rows.front(), 100, 480);
    drawing.text({10, y + 12},
                 fmt::format("Time over that of copy_row: {:g} ms published, {:.2f} ms modelled for 2048 x 2048.", rows.front().published,
                             rows.front().modelled),
                 {.align = Align::start, .size = 12, .role = Role::muted});
    return drawing;
}

Drawing draw_tegra_shapes() {
    Drawing drawing(
        "tegra_shapes", "Times over 16 block shapes on a Tegra X1, published and modelled",
        "Two columns of pairs of bars, a pair for each block shape from 8x1 to 256x2, as multiples of the time of the shape that was "
        "best when published: 32x8 for unroll4_col, 8x32 for diagonal_col.");
    draw_pair_legend(drawing, {60, 14});
    struct Column {
        const char* name;
        double x;
        const std::vector<TegraRow>& rows;
    };
    for (const Column& column :
         {Column{"unroll4_col", 10, tegra_shapes_unroll4_col()}, Column{"diagonal_col", 356, tegra_shapes_diagonal_col()}}) {
        const TegraRow& best = best_of(column.rows);
        drawing.text({column.x + 50, 40}, fmt::format("{}, over the time of {}", column.name, best.name),
                     {.align = Align::start, .size = 13, .is_bold = true});
        draw_pairs(drawing, {column.x, 56}, column.rows, best, 50, 236);
    }
    return drawing;
}

}  // namespace lab::report
