// The studies among the subcommands of `lab`: their options, and what runs them.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>

#include "common/tools/project.h"

namespace lab::tools {

// Adds the subcommands. What is returned runs the one that was chosen, for its exit status; nothing if it was none of these.
[[nodiscard]] std::function<std::optional<int>(const Project&)> add_studies(CLI::App& app);

}  // namespace lab::tools
