#include "common/report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "common/report/grid.h"

namespace lab::report {
namespace {

constexpr double small_text = 12;

constexpr double left = 14;

std::string tick_text(double value) { return value >= 10000 ? fmt::format("{:.0f}", value) : fmt::format("{:g}", value); }

// Ticks at whole powers of `base` within [least, most], every n-th so that there are at most seven.
std::vector<double> powers(double base, double least, double most) {
    constexpr double rounding = 1e-9;
    constexpr int max_ticks = 7;
    const int first = static_cast<int>(std::ceil(std::log(least) / std::log(base) - rounding));
    const int last = static_cast<int>(std::floor(std::log(most) / std::log(base) + rounding));
    const int step = std::max(1, (last - first + max_ticks - 1) / max_ticks);
    std::vector<double> values;
    for (int power = first; power <= last; power += step) values.push_back(std::pow(base, power));
    return values;
}

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

std::string bytes_text(double bytes) {
    constexpr std::array units{"B", "KiB", "MiB", "GiB"};
    std::size_t unit = 0;
    for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
    return fmt::format("{:.4g} {}", bytes, units.at(unit));
}

Axis linear_axis(const std::string& title, double most, const std::string& unit) {
    constexpr std::array steps{1.0, 2.0, 2.5, 5.0, 10.0};
    constexpr double max_ticks = 8;
    const double power = std::pow(10, std::floor(std::log10(most / max_ticks)));
    double step = power;
    for (const double each : steps) {
        step = each * power;
        if (most / step <= max_ticks) break;
    }
    Axis axis{title, 0, std::ceil(most / step - 1e-9) * step, false, {}};
    for (int i = 0; i * step <= axis.most * (1 + 1e-9); ++i) axis.ticks.push_back({i * step, tick_text(i * step) + unit});
    return axis;
}

Axis decade_axis(const std::string& title, double least, double most) {
    Axis axis{title, std::pow(10, std::floor(std::log10(least))), std::pow(10, std::ceil(std::log10(most))), true, {}};
    if (axis.least == axis.most) axis.most *= 10;
    for (const double value : powers(10, axis.least, axis.most)) axis.ticks.push_back({value, tick_text(value)});
    return axis;
}

Axis bytes_axis(const std::string& title, double least, double most) {
    Axis axis{title, least, most, true, {}};
    for (const double value : powers(2, least, most)) axis.ticks.push_back({value, bytes_text(value)});
    return axis;
}

Look look_of_series(std::size_t at) {
    constexpr std::array roles{Role::first, Role::second, Role::third, Role::fourth};
    const Role role = roles.at(at % roles.size());
    const bool is_second_round = at / roles.size() % 2 == 1;
    return {.line = role, .width = 2, .fill = role, .is_solid = !is_second_round, .is_dashed = at % 2 == 1};
}

void draw_point(Drawing& drawing, Point place, const Look& look, double radius) {
    drawing.circle(place, radius, {.line = look.line, .width = 2, .fill = look.fill, .is_solid = look.is_solid});
}

double draw_key(Drawing& drawing, Point place, const Look& look, const std::string& name, const std::string& text) {
    drawing.line({place.x, place.y}, {place.x + 34, place.y}, {.line = look.line, .width = 2, .is_dashed = look.is_dashed});
    draw_point(drawing, {place.x + 17, place.y}, look);
    drawing.text({place.x + 42, place.y}, name, {.align = Align::start, .size = 12});
    if (!text.empty()) drawing.text({place.x + 260, place.y}, text, {.align = Align::start, .size = 12});
    return place.y + 19;
}

double draw_heat_map(Drawing& drawing, double y, const HeatMap& map) {
    double names = 40;
    for (const std::string& row : map.rows) names = std::max(names, text_width(row, 12) + 10);
    const double room = Drawing::width - left - names - left;
    const double width = std::min(90.0, room / static_cast<double>(std::max<std::size_t>(1, map.columns.size())));
    const Grid grid{{left + names, y + 40}, static_cast<int>(map.rows.size()), static_cast<int>(map.columns.size()), width, 28};
    drawing.text({grid.origin.x, y + 6}, map.column_title, {.align = Align::start, .size = 13});
    drawing.text({left, y + 28}, map.row_title, {.align = Align::start, .size = 13});
    for (int column = 0; column < grid.columns; ++column) {
        const Box cell = grid.cell(0, column);
        drawing.text({cell.centre().x, cell.y - 12}, map.columns[static_cast<std::size_t>(column)], {.size = 12});
    }
    for (int row = 0; row < grid.rows; ++row) {
        drawing.text({grid.origin.x - 8, grid.cell(row, 0).centre().y}, map.rows[static_cast<std::size_t>(row)],
                     {.align = Align::end, .size = 12});
    }
    std::vector<Box> marked;
    for (int row = 0; row < grid.rows; ++row) {
        for (int column = 0; column < grid.columns; ++column) {
            const HeatMap::Cell& cell = map.cells[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
            const Box box = grid.cell(row, column);
            if (cell.share) drawing.rect(box, {.line = Role::faint, .fill = Role::second, .strength = *cell.share});
            if (!cell.text.empty()) label(drawing, box, cell.text, {.size = 11, .is_bold = cell.is_marked});
            if (cell.is_marked) marked.push_back(box);
        }
    }
    for (const Box& box : marked) drawing.rect({box.x + 1, box.y + 1, box.width - 2, box.height - 2}, {.line = Role::ink, .width = 2});
    return grid.whole().bottom() + 18;
}

double draw_notes(Drawing& drawing, double y, const std::string& text) {
    constexpr double size = 12;
    const TextLook look{.align = Align::start, .size = size, .role = Role::muted};
    std::istringstream words(text);
    std::string line;
    const auto put = [&] {
        drawing.text({left, y}, line, look);
        y += 16;
        line.clear();
    };
    for (std::string word; words >> word;) {
        if (!line.empty() && left + text_width(line + " " + word, size) > Drawing::width - left) put();
        line += (line.empty() ? "" : " ") + word;
    }
    if (!line.empty()) put();
    return y;
}

}  // namespace lab::report
