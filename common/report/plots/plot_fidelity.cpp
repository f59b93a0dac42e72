// Modelled beside measured or published times: how far the rows lie from the line where both are equal.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "common/report/chart.h"
#include "common/report/plots/plots.h"

namespace lab::report {
namespace {

struct Row {
    double real = 0, modelled = 0;
    bool is_fitted = false;
};

// Rows of a file, or of all published tables.
std::vector<Row> rows_of(const Figures& figures) {
    std::vector<Row> rows;
    if (figures.contains("rows")) {
        for (const Figures& row : figures.at("rows")) rows.push_back({row.at("measured_ms"), row.at("modelled_ms"), row.at("fitted")});
        return rows;
    }
    for (const Figures& table : figures.at("tables")) {
        for (const Figures& row : table.at("rows")) {
            if (!row.at("modelled").is_null()) rows.push_back({row.at("published"), row.at("modelled"), row.at("fitted")});
        }
    }
    return rows;
}

// Both axes of a panel: the same decades.
Axis axis_of(const std::string& title, const std::vector<Row>& rows) {
    double least = rows.front().real;
    double most = least;
    for (const Row& row : rows) {
        least = std::min({least, row.real, row.modelled});
        most = std::max({most, row.real, row.modelled});
    }
    return decade_axis(title, least, most);
}

double mean_error(const std::vector<Row>& rows) {
    double sum = 0;
    for (const Row& row : rows) sum += std::abs(row.modelled / row.real - 1);
    return sum / static_cast<double>(rows.size());
}

// Lines at equal times and at half as much again either way.
void draw_bounds(Drawing& drawing, const Chart& chart) {
    const double least = chart.x.least;
    const double most = chart.x.most;
    drawing.line(chart.at(least, least), chart.at(most, most), {.line = Role::ink});
    constexpr double beyond = 1.5;
    drawing.line(chart.at(least, least * beyond), chart.at(most / beyond, most), {.line = Role::muted, .is_dashed = true});
    drawing.line(chart.at(least * beyond, least), chart.at(most, most / beyond), {.line = Role::muted, .is_dashed = true});
}

// Marks as one element; rows that fall on one place are drawn once.
void draw_rows(Drawing& drawing, const Chart& chart, const std::vector<Row>& rows, Role role) {
    constexpr std::size_t few = 100;
    const double side = rows.size() < few ? 6 : 3;
    std::set<std::pair<long, long>> places;
    std::vector<Box> boxes;
    for (const Row& row : rows) {
        const Point place = chart.at(row.real, row.modelled);
        if (places.insert({std::lround(place.x), std::lround(place.y)}).second)
            boxes.push_back({std::round(place.x) - side / 2, std::round(place.y) - side / 2, side, side});
    }
    if (!boxes.empty()) drawing.rects(boxes, {.line = role, .width = 0, .fill = role, .is_solid = true});
}

}  // namespace

Drawing plot_fidelity(const Figures& figures) {
    const std::vector<Row> all = rows_of(figures);
    std::vector<Row> fitted;
    std::vector<Row> predicted;
    for (const Row& row : all) (row.is_fitted ? fitted : predicted).push_back(row);
    const bool is_measured = figures.contains("rows");
    const std::string real = is_measured ? "measured" : "published";
    const std::string unit = is_measured ? "ms" : "GB/s or ms";
    const auto says = [](const std::vector<Row>& rows) {
        return rows.empty() ? std::string("no rows") : fmt::format("{} rows, mean error {:.1f} %", rows.size(), 100 * mean_error(rows));
    };
    Drawing drawing(
        "fidelity", "Modelled over " + real + " times, fitted and predicted rows apart",
        fmt::format("Two plots, {} to the right and modelled upwards, both logarithmic; a mark a row. Fitted: {}. Predicted: {}.", real,
                    says(fitted), says(predicted)));
    if (all.empty()) {
        draw_notes(drawing, 14, "No rows.");
        return drawing;
    }
    double x = 62;
    const auto panel = [&](const std::string& title, const std::vector<Row>& rows, Role role) {
        drawing.text({x, 12}, title + ": " + says(rows), {.align = Align::start, .size = 13, .is_bold = true});
        const Chart chart{{x, 48, 270, 270}, axis_of(fmt::format("{}, {}", real, unit), all), axis_of("modelled, " + unit, all)};
        chart.draw_axes(drawing);
        draw_bounds(drawing, chart);
        draw_rows(drawing, chart, rows, role);
        x += 348;
    };
    panel("fitted", fitted, Role::second);
    panel("predicted", predicted, Role::first);
    std::string of = figures.contains("modelled_for")
                         ? fmt::format("Measured on {}; modelled for {}.", figures.at("measured_on").value("device", ""),
                                       figures.at("modelled_for").get<std::string>())
                         : "Published tables, see ./lab fidelity.";
    draw_notes(drawing, 372,
               of + " On the line the two are equal; dashed: half as much again either way. Marks on one place are drawn once.");
    return drawing;
}

}  // namespace lab::report
