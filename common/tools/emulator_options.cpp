#include "common/tools/emulator_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "common/tools/errors.h"

namespace lab::tools {

void add_emulator_options(CLI::App& app, EmulatorOptions& options, std::initializer_list<const char*> names) {
    for (const char* const name : names) {
        const emulator::OptionRow& row = emulator::option_row(name);
        const auto set = [&options, &row](const std::string& text) {
            try {
                row.set(options, text);
            } catch (const emulator::BadOption& problem) {
                throw CLI::ValidationError(row.flag() + " " + text, problem.what());
            }
            options.given.insert(row.name);
        };
        if (row.is_flag()) {
            app.add_flag_callback(
                row.flag(), [set] { set("1"); }, row.help);
        } else {
            app.add_option_function<std::string>(row.flag(), set, row.help)->type_name(row.argument);
        }
    }
}

void add_device(CLI::App& app, std::string& device) {
    const emulator::OptionRow& row = emulator::option_row("device");
    app.add_option(row.flag(), device, row.help)->type_name(row.argument);
}

void check_emulator_options(const Project& project, const EmulatorOptions& options) {
    if (project.backend != "gpu") return;
    for (const emulator::OptionRow& row : emulator::option_rows()) {
        if (options.has(row))
            throw BadInput(fmt::format("{} is for the emulator, and here a GPU runs: ./lab --backend emulator ...", row.flag()));
    }
}

std::vector<std::string> notes_on(const EmulatorOptions& options) {
    std::vector<std::string> notes;
    if (options.is_cold) notes.emplace_back("times are of launches that find nothing in L2");
    if (options.max_blocks != 0)
        notes.push_back(
            fmt::format("of larger launches about {} blocks ran and stand for all: counts and times are estimates", options.max_blocks));
    return notes;
}

std::vector<std::pair<std::string, std::string>> environment_of(const EmulatorOptions& options) {
    std::vector<std::pair<std::string, std::string>> environment;
    for (const emulator::OptionRow& row : emulator::option_rows()) {
        if (options.has(row)) environment.emplace_back(row.environment(), row.text(options));
    }
    return environment;
}

}  // namespace lab::tools
