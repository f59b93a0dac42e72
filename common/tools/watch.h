// `lab watch`: grades a lab again at every save.
#pragma once

#include <string>

#include "common/tools/project.h"

namespace lab::tools {

struct WatchOptions {
    std::string lab;
    bool once = false;  // grade once and end
};

// Shows each verdict and the changes since the one before; a save during grading restarts it. Ctrl-C ends it: 0. With `once`, returns like
// `lab grade`. Throws BadInput.
[[nodiscard]] int watch(const Project& project, const WatchOptions& options);

}  // namespace lab::tools
