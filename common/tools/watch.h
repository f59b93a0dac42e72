// `lab watch`: grades a lab again at every save.
#pragma once

#include <string>

#include "common/tools/project.h"

namespace lab::tools {

struct WatchOptions {
    std::string lab;
    bool once = false;  // grade and end
};

// Shows each verdict and what changed since the one before; a save while it grades starts it over. Ctrl-C ends it: 0. With
// `once`, returns what `lab grade` does. Throws BadInput.
[[nodiscard]] int watch(const Project& project, const WatchOptions& options);

}  // namespace lab::tools
