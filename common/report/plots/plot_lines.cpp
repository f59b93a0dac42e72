// Dependent multiply-adds: how many warps and chains hide their latency.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "common/report/chart.h"
#include "common/report/plots/plots.h"

namespace lab::report {
namespace {

std::string name_of_path(std::string id) {
    std::replace(id.begin(), id.end(), '_', ' ');
    return id;
}

// Rate that the fit gives an array of so many bytes.
double fitted_rate(const Figures& path, double bytes) {
    const double moved = bytes * path.at("moved_bytes_a_byte").get<double>();
    const double us = path.at("alpha_us").get<double>() + moved / path.at("beta_gb_per_s").get<double>() * 1e-3;
    return moved / us * 1e-3;
}

void draw_path(Drawing& drawing, const Chart& chart, const Figures& path, const Look& look) {
    for (const Figures& transfer : path.at("transfers"))
        draw_point(drawing, chart.at(transfer.at("bytes"), transfer.at("gb_per_s")), look, 3);
    if (!path.contains("alpha_us")) return;
    std::vector<Point> points;
    for (double bytes = chart.x.least; bytes <= chart.x.most * 1.0001; bytes *= std::sqrt(2.0)) {
        const double rate = fitted_rate(path, bytes);
        if (rate >= chart.y.least && rate <= chart.y.most) points.push_back({bytes, rate});
    }
    chart.draw_curve(drawing, points, {.line = look.line, .width = 1.5, .is_dashed = look.is_dashed});
    const double half = path.at("half_power_bytes").get<double>() / path.at("moved_bytes_a_byte").get<double>();
    if (half < chart.x.least || half > chart.x.most) return;
    const Point place = chart.at(half, path.at("beta_gb_per_s").get<double>() / 2);
    drawing.line(place, {place.x, chart.area.bottom()}, {.line = look.line, .is_dashed = true});
    drawing.rect({place.x - 5, place.y - 5, 10, 10}, {.line = Role::ink, .width = 1.5, .fill = look.line, .is_solid = true});
}

std::string fit_text(const Figures& path) {
    if (!path.contains("alpha_us")) return "";
    return fmt::format("α {:.2f} µs, β {:.1f} GB/s, n½ {}", path.at("alpha_us").get<double>(), path.at("beta_gb_per_s").get<double>(),
                       bytes_text(path.at("half_power_bytes")));
}

}  // namespace

Drawing plot_latency(const Figures& figures) {
    std::map<int, std::vector<Point>> curves;
    double warps = 1;
    double most = 100;
    for (const Figures& cell : figures.at("cells")) {
        const Point point{cell.at("warps"), 100 * cell.at("share").get<double>()};
        curves[cell.at("chains")].push_back(point);
        warps = std::max(warps, point.x);
        most = std::max(most, point.y);
    }
    Drawing drawing(
        "latency", "Share of the peak of multiply-adds over warps on an SM",
        "Warps to the right, percent of the peak upwards, a curve for each number of independent chains a thread: the more chains, "
        "the fewer warps reach the peak.");
    const Chart chart{{70, 34, 600, 280}, linear_axis("warps on the SM", warps), linear_axis("share of the peak", most, " %")};
    chart.draw_axes(drawing);
    constexpr double hidden = 90;
    drawing.line(chart.at(0, hidden), chart.at(chart.x.most, hidden), {.line = Role::muted, .is_dashed = true});
    double y = 372;
    for (auto& [chains, points] : curves) {
        const Look look = look_of_series(static_cast<std::size_t>(chains - 1));
        std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
        chart.draw_curve(drawing, points, {.line = look.line, .width = 2, .is_dashed = look.is_dashed});
        for (const Point& point : points) draw_point(drawing, chart.at(point.x, point.y), look, 3.5);
        const auto reached = std::find_if(points.begin(), points.end(), [](const Point& point) { return point.y >= hidden; });
        y = draw_key(
            drawing, {20, y}, look, fmt::format("{} chain{}", chains, chains == 1 ? "" : "s"),
            reached == points.end() ? "does not reach 90 % of the peak" : fmt::format("90 % of the peak from {:.0f} warps on", reached->x));
    }
    std::string notes = fmt::format("Times are {}.", figures.at("times").get<std::string>());
    if (figures.contains("latency_cycles"))
        notes = fmt::format("One warp, one chain: {:.2f} cycles from one multiply-add to the next. ",
                            figures.at("latency_cycles").get<double>()) +
                notes;
    draw_notes(drawing, y + 4, notes);
    return drawing;
}

Drawing plot_bandwidth(const Figures& figures) {
    Range sizes;
    Range rates;
    std::string description = "Bytes of an array to the right, GB/s upwards, both logarithmic.";
    for (const Figures& path : figures.at("paths")) {
        for (const Figures& transfer : path.at("transfers")) {
            sizes.add(transfer.at("bytes"));
            rates.add(transfer.at("gb_per_s"));
        }
        description += " " + name_of_path(path.at("path")) + ": " + fit_text(path) + ".";
    }
    Drawing drawing("bandwidth", "Rates of copies and of saxpy over the size of an array", description);
    const double most = sizes.most == sizes.least ? sizes.most * 2 : sizes.most;
    const Chart chart{{70, 34, 600, 300}, bytes_axis("bytes of an array", sizes.least, most), decade_axis("GB/s", rates.least, rates.most)};
    chart.draw_axes(drawing);
    std::size_t at = 0;
    double y = 386;
    for (const Figures& path : figures.at("paths")) {
        const Look look = look_of_series(at++);
        draw_path(drawing, chart, path, look);
        y = draw_key(drawing, {20, y}, look, name_of_path(path.at("path")), fit_text(path));
    }
    draw_notes(
        drawing, y + 4,
        fmt::format("Curves: n / (α + n / β), fitted. Squares: half-power points n½ = α β, where a transfer gets half of β. Times are {}.",
                    figures.at("times").get<std::string>()));
    return drawing;
}

}  // namespace lab::report
