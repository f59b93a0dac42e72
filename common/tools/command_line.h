// Command line of the programs behind `lab`: parsing of words into a subcommand, and error messages.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/tools/project.h"

namespace lab::tools {

// Words after the program's name, from main()'s arguments.
[[nodiscard]] std::vector<std::string> words_of(int count, char** words);

// An application whose --help has the same form in all programs behind `lab`.
[[nodiscard]] std::unique_ptr<CLI::App> lab_app();

// Parses `words` and calls `chosen`, which runs the subcommand. Returns the exit status: that of `chosen`, 0 for --help, or 2 after one
// line on stderr for bad input.
[[nodiscard]] int run_command_line(CLI::App& app, const std::vector<std::string>& words, const std::function<int()>& chosen);

// The subcommands of one program.
class Commands {
public:
    // `describe` declares the subcommand's options, whose defaults are `options`; `run` returns the exit status.
    template <typename Options>
    void add(const char* name, const char* help, void (*describe)(CLI::App&, Options&), int (*run)(const Project&, const Options&),
             Options options = {}) {
        CLI::App* const command = app_->add_subcommand(name, help);
        const auto values = std::make_shared<Options>(std::move(options));
        describe(*command, *values);
        all_.emplace_back(command, [=](const Project& project) { return run(project, *values); });
    }

    // Runs the subcommand that the words name, like run_command_line().
    [[nodiscard]] int run(const std::vector<std::string>& words) const;

private:
    std::unique_ptr<CLI::App> app_ = lab_app();
    std::vector<std::pair<const CLI::App*, std::function<int(const Project&)>>> all_;
};

}  // namespace lab::tools
