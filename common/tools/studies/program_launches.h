// The launches of a user's program, as `lab run --json` has them, in figures for tables.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "common/findings/finding.h"

namespace lab::tools {

// What a program that ran under `lab run --json` has left behind.
struct ProgramReport {
    nlohmann::json launches = nlohmann::json::array();
    std::vector<Finding> findings;
};
// Empty where there is no such file: programs that are interrupted or crash leave none.
[[nodiscard]] ProgramReport read_report(const std::filesystem::path& file);

// "32x8" of [32, 8, 1], "4x4x4" of [4, 4, 4].
[[nodiscard]] std::string extents(const nlohmann::json& shape);

// What threads asked for of global memory, in bytes: a program doesn't say what its work is.
[[nodiscard]] double bytes_asked_for(const nlohmann::json& launch);

// Throws BadInput where `file` launched no such kernel; `names`: the plain names of all that it launched. No `kernel`: any will do.
void check_launched(const std::string& file, const std::string& kernel, const std::set<std::string>& names);

}  // namespace lab::tools
