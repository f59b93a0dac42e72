// Made-up scores for the tests of exports.
#pragma once

#include <string>
#include <vector>

#include "common/classroom/exports/exports.h"

namespace lab::classroom::exports {

[[nodiscard]] tools::TestScore passed(const std::string& name, double points);
[[nodiscard]] tools::TestScore failed(const std::string& name, double points, const std::string& text);
[[nodiscard]] tools::TestScore undecided(const std::string& name, double points);

[[nodiscard]] tools::LabScore lab_with(const std::vector<tools::TestScore>& tests, const std::string& lab = "lab3");

// Six points of ten: Lab3.A passed, Lab3.B failed.
[[nodiscard]] StudentScores ordinary();
// The same with Lab3.C, of two points, undecided.
[[nodiscard]] StudentScores partly_undecided();
// Nothing was judged, through the grader's fault.
[[nodiscard]] StudentScores not_judged();
[[nodiscard]] StudentScores not_compiling();

// Each byte once, and texts that would be syntax in one of the formats.
[[nodiscard]] std::string any_text();
// Everything that a student can choose is such a text.
[[nodiscard]] StudentScores hostile();
// Forty failed tests, each with 100 kB of messages.
[[nodiscard]] StudentScores huge();

[[nodiscard]] Environment environment();
[[nodiscard]] std::string file_of(const std::string& format, const StudentScores& student);

}  // namespace lab::classroom::exports
