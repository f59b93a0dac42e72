// Waiting time of a student: `lab grade` on one lab after an edit, until a compile error, and on all solutions.
#pragma once

#include <string>
#include <vector>

namespace lab::bench {

void register_grading();

[[nodiscard]] std::vector<std::string> graded_labs();  // "lab1", ...
[[nodiscard]] std::string after_edit_name(const std::string& lab);
[[nodiscard]] std::string compile_error_name(const std::string& lab);
[[nodiscard]] std::string all_solutions_name();

}  // namespace lab::bench
