// `lab grade`: rebuild changed files, run the suites, show the points.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/tools/project.h"

namespace lab::tools {

struct GradeOptions {
    std::vector<std::string> labs;      // none: all
    bool solutions = false;             // grade the reference solutions in place of labs/
    std::string from;                   // a folder with the layout of labs/, or one lab's file
    std::string json;                   // where to write the scores
    std::string summary;                // where to write them as Markdown
    std::string report;                 // where to write a page about the one lab (report/report.h)
    std::string device;                 // that the emulator models times for; "": the suites' own choice
    std::optional<std::uint64_t> seed;  // of the inputs, as named in a failure
    std::string filter;                 // only tests whose names match, like GoogleTest's --gtest_filter
    std::string sandbox = "auto";       // auto, always, never, or a strength (confined.h)
    bool verbose = false;               // all failures, in full
    bool kept_will_do = false;          // a kept verdict on the same files may be used
};

// Returns the exit status: 0 for full points, 1 for less, 130 when interrupted. Throws BadInput.
[[nodiscard]] int grade(const Project& project, const GradeOptions& options);

}  // namespace lab::tools
