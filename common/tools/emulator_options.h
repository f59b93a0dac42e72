// The emulator's options (emulator/options.inc) on command lines, and on their way to a program.
#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/emulator/options.h"
#include "common/tools/project.h"

namespace CLI {
class App;
}

namespace lab::tools {

struct EmulatorOptions : emulator::Options {
    std::set<std::string> given;  // names of those that the command line has, also where it says the default

    [[nodiscard]] bool has(const emulator::OptionRow& row) const { return given.count(row.name) != 0 || !row.is_default(*this); }
};

// Adds the options of these names, with their help. A value that an option can't have is an error of the command line.
void add_emulator_options(CLI::App& app, EmulatorOptions& options, std::initializer_list<const char*> names);
// Adds --device: an id or a file that study_device.h makes a device of.
void add_device(CLI::App& app, std::string& device);

// Throws BadInput where a GPU runs the kernels, and an option is given that is for the emulator.
void check_emulator_options(const Project& project, const EmulatorOptions& options);

// Notes below a table that was made with these options.
[[nodiscard]] std::vector<std::string> notes_on(const EmulatorOptions& options);

// Environment variables that give a program these options.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> environment_of(const EmulatorOptions& options);

}  // namespace lab::tools
