// Changes between two gradings of a lab, as text.
#pragma once

#include <string>
#include <vector>

#include "common/tools/score.h"
#include "common/tools/terminal.h"

namespace lab::tools {

struct Changes {
    std::vector<const TestScore*> fixed;     // pass now, did not before
    std::vector<const TestScore*> broken;    // passed before, fail now
    std::vector<const TestScore*> reworded;  // fail as before, but with another first line
};

// `before` and `now` must outlive the result. A test that `before` lacks is not listed.
[[nodiscard]] Changes changes(const LabScore& before, const LabScore& now);

// "lab<n>: 45/100 points (40 before), 9 of 14 tests pass", a line a change ("+ passes now: ...", "- fails now: ..."), then the text
// of the first test that fails, with its lines of source. `before` may have no tests; then nothing is compared.
[[nodiscard]] std::string describe(const LabScore& before, const LabScore& now, const Terminal& terminal = {});

}  // namespace lab::tools
