#include "common/tools/command_line.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "common/tools/errors.h"

namespace lab::tools {

std::vector<std::string> words_of(int count, char** words) { return {words + std::min(count, 1), words + count}; }

std::unique_ptr<CLI::App> lab_app() {
    auto app = std::make_unique<CLI::App>("A CUDA teaching lab: edit labs/, then ./lab grade", "lab");
    app->require_subcommand(1);
    app->footer("Before any subcommand: --yes (install what is missing without asking), --no-install, --backend emulator|gpu.");
    return app;
}

int run_command_line(CLI::App& app, const std::vector<std::string>& words, const std::function<int()>& chosen) {
    try {
        try {
            app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // last word first, as CLI11 takes them
        } catch (const CLI::Success& success) {
            return app.exit(success);
        } catch (const CLI::ParseError& error) {
            const auto subcommands = app.get_subcommands();
            throw BadInput(
                fmt::format("{} (see ./lab {}--help)", error.what(), subcommands.empty() ? "" : subcommands[0]->get_name() + " "));
        }
        return chosen();
    } catch (const std::exception& problem) {
        fmt::print(stderr, "lab: {}\n", problem.what());
        return exit_bad_input;
    }
}

}  // namespace lab::tools
