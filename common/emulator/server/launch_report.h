// The launches of a program for `lab run --json` and `--report`, and as a table.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/trace/launch.h"

namespace lab::cuda {

// The file of `lab run --json`: {"version": of the form, "launches", "findings"}, both as common/trace/json.h says.
[[nodiscard]] nlohmann::json to_json(const std::vector<trace::Launch>& launches, const std::vector<Finding>& findings);

// Two lines a launch, with a head, in 80 columns; for a terminal.
[[nodiscard]] std::string to_table(const std::vector<trace::Launch>& launches);

}  // namespace lab::cuda
