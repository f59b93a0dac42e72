// `lab hint`: the next hint for the first test that fails.
#pragma once

#include <string>

#include "common/tools/project.h"

namespace lab::tools {

struct HintOptions {
    std::string lab;
    std::string test;    // another failing test than the first, "Lab<n>.HasNoRaces" or "HasNoRaces"
    bool again = false;  // show the hints given so far, none new
};

// Grades the student's file, unless the kept verdict is current, and gives one hint. Returns 0 also if nothing fails or no hint is left; 1
// without a verdict; 130 when interrupted. Throws BadInput.
[[nodiscard]] int hint(const Project& project, const HintOptions& options);

}  // namespace lab::tools
