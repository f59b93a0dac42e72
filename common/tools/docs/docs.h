// `lab docs`: handouts, map of the code, API reference and reports of the solutions as one static site, built by Doxygen.
#pragma once

#include <string>

#include "common/tools/project.h"

namespace lab::tools {

struct DocsOptions {
    std::string out;  // the site's folder; "": build/docs
};

// Builds the site in place of an older one. Returns 0, or 130 when it was interrupted. Throws BadInput.
[[nodiscard]] int docs(const Project& project, const DocsOptions& options);

}  // namespace lab::tools
