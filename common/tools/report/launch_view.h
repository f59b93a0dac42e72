// A launch whose accesses were recorded, as the page of `lab report` shows it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/emulator/devices/device.h"
#include "common/tools/report/sources.h"
#include "common/tools/studies/study_kernel.h"
#include "common/trace/launch.h"

namespace lab::tools {

// What is known of a launch besides what the emulator says.
struct LaunchSubject {
    std::string name;          // "matmul_tiled, 1024 x 1024"
    std::optional<Size> size;  // size of its matrices
    UsefulWork work;           // nothing where it isn't known
    std::uint32_t element_bytes = 4;
    std::vector<StudyArray> arrays;  // by the names that the emulator knows them by
    std::size_t launches = 1;        // that the call made
};

[[nodiscard]] nlohmann::json launch_view(const trace::Launch& launch, const LaunchSubject& subject, const devices::Device& device,
                                         ReportSources* sources);

// The counters that a report shows:
// [{"name", "ncu", "nvprof", "unit", "text", "by_line"}], in the order in which they are shown.
[[nodiscard]] nlohmann::json counter_rows();

// Values by name, of a launch, or of one of its lines without those that are 0.
[[nodiscard]] nlohmann::json counter_values(const trace::Launch& launch);
[[nodiscard]] nlohmann::json counter_values_of_line(const trace::LineCounts& line);

// Adds "objects", "blocks", "accesses", "shared", "other_races", "tiles" and "recording_note".
void add_recording(const trace::Launch& launch, const LaunchSubject& subject, ReportSources* sources, nlohmann::json* view);

}  // namespace lab::tools
