// The studies of kernels among the subcommands of `lab`: profile, sweep, demo.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/tools/compiler_options.h"
#include "common/tools/project.h"

namespace lab::tools {

// Like add_studies(). `words`, those of a program to study, are read when the study runs.
[[nodiscard]] std::function<std::optional<int>(const Project&)> add_kernel_studies(CLI::App& app, const ProgramWords& words);

}  // namespace lab::tools
