// Grades one lab: rebuild changed files, run its suite, read its points. Shared by `lab grade`, `lab hint` and `lab watch`.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/sandbox/sandbox.h"
#include "common/tools/grading_folder.h"
#include "common/tools/lab_runner.h"
#include "common/tools/project.h"
#include "common/tools/score.h"
#include "common/tools/subcommands.h"

namespace lab::tools {

// Points come from the suite's report only. Compile errors, a crashed suite and the like are the score's `trouble`. The verdict is on the
// student's file at the start of the suite, even if it was saved during compilation.
[[nodiscard]] LabScore grade_lab(const Project& project, const Lab& lab, const GradeOptions& options, const Audience& audience);
// The same in a folder of the caller's, where the program of a submission remains.
[[nodiscard]] LabScore grade_lab(const Project& project, const Lab& lab, const GradeOptions& options, const Audience& audience,
                                 const GradingFolder& folder);

// What the build makes to judge the lab's submissions.
[[nodiscard]] std::vector<std::string> targets_of(const Project& project, const Lab& lab);

// The lab's tests without running them: their points, and nothing earned. `report`: a file to write on the way.
[[nodiscard]] std::vector<TestScore> tests_not_run(const Project& project, const Lab& lab, const std::filesystem::path& report);

// Device that the suites model times for: from --device or LAB_DEVICE; "" for their default, and on a GPU. Throws BadInput for an unknown
// one.
[[nodiscard]] std::string modelled_device(const Project& project, const GradeOptions& options);

// The submitted file of a lab: the one in labs/ if `from` is empty; none if `from` is a folder without it.
[[nodiscard]] std::filesystem::path submission(const Project& project, const Lab& lab, const std::string& from);

// Compiles one file as the build compiles `target`, into made_in(folder), in the sandbox if there is one.
[[nodiscard]] Runner compile_submission(const Project& project, const std::string& target, const std::filesystem::path& file,
                                        const std::filesystem::path& folder, const std::optional<sandbox::Sandbox>& sandbox);
[[nodiscard]] inline std::filesystem::path made_in(const std::filesystem::path& folder) { return folder / "made"; }

}  // namespace lab::tools
