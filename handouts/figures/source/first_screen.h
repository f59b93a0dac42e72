// The terminal in README's figure.
#pragma once

#include <string>
#include <vector>

namespace lab::report {

// A program with a race, below the project's folder.
[[nodiscard]] std::string program_with_race();
// Output of `./lab run` for it, line by line; a test runs it.
[[nodiscard]] const std::vector<std::string>& race_on_a_terminal();

}  // namespace lab::report
