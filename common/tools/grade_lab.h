// Grading one lab: build what changed, run its suite, read its points. `lab grade`, `lab hint` and `lab watch` share it.
#pragma once

#include <filesystem>
#include <string>

#include "common/tools/grade.h"
#include "common/tools/lab_runner.h"
#include "common/tools/project.h"
#include "common/tools/score.h"

namespace lab::tools {

// Points come from the suite's report only. A file that does not compile, a suite that died and the like are the score's `trouble`.
// The verdict is on the student's file as it is when the suite starts, also where it is saved while the compiler reads it.
[[nodiscard]] LabScore grade_lab(const Project& project, const Lab& lab, const GradeOptions& options, const Audience& audience);

// Which device the suites are told to model times for: as --device says, or LAB_DEVICE; "" for their own choice, and where a GPU measures.
// Throws BadInput for one that isn't known.
[[nodiscard]] std::string modelled_device(const Project& project, const GradeOptions& options);

// The file handed in for a lab: labs/'s own where `from` is empty; none where `from` is a folder without it.
[[nodiscard]] std::filesystem::path submission(const Project& project, const Lab& lab, const std::string& from);

// Compiles one file as the build compiles the lab's own, into `folder`.
[[nodiscard]] Runner compile_submission(const Project& project, const Lab& lab, const std::filesystem::path& file,
                                        const std::filesystem::path& folder);

}  // namespace lab::tools
