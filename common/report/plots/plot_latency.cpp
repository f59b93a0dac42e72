// Dependent multiply-adds: how many warps and chains hide their latency.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "common/report/plots/plots.h"
#include "common/report/plots/scales.h"

namespace lab::report {

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

}  // namespace lab::report
