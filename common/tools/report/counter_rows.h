// The counters that a report shows: names, units, and their values in a launch or a line of it.
#pragma once

#include <nlohmann/json.hpp>

#include "common/trace/launch.h"

namespace lab::tools {

// [{"name", "ncu", "nvprof", "unit", "text", "by_line"}], in the order in which they are shown.
[[nodiscard]] nlohmann::json counter_rows();

// Values by name, of a launch, or of one of its lines without those that are 0.
[[nodiscard]] nlohmann::json counter_values(const trace::Launch& launch);
[[nodiscard]] nlohmann::json counter_values_of_line(const trace::LineCounts& line);

}  // namespace lab::tools
