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

// Grades the student's file, unless it was graded as it is now, and gives one hint. Returns 0 also where nothing fails or no
// hint is left; 1 where there is no verdict to hint about; 130 when interrupted. Throws BadInput.
[[nodiscard]] int hint(const Project& project, const HintOptions& options);

}  // namespace lab::tools
