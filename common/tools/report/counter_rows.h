// The counters that a report shows: names, units, and their values in a launch or a line of it.
#pragma once

#include <nlohmann/json.hpp>

namespace lab::tools {

// [{"name", "ncu", "nvprof", "unit", "text", "by_line"}], in the order in which they are shown.
[[nodiscard]] nlohmann::json counter_rows();

// Values by name, of a launch as `lab run --json` has it, or of one of its lines; those that it doesn't have or that are 0 in a line are
// left out.
[[nodiscard]] nlohmann::json counter_values(const nlohmann::json& launch);
[[nodiscard]] nlohmann::json counter_values_of_line(const nlohmann::json& line);

}  // namespace lab::tools
