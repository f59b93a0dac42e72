#include "common/tools/modelling.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "common/tools/errors.h"

namespace lab::tools {

void add_modelling(CLI::App& app, Modelling& modelling) {
    app.add_flag("--cold", modelling.is_cold, "model launches that find nothing in L2, as the first one does");
    app.add_option("--sample", modelling.max_blocks,
                   "of larger launches run only about so many blocks, which stand for all: estimates, and no results")
        ->check(CLI::PositiveNumber)
        ->type_name("BLOCKS");
}

void check_modelling(const Project& project, const Modelling& modelling) {
    if (project.backend == "gpu" && (modelling.is_cold || modelling.max_blocks != 0)) {
        throw BadInput("--cold and --sample are about modelled times, and here a GPU measures: ./lab --backend emulator ...");
    }
}

std::vector<std::string> notes_on(const Modelling& modelling) {
    std::vector<std::string> notes;
    if (modelling.is_cold) notes.emplace_back("times are of launches that find nothing in L2");
    if (modelling.max_blocks != 0)
        notes.push_back(
            fmt::format("of larger launches about {} blocks ran and stand for all: counts and times are estimates", modelling.max_blocks));
    return notes;
}

}  // namespace lab::tools
