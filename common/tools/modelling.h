// Options of modelled times that several subcommands share.
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
    bool is_cold = false;          // of a launch that finds nothing in L2, not of one repeated
    std::uint64_t max_blocks = 0;  // of a larger launch only about so many run and stand for all; 0: all run
};

// Adds --cold and --sample.
void add_modelling(CLI::App& app, Modelling& modelling);

// Throws BadInput where a GPU measures.
void check_modelling(const Project& project, const Modelling& modelling);

// What a table made with these has to say.
[[nodiscard]] std::vector<std::string> notes_on(const Modelling& modelling);

}  // namespace lab::tools
