// Kernels on the roofline of their device, and the steps of the demonstration.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/report/chart.h"
#include "common/report/plots/plots.h"

namespace lab::report {
namespace {

bool calculates(const Figures& kernel) { return kernel.contains("gflop_per_s") && kernel.contains("gb_per_s"); }

// Useful operations a useful byte.
double intensity(const Figures& kernel) { return kernel.at("gflop_per_s").get<double>() / kernel.at("gb_per_s").get<double>(); }

std::string name_of_kernel(const Figures& kernel) {
    const std::string name = kernel.value("kernel", "");
    return kernel.contains("lab") ? kernel.at("lab").get<std::string>() + "/" + name : name.substr(0, name.find('('));
}

Drawing bars_of_bandwidth(const Figures& figures) {
    Drawing drawing("profile", "Effective bandwidth of kernels",
                    "A bar a kernel: useful bytes by its time, with the memory's peak as the last bar.");
    std::vector<BarRow> rows;
    double most = figures.at("peaks").at("gb_per_s");
    for (const Figures& kernel : figures.at("kernels")) {
        if (!kernel.contains("gb_per_s")) continue;
        const double rate = kernel.at("gb_per_s");
        most = std::max(most, rate);
        rows.push_back({name_of_kernel(kernel), rate, fmt::format("{:.1f} GB/s", rate), {.line = Role::first, .fill = Role::first}});
    }
    const double peak = figures.at("peaks").at("gb_per_s");
    if (peak > 0)
        rows.push_back({"peak of the memory",
                        peak,
                        fmt::format("{:.1f} GB/s", peak),
                        {.line = Role::second, .fill = Role::second, .hatch = Hatch::rising}});
    const double y = draw_bars(drawing, {14, 20}, rows, 250, 330, most, 26);
    draw_notes(drawing, y + 16, fmt::format("Times are {}.", figures.at("times").get<std::string>()));
    return drawing;
}

}  // namespace

Drawing plot_profile(const Figures& figures) {
    std::vector<const Figures*> shown;
    for (const Figures& kernel : figures.at("kernels")) {
        if (calculates(kernel)) shown.push_back(&kernel);
    }
    const double gb_per_s = figures.at("peaks").at("gb_per_s");
    double peak = 0;
    for (const Figures* const kernel : shown) peak = std::max(peak, kernel->value("peak_gflop_per_s", 0.0));
    if (shown.empty() || gb_per_s <= 0 || peak <= 0) return bars_of_bandwidth(figures);
    double left_x = peak / gb_per_s / 4;
    double right_x = peak / gb_per_s * 4;
    double lowest_y = peak / 10;
    for (const Figures* const kernel : shown) {
        left_x = std::min(left_x, intensity(*kernel) / 2);
        right_x = std::max(right_x, intensity(*kernel) * 2);
        lowest_y = std::min(lowest_y, kernel->at("gflop_per_s").get<double>() / 2);
    }
    Drawing drawing(
        "profile", "Kernels on the roofline",
        "FLOP a byte to the right, GFLOP/s upwards, both logarithmic. The roof rises with the memory's bandwidth and ends flat at the "
        "arithmetic peak; a dot a kernel.");
    const Chart chart{
        {84, 34, 580, 300}, decade_axis("useful FLOP a useful byte", left_x, right_x), decade_axis("GFLOP/s", lowest_y, peak)};
    chart.draw_axes(drawing);
    const auto roof = [&](double at) { return std::max(chart.y.least, std::min(peak, gb_per_s * at)); };
    const double start = std::max(chart.x.least, chart.y.least / gb_per_s);
    chart.draw_curve(drawing, {{start, roof(start)}, {peak / gb_per_s, peak}, {chart.x.most, peak}}, {.line = Role::ink, .width = 2});
    double y = 386;
    std::size_t at = 0;
    for (const Figures* const kernel : shown) {
        const Look look = look_of_series(at++);
        const double rate = kernel->at("gflop_per_s");
        const Point place = chart.at(intensity(*kernel), rate);
        drawing.line(place, chart.at(intensity(*kernel), roof(intensity(*kernel))), {.line = look.line, .is_dashed = true});
        draw_point(drawing, place, look, 5);
        y = draw_key(drawing, {20, y}, look, name_of_kernel(*kernel),
                     fmt::format("{:.1f} GFLOP/s, {:.1f} % of the roof ({})", rate, 100 * kernel->at("share_of_roofline").get<double>(),
                                 kernel->value("roofline_side", "")));
    }
    draw_notes(drawing, y + 4,
               fmt::format("Roof: {:.1f} GB/s and {:.0f} GFLOP/s. Times are {}.", gb_per_s, peak, figures.at("times").get<std::string>()));
    return drawing;
}

Drawing plot_demo(const Figures& figures) {
    Drawing drawing("demo", "Gain of each step over one thread of the CPU",
                    "Two groups of bars on a logarithmic scale: the product on the CPU, from global memory and in tiles; the transposes.");
    double most = 10;
    double cpu_ms = 0;
    const auto is_cpu = [](const Figures& row) { return row.at("step") == "CPU, one thread"; };
    for (const Figures& row : figures.at("rows")) {
        if (is_cpu(row)) cpu_ms = row.at("mean_ms");
        most = std::max(most, cpu_ms / row.at("mean_ms").get<double>());
    }
    double y = 14;
    std::vector<BarRow> bars;
    std::string title;
    const auto put = [&] {
        if (bars.empty()) return;
        drawing.text({14, y}, title, {.align = Align::start, .size = 14, .is_bold = true});
        y = draw_bars(drawing, {14, y + 14}, bars, 190, 200, std::log10(most), 26) + 26;
        bars.clear();
    };
    for (const Figures& row : figures.at("rows")) {
        const double ms = row.at("mean_ms");
        if (is_cpu(row)) {
            put();
            cpu_ms = ms;
            const int side = figures.at("size");
            title =
                row.at("flops").get<double>() > 0 ? fmt::format("product {0} x {0}", side) : fmt::format("transpose {0} x {0}", 2 * side);
        }
        const double gain = cpu_ms / ms;
        const bool is_modelled = row.at("is_modelled");
        const std::string times = fmt::format("{:.4f} ms {}", ms, is_modelled ? "modelled" : "measured");
        bars.push_back({row.at("step"),
                        std::max(0.0, std::log10(gain)),
                        is_cpu(row) ? times : fmt::format("{:.0f}x, {}", gain, times),
                        {.line = is_modelled ? Role::third : Role::first,
                         .fill = is_modelled ? Role::third : Role::first,
                         .hatch = is_modelled ? Hatch::none : Hatch::rising}});
    }
    put();
    draw_notes(drawing, y,
               fmt::format("Bars: gain over the CPU's thread, on a logarithmic scale. Kernels' times are {}.",
                           figures.at("times").get<std::string>()));
    return drawing;
}

}  // namespace lab::report
