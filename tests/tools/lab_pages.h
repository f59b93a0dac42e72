// Compares the labs' folders and suites with README.md and the handouts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/tools/score.h"

namespace lab::tools {

// The cells of each row of Markdown's tables, in order; cells have no blanks at their ends.
[[nodiscard]] std::vector<std::vector<std::string>> table_rows(const std::string& markdown);

// Differences between the folders below labs/ and their names, files and titles in README.md, handouts/README.md and the handouts. A lab's
// title is the first line of its handout.
[[nodiscard]] std::vector<std::string> differences_of_pages(const std::filesystem::path& root);

// The tests of a lab's suite in the folder of programs `bin`, each with its group and points; none is run.
[[nodiscard]] std::vector<TestScore> described_tests(const std::filesystem::path& bin, const std::string& lab);

// Differences between the points of a lab's tests and its handout's table, whose rows are "
//  group
//  points
//  what
// ". Numbers in parentheses in a row are the shares of its points.
[[nodiscard]] std::vector<std::string> differences_of_points(const std::string& handout, const std::vector<TestScore>& tests);

}  // namespace lab::tools
