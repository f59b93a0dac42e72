// The studies of GPUs among the subcommands of `lab`: their options and functions.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>

#include "common/tools/project.h"

namespace lab::tools {

// Adds the subcommands. The returned function runs the chosen one and returns its exit status; nothing if another subcommand was chosen.
[[nodiscard]] std::function<std::optional<int>(const Project&)> add_studies(CLI::App& app);

}  // namespace lab::tools
