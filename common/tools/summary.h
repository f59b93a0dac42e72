// Verdicts as Markdown: GitHub's job summary ($GITHUB_STEP_SUMMARY), a comment, a wiki.
#pragma once

#include <string>
#include <vector>

#include "common/tools/score.h"

namespace lab::tools {

// A table of labs with points and tests, then one of the tests without points, with the first line of each failure. Text of students and
// compilers is escaped, so that it can't form Markdown or HTML.
[[nodiscard]] std::string markdown_summary(const std::vector<LabScore>& labs);

}  // namespace lab::tools
