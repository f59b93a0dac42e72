// What README's figure shows of a terminal.
#pragma once

#include <string>
#include <vector>

namespace lab::report {

// A program with a race, below the project's folder.
[[nodiscard]] std::string program_with_race();
// What `./lab run` prints of it, line by line; a test runs it.
[[nodiscard]] const std::vector<std::string>& race_on_a_terminal();

}  // namespace lab::report
