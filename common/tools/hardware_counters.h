// Nsight Compute's counts: the CSV of `ncu --csv --page raw --metrics ...`, launch by launch.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lab::tools {

struct HardwareLaunch {
    std::string kernel;      // as ncu writes it, "matmul_tiled<16, float>(const float *, ...)"
    std::string capability;  // "9.0"
    std::array<unsigned, 3> grid{}, block{};
    std::map<std::string, double> metrics;  // by ncu's name, "smsp__inst_executed.sum"
};

// In launch order. Throws BadInput if the file can't be read or has no such table.
[[nodiscard]] std::vector<HardwareLaunch> read_hardware_counters(const std::filesystem::path& file);

// The same from the text itself; `name`: its name in messages.
[[nodiscard]] std::vector<HardwareLaunch> parse_hardware_counters(const std::string& text, const std::string& name);

}  // namespace lab::tools
