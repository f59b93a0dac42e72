// Launches of a user's program, from `lab run --json`, as figures for tables.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "common/findings/finding.h"
#include "common/trace/launch.h"

namespace lab::tools {

// Report that a program under `lab run --json` left.
struct ProgramReport {
    std::vector<trace::Launch> launches;
    std::vector<Finding> findings;
};
// Empty if there is no such file: programs that are interrupted or crash leave none.
[[nodiscard]] ProgramReport read_report(const std::filesystem::path& file);

// "32x8" of 32 x 8 x 1, "4x4x4" of 4 x 4 x 4.
[[nodiscard]] std::string extents(const trace::Size& shape);

// Bytes of global memory that threads requested: a program's useful work is unknown.
[[nodiscard]] double bytes_asked_for(const trace::Launch& launch);

// Throws BadInput if `file` launched no such kernel; `names`: the plain names of all that it launched. Without `kernel`, any will do.
void check_launched(const std::string& file, const std::string& kernel, const std::set<std::string>& names);

}  // namespace lab::tools
