// The figures of the handouts. Each is drawn from numbers that a program computes: by the emulator's own rules where those know the
// answer. The numbers are in the headers beside, apart from the drawing, so that tests reach them.
#pragma once

#include <string>
#include <vector>

#include "common/report/svg.h"

namespace lab::report {

struct Figure {
    std::string name;  // of its file in handouts/figures, without ".svg"
    Drawing (*draw)();
};

// In the order of the handouts.
[[nodiscard]] const std::vector<Figure>& all_figures();

}  // namespace lab::report
