#include "common/report/chart.h"

#include <cmath>

namespace lab::report {
namespace {

constexpr double small_text = 12;

}  // namespace

double Axis::share(double value) const {
    if (is_logarithmic) return std::log(value / least) / std::log(most / least);
    return (value - least) / (most - least);
}

Point Chart::at(double x_value, double y_value) const {
    return {area.x + x.share(x_value) * area.width, area.bottom() - y.share(y_value) * area.height};
}

void Chart::draw_axes(Drawing& drawing) const {
    for (const Tick& tick : x.ticks) {
        const double at_x = at(tick.value, y.least).x;
        drawing.line({at_x, area.y}, {at_x, area.bottom()}, {.line = Role::faint});
        drawing.text({at_x, area.bottom() + 12}, tick.text, {.size = small_text});
    }
    for (const Tick& tick : y.ticks) {
        const double at_y = at(x.least, tick.value).y;
        drawing.line({area.x, at_y}, {area.right(), at_y}, {.line = Role::faint});
        drawing.text({area.x - 6, at_y}, tick.text, {.align = Align::end, .size = small_text});
    }
    drawing.polyline({{area.x, area.y}, {area.x, area.bottom()}, {area.right(), area.bottom()}}, {.line = Role::ink});
    if (!x.title.empty()) drawing.text({area.centre().x, area.bottom() + 30}, x.title, {.size = 13});
    if (!y.title.empty()) drawing.text({area.x, area.y - 14}, y.title, {.align = Align::start, .size = 13});
}

void Chart::draw_curve(Drawing& drawing, const std::vector<Point>& values, const Look& look) const {
    std::vector<Point> points;
    for (const Point& value : values) points.push_back(at(value.x, value.y));
    drawing.polyline(points, look);
}

double draw_bars(Drawing& drawing, Point origin, const std::vector<BarRow>& rows, double name_width, double full_width, double full,
                 double row_height) {
    double y = origin.y;
    for (const BarRow& row : rows) {
        const double middle = y + row_height / 2;
        const double length = row.value / full * full_width;
        if (!row.name.empty()) drawing.text({origin.x + name_width - 6, middle}, row.name, {.align = Align::end, .size = small_text});
        drawing.rect({origin.x + name_width, y + 3, length, row_height - 6}, row.look);
        drawing.text({origin.x + name_width + length + 5, middle}, row.text, {.align = Align::start, .size = small_text});
        y += row_height;
    }
    drawing.line({origin.x + name_width, origin.y}, {origin.x + name_width, y});
    return y;
}

}  // namespace lab::report
