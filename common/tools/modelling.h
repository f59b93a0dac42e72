// Options of modelled times, shared by several subcommands.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/tools/project.h"

namespace CLI {
class App;
}

namespace lab::tools {

struct Modelling {
    bool is_cold = false;          // of a launch with an empty L2, not of a repeated one
    std::uint64_t max_blocks = 0;  // sample size for larger launches; 0: all blocks run
};

// Adds --cold and --sample.
void add_modelling(CLI::App& app, Modelling& modelling);

// Throws BadInput if a GPU measures.
void check_modelling(const Project& project, const Modelling& modelling);

// Notes below a table made with these options.
[[nodiscard]] std::vector<std::string> notes_on(const Modelling& modelling);

}  // namespace lab::tools
