// Launches counted by the hardware: ncu around the runner, which makes only that call, or around any program.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "common/tools/studies/figures.h"
#include "common/tools/studies/study_runner.h"

namespace lab::tools {

// Nsight Compute's counts of one launch: a line of the CSV of `ncu --csv --page raw --metrics ...`.
struct HardwareLaunch {
    std::string kernel;      // as ncu writes it, "matmul_tiled<16, float>(const float *, ...)"
    std::string capability;  // "9.0"
    std::array<unsigned, 3> grid{}, block{};
    std::map<std::string, double> metrics;  // by ncu's name, "smsp__inst_executed.sum"
};

// Throws BadInput if there is no ncu on PATH. `otherwise`: the alternative for the user, a sentence.
void check_ncu(const std::string& otherwise);

// All launches of a program, given with its arguments. Throws BadInput with the end of its output if ncu fails. `metrics`: ncu's names,
// separated by commas; those of a profile if "".
[[nodiscard]] std::vector<HardwareLaunch> count_launches(const Project& project, const std::vector<std::string>& program,
                                                         const std::string& metrics = {});

[[nodiscard]] Figures count_on_hardware(const Project& project, StudyRunner& runner, StudyAsk ask, const StudyDevice& device);

// In launch order. Throws BadInput if the file can't be read or has no such table.
[[nodiscard]] std::vector<HardwareLaunch> read_hardware_counters(const std::filesystem::path& file);

// The same from the text itself; `name`: its name in messages.
[[nodiscard]] std::vector<HardwareLaunch> parse_hardware_counters(const std::string& text, const std::string& name);

}  // namespace lab::tools
