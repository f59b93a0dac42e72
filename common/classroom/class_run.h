// Grading of a class: several submissions at a time, each in a process of its own, and each verdict kept at once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/classroom/collection.h"
#include "common/classroom/results.h"
#include "common/tools/project.h"
#include "common/tools/terminal.h"

namespace lab::classroom {

struct RunOptions {
    int jobs = 0;                  // submissions at a time; 0: one for each processor
    std::string sandbox = "auto";  // as in `lab grade`
    std::string device;            // that the emulator models times for
    std::uint64_t seed = 0;        // random inputs' seed
    double within = 0;             // seconds after which the rest is undecided; 0: no limit
    bool is_built = false;         // what judges has been built, by prepare()
};

// How a run ended.
struct RunEnd {
    std::size_t graded = 0, left = 0;
    bool was_interrupted = false;
};

// Which verdicts there are, and where a run puts its own.
struct Keeper {
    std::function<bool(const std::string& lab, const std::string& hash)> has;
    std::function<void(const Verdict& verdict)> keep;
    std::function<void()> in_child;  // called first in the process of each grading
};

// Grades the texts that have no verdict yet and keeps each verdict, with progress on stderr. Equal texts are graded once.
// A submission with a problem gets a verdict without points that says so. Ctrl-C ends the run; the next one goes on from there.
// Throws BadInput if the labs' own part can't be built or there is no sandbox.
[[nodiscard]] RunEnd grade_class(const tools::Project& project, const std::vector<tools::Lab>& labs, const Collection& collection,
                                 const RunOptions& options, const Keeper& keeper);
[[nodiscard]] RunEnd grade_class(const tools::Project& project, const std::vector<tools::Lab>& labs, const Collection& collection,
                                 const RunOptions& options, Results& results);

// Builds what judges these labs. Returns the strength of the sandbox, or "never". Throws BadInput as grade_class does.
[[nodiscard]] std::string prepare(const tools::Project& project, const std::vector<tools::Lab>& labs, const std::string& sandbox,
                                  tools::Progress& progress);

// A score without points, for the reason.
[[nodiscard]] tools::LabScore score_without_points(const tools::Project& project, const tools::Lab& lab, const std::string& reason);
// The same where the grader is at fault.
[[nodiscard]] tools::LabScore undecided_score(const tools::Project& project, const tools::Lab& lab, const std::string& reason);

// "12 of 300 graded, about 4 min left".
[[nodiscard]] std::string graded_so_far(std::size_t done, std::size_t all, double seconds);

}  // namespace lab::classroom
