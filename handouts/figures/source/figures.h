// The figures of the handouts. Each is drawn from computed numbers, by the emulator's own rules if possible. The numbers are in the headers
// beside this one, separate from the drawing, so that tests can check them.
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
