// Axes, linear or logarithmic, with ticks, and their contents; looks of series; horizontal bars; a map of values.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "common/report/svg.h"

namespace lab::report {

struct Tick {
    double value = 0;
    std::string text;
};

struct Axis {
    std::string title;
    double least = 0, most = 1;  // least > 0 if logarithmic
    bool is_logarithmic = false;
    std::vector<Tick> ticks;
    // 0 at `least` to 1 at `most`.
    [[nodiscard]] double share(double value) const;
};

// The least and the greatest of some values above 0; both 0 of none.
struct Range {
    double least = 0, most = 0;
    void add(double value) {
        least = most == 0 ? value : std::min(least, value);
        most = std::max(most, value);
    }
};

struct Chart {
    Box area;
    Axis x, y;

    [[nodiscard]] Point at(double x_value, double y_value) const;
    // Lines at the ticks, their texts, and the titles: y's above the axis, x's below it.
    void draw_axes(Drawing& drawing) const;
    void draw_curve(Drawing& drawing, const std::vector<Point>& values, const Look& look) const;
};

// A bar to the right of its name, its value behind it.
struct BarRow {
    std::string name;
    double value = 0;
    std::string text;  // the value as it is shown
    Look look;
};
// Rows from `origin` downwards, `name_width` for the names, `full_width` for the value `full`. Returns the y below the last.
double draw_bars(Drawing& drawing, Point origin, const std::vector<BarRow>& rows, double name_width, double full_width, double full,
                 double row_height = 20);

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
