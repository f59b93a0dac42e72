// `lab figures`: draws the handouts' figures.
#pragma once

#include <string>
#include <vector>

#include "common/tools/project.h"

namespace lab::tools {

struct DrawFiguresOptions {
    std::vector<std::string> names;  // none: all figures
    std::string folder;              // "": handouts/figures of the project
    bool is_list = false;            // only print the names
};

// 0; throws BadInput.
[[nodiscard]] int draw_figures(const Project& project, const DrawFiguresOptions& options);

}  // namespace lab::tools
