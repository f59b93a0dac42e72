// Ticks of axes, looks of series, and a map of values, for plots of any data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/report/chart.h"

namespace lab::report {

// "1 KiB", "2.5 MiB".
[[nodiscard]] std::string bytes_text(double bytes);

// An axis from 0 to at least `most`, with four to eight ticks at round values; `unit` is put behind each: " %".
[[nodiscard]] Axis linear_axis(const std::string& title, double most, const std::string& unit = "");
// An axis over [least, most] with ticks at powers of ten, thinned out to seven.
[[nodiscard]] Axis decade_axis(const std::string& title, double least, double most);
// The same with powers of two, as sizes in bytes.
[[nodiscard]] Axis bytes_axis(const std::string& title, double least, double most);

// The look of series number `at`: told apart by colour, by dashes, and by whether its points are filled.
[[nodiscard]] Look look_of_series(std::size_t at);
// A point of that series.
void draw_point(Drawing& drawing, Point place, const Look& look, double radius = 4);
// Sample, name and a text in a second column. Returns the y below.
double draw_key(Drawing& drawing, Point place, const Look& look, const std::string& name, const std::string& text);

// A table of values as a map: darker is more. A cell without a value stays empty.
struct HeatMap {
    std::string column_title, row_title;
    std::vector<std::string> columns, rows;
    struct Cell {
        std::optional<double> share;  // 0 to 1
        std::string text;
        bool is_marked = false;  // framed
    };
    std::vector<std::vector<Cell>> cells;  // [row][column]
};
// Returns the y below.
double draw_heat_map(Drawing& drawing, double y, const HeatMap& map);

// Lines of small text at the left edge, folded to the drawing's width. Returns the y below.
double draw_notes(Drawing& drawing, double y, const std::string& text);

}  // namespace lab::report
