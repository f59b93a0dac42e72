// A grid of equal cells: a matrix, a tile, the blocks of a launch, the lanes of a warp.
#pragma once

#include "common/report/svg.h"

namespace lab::report {

struct Grid {
    Point origin;
    int rows = 0, columns = 0;
    double cell_width = 0, cell_height = 0;

    [[nodiscard]] Box area(int row, int column, int height, int width) const {
        return {origin.x + column * cell_width, origin.y + row * cell_height, width * cell_width, height * cell_height};
    }
    [[nodiscard]] Box cell(int row, int column) const { return area(row, column, 1, 1); }
    [[nodiscard]] Box whole() const { return area(0, 0, rows, columns); }

    // The lines between cells in `inner`, each `step` cells, and the outline in ink.
    void draw(Drawing& drawing, Role inner = Role::faint, int row_step = 1, int column_step = 1) const;
};

// Writes at the middle of the box.
inline void label(Drawing& drawing, const Box& box, const std::string& text, const TextLook& look = {}) {
    drawing.text(box.centre(), text, look);
}

// A sample of a look with its meaning to the right; returns the position of the next one.
Point legend(Drawing& drawing, Point place, const Look& look, const std::string& text);

// A dimension line below or above a span of x, with a tick at either end and a text in its middle.
void span_x(Drawing& drawing, double from, double to, double y, const std::string& text, bool text_is_above = false);
// The same to the left or the right of a span of y; the text is beside the line.
void span_y(Drawing& drawing, double from, double to, double x, const std::string& text, bool text_is_left = true);

}  // namespace lab::report
