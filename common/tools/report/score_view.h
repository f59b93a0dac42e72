// A verdict as the page of `lab report` shows it.
#pragma once

#include <nlohmann/json.hpp>

#include "common/tools/report/sources.h"
#include "common/tools/score.h"

namespace lab::tools {

[[nodiscard]] nlohmann::json score_view(const LabScore& score, ReportSources* sources);

// [{"text", "places", "finding"}] of a program's findings.
[[nodiscard]] nlohmann::json findings_view(const std::vector<Finding>& findings, ReportSources* sources);

}  // namespace lab::tools
