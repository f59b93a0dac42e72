// The subcommands of lab-tool: their options and functions.
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
    std::optional<std::uint64_t> seed;  // seed of the random inputs, as a failure names it
    std::string course;                 // a course's settings, for its points; "": course.json at the top of the project, if there is one
    bool has_suites_points = false;     // no course's
    std::string filter;                 // only tests whose names match, like GoogleTest's --gtest_filter
    std::string sandbox = "auto";       // auto, always, never, or a strength (grading_folder.h)
    double search_seconds = 0;          // processor time of a search for the cause of one kernel's failure; 0: none is searched
    bool verbose = false;               // all failures, in full
    bool kept_will_do = false;          // a kept verdict on the same files may be used
    bool is_built = false;              // what judges the labs is built already, by targets_of
};

// `lab grade`: rebuilds changed files, runs the suites, shows the points. Returns 0 for full points, 1 for less, 130 when interrupted.
// Throws BadInput.
[[nodiscard]] int grade(const Project& project, const GradeOptions& options);

struct HintOptions {
    std::string lab;
    std::string test;    // another failing test than the first, "Lab<n>.HasNoRaces" or "HasNoRaces"
    bool again = false;  // show the hints given so far, none new
};

// `lab hint`: the next hint for the first test that fails. Grades the student's file, unless the kept verdict is current, and gives one
// hint. Returns 0 also if nothing fails or no hint is left; 1 without a verdict; 130 when interrupted. Throws BadInput.
[[nodiscard]] int hint(const Project& project, const HintOptions& options);

struct WatchOptions {
    std::string lab;
    bool once = false;  // grade once and end
};

// `lab watch`: grades a lab again at every save. Shows each verdict and the changes since the one before; a save during grading restarts
// it. Ctrl-C ends it: 0. With `once`, returns like `lab grade`. Throws BadInput.
[[nodiscard]] int watch(const Project& project, const WatchOptions& options);

struct ResetOptions {
    std::string lab;
    bool dry_run = false;  // only print what would be done
};

// `lab reset`: restores a lab's file as shipped, keeping the student's beside it. Returns 0. Throws BadInput; the student's file is then
// unchanged.
[[nodiscard]] int reset(const Project& project, const ResetOptions& options);

}  // namespace lab::tools
