#include "common/tools/command_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <set>

#include "common/tools/errors.h"
#include "common/tools/terminal.h"

namespace lab::tools {
namespace {

// CLI11's own, with lines that fit a terminal's usual width.
class FoldedHelp : public CLI::Formatter {
public:
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
        return folded(CLI::Formatter::make_help(app, std::move(name), mode), usual_width);
    }
};

// CLI11 converts negative numbers to large ones. Sizes and shapes have their own error message.
void refuse_negative_numbers(const std::vector<std::string>& words) {
    static const std::set<std::string> counts{"--seed",   "--sample",    "--threads", "--max-instructions",
                                              "--shared", "--registers", "--repeats", "--jobs"};
    const auto is_negative = [](const std::string& word) {
        return word.size() > 1 && word[0] == '-' && word.find_first_not_of("0123456789.", 1) == std::string::npos;
    };
    for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
        const std::size_t equals = words[i].find('=');
        const std::string option = words[i].substr(0, equals);
        const std::string value = equals != std::string::npos ? words[i].substr(equals + 1) : i + 1 < words.size() ? words[i + 1] : "";
        if (counts.contains(option) && is_negative(value))
            throw BadInput(fmt::format("{} {}: has to be a number from 0 up", option, value));
    }
}

}  // namespace

std::vector<std::string> words_of(int count, char** words) { return {words + std::min(count, 1), words + count}; }

std::unique_ptr<CLI::App> lab_app() {
    auto app = std::make_unique<CLI::App>("A CUDA teaching lab: edit labs/, then ./lab grade", "lab");
    app->formatter(std::make_shared<FoldedHelp>());
    app->require_subcommand(1);
    app->footer(
        "Before any subcommand: --yes (install what is missing without asking), --no-install, --backend emulator|gpu, --color "
        "always|never.");
    return app;
}

int run_command_line(CLI::App& app, const std::vector<std::string>& words, const std::function<int()>& chosen) {
    try {
        refuse_negative_numbers(words);
        try {
            app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // last word first, as CLI11 requires
        } catch (const CLI::Success& success) {
            return app.exit(success);
        } catch (const CLI::ParseError& error) {
            const auto subcommands = app.get_subcommands();
            throw BadInput(
                fmt::format("{} (see ./lab {}--help)", error.what(), subcommands.empty() ? "" : subcommands[0]->get_name() + " "));
        }
        return chosen();
    } catch (const std::exception& problem) {
        const std::string line = fmt::format("lab: {}\n", problem.what());
        fmt::print(stderr, "{}", isatty(STDERR_FILENO) == 1 ? folded(line, terminal_of(stderr).width) : line);  // programs read one line
        return exit_bad_input;
    }
}

int Commands::run(const std::vector<std::string>& words) const {
    return run_command_line(*app_, words, [&] {
        const auto chosen = std::find_if(all_.begin(), all_.end(), [](const auto& each) { return each.first->parsed(); });
        return chosen->second(Project::current());
    });
}

}  // namespace lab::tools
