#include "common/report/grid.h"

namespace lab::report {
namespace {

constexpr double small = 13;
constexpr double tick = 4;
const Look thin{.line = Role::muted};

}  // namespace

void Grid::draw(Drawing& drawing, Role inner, int row_step, int column_step) const {
    const Box all = whole();
    for (int row = row_step; row < rows; row += row_step) {
        const double y = origin.y + row * cell_height;
        drawing.line({all.x, y}, {all.right(), y}, {.line = inner});
    }
    for (int column = column_step; column < columns; column += column_step) {
        const double x = origin.x + column * cell_width;
        drawing.line({x, all.y}, {x, all.bottom()}, {.line = inner});
    }
    drawing.rect(all);
}

Point legend(Drawing& drawing, Point place, const Look& look, const std::string& text) {
    constexpr double side = 14;
    constexpr double gap = 6;
    drawing.rect({place.x, place.y - side / 2, side, side}, look);
    drawing.text({place.x + side + gap, place.y}, text, {.align = Align::start, .size = small});
    return {place.x + side + 4 * gap + text_width(text, small), place.y};
}

void span_x(Drawing& drawing, double from, double to, double y, const std::string& text, bool text_is_above) {
    drawing.line({from, y}, {to, y}, thin);
    drawing.line({from, y - tick}, {from, y + tick}, thin);
    drawing.line({to, y - tick}, {to, y + tick}, thin);
    drawing.text({(from + to) / 2, y + (text_is_above ? -12 : 13)}, text, {.size = small});
}

void span_y(Drawing& drawing, double from, double to, double x, const std::string& text, bool text_is_left) {
    drawing.line({x, from}, {x, to}, thin);
    drawing.line({x - tick, from}, {x + tick, from}, thin);
    drawing.line({x - tick, to}, {x + tick, to}, thin);
    const double beside = text_is_left ? x - 8 : x + 8;
    drawing.text({beside, (from + to) / 2}, text, {.align = text_is_left ? Align::end : Align::start, .size = small});
}

}  // namespace lab::report
