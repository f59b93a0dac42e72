// The recorded accesses of a launch as the page of `lab report` shows them.
#pragma once

#include <nlohmann/json.hpp>

#include "common/tools/report/launch_view.h"
#include "common/trace/launch.h"

namespace lab::tools {

// Adds "objects", "blocks", "accesses", "shared", "other_races", "tiles" and "recording_note".
void add_recording(const trace::Launch& launch, const LaunchSubject& subject, ReportSources* sources, nlohmann::json* view);

}  // namespace lab::tools
