// Studies over shapes: a sweep's times by block shape, occupancy of kernels by block size and of one kernel over its needs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "common/report/chart.h"
#include "common/report/plots/plots.h"

namespace lab::report {
namespace {

std::size_t index_in(const std::set<int>& values, int value) {
    return static_cast<std::size_t>(std::distance(values.begin(), values.find(value)));
}

std::vector<std::string> texts_of(const std::set<int>& values) {
    std::vector<std::string> texts;
    for (const int value : values) texts.push_back(std::to_string(value));
    return texts;
}

std::string subject_of(const Figures& figures) {
    const std::string of = figures.contains("lab") ? "lab" : "file";
    return figures.value(of, "") + ": " + figures.value("kernel", "");
}

std::string bound_by(const Figures& shown) {
    return fmt::format("{}", fmt::join(shown.at("bound_by").get<std::vector<std::string>>(), " and "));
}

Drawing map_of_cases(const Figures& figures) {
    HeatMap map{"threads a block", "kernel", {}, {}, {}};
    std::set<int> threads;
    for (const Figures& shown : figures.at("cases")) threads.insert(shown.at("threads").get<int>());
    map.columns = texts_of(threads);
    for (const Figures& shown : figures.at("cases")) {
        const std::string kernel = shown.at("kernel").get<std::string>().empty() ? "by hand" : shown.at("kernel").get<std::string>();
        if (map.rows.empty() || map.rows.back() != kernel) {
            map.rows.push_back(kernel);
            map.cells.emplace_back(threads.size());
        }
        const double occupancy = shown.at("occupancy");
        map.cells.back()[index_in(threads, shown.at("threads"))] = {occupancy, fmt::format("{:.1f} %", 100 * occupancy), false};
    }
    Drawing drawing("occupancy", "Occupancy of kernels by block size",
                    "A row a kernel, a column a block size; each cell has the occupancy.");
    const double y = draw_heat_map(drawing, 8, map);
    draw_notes(drawing, y,
               fmt::format("Occupancy on {}: warps that an SM holds, as a share of those that it can hold.",
                           figures.at("name").get<std::string>()));
    return drawing;
}

}  // namespace

Drawing plot_sweep(const Figures& figures) {
    std::set<int> xs;
    std::set<int> ys;
    Range times;
    for (const Figures& row : figures.at("rows")) {
        xs.insert(row.at("block")[0].get<int>());
        ys.insert(row.at("block")[1].get<int>());
        if (row.contains("ms")) times.add(row.at("ms"));
    }
    const auto [least, most] = times;
    HeatMap map{"threads along x", "along y", texts_of(xs), texts_of(ys), {}};
    map.cells.assign(ys.size(), std::vector<HeatMap::Cell>(xs.size()));
    std::string best;
    for (const Figures& row : figures.at("rows")) {
        const int x = row.at("block")[0];
        const int y = row.at("block")[1];
        HeatMap::Cell& cell = map.cells[index_in(ys, y)][index_in(xs, x)];
        if (!row.contains("ms")) {
            cell.text = "fails";
            continue;
        }
        const double ms = row.at("ms");
        cell = {most == least ? 0.5 : std::log(ms / least) / std::log(most / least), fmt::format("{:.3g}", ms), ms == least};
        if (ms == least) best += fmt::format("{}{}x{}", best.empty() ? "" : ", ", x, y);
    }
    Drawing drawing(
        "sweep", "Time by block shape, " + subject_of(figures),
        fmt::format("A map: threads along x to the right, along y downwards, milliseconds in each cell, darker is slower. Shortest: {}, "
                    "{:g} ms; longest {:g} ms.",
                    best, least, most));
    drawing.text({14, 12}, fmt::format("{}: milliseconds by block shape", subject_of(figures)),
                 {.align = Align::start, .size = 14, .is_bold = true});
    const double below = draw_heat_map(drawing, 34, map);
    draw_notes(drawing, below,
               fmt::format("Milliseconds, {}. Darker: slower, on a logarithmic scale. Framed: the shortest time ({}).",
                           figures.at("times").get<std::string>(), best));
    return drawing;
}

Drawing plot_occupancy(const Figures& figures) {
    if (!figures.contains("curves")) return map_of_cases(figures);
    const Figures& shown = figures.at("cases").at(0);
    Drawing drawing(
        "occupancy", "Occupancy as one need of a kernel changes",
        fmt::format(
            "Three charts: occupancy over threads a block, registers a thread and shared memory a block, each with the other two as "
            "they are. The point is the kernel's own: {} threads, {} registers, {} bytes, {:.1f} %.",
            shown.at("threads").get<int>(), shown.at("registers").get<int>(), shown.at("shared_bytes").get<int>(),
            100 * shown.at("occupancy").get<double>()));
    double y = 34;
    const auto chart_of = [&](const char* name, const char* title) {
        std::vector<Point> points;
        for (const Figures& pair : figures.at("curves").at(name)) points.push_back({pair[0], 100 * pair[1].get<double>()});
        const Chart chart{{70, y, 560, 110}, linear_axis(title, points.back().x), linear_axis("occupancy", 100, " %")};
        chart.draw_axes(drawing);
        chart.draw_curve(drawing, points, {.line = Role::first, .width = 2});
        draw_point(drawing, chart.at(shown.at(name), 100 * shown.at("occupancy").get<double>()), look_of_series(1), 5);
        y += 190;
    };
    chart_of("threads", "threads a block");
    chart_of("registers", "registers a thread");
    chart_of("shared_bytes", "bytes of shared memory a block");
    draw_notes(drawing, y - 24,
               fmt::format("{}, {} threads, {} registers, {} bytes: {:.1f} %, bound by {}. The dot is this case.",
                           figures.at("name").get<std::string>(), shown.at("threads").get<int>(), shown.at("registers").get<int>(),
                           shown.at("shared_bytes").get<int>(), 100 * shown.at("occupancy").get<double>(), bound_by(shown)));
    return drawing;
}

}  // namespace lab::report
