// Command line of the programs behind `lab`: parsing of words into a subcommand, and error messages.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace lab::tools {

// Words after the program's name, from main()'s arguments.
[[nodiscard]] std::vector<std::string> words_of(int count, char** words);

// An application whose --help has the same form in all programs behind `lab`.
[[nodiscard]] std::unique_ptr<CLI::App> lab_app();

// Parses `words` and calls `chosen`, which runs the subcommand. Returns the exit status: that of `chosen`, 0 for --help, or 2 after one
// line on stderr for bad input.
[[nodiscard]] int run_command_line(CLI::App& app, const std::vector<std::string>& words, const std::function<int()>& chosen);

}  // namespace lab::tools
