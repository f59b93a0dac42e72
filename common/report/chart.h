// Axes, linear or logarithmic, and their contents; horizontal bars.
#pragma once

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

}  // namespace lab::report
