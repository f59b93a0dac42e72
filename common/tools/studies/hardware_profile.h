// Launches counted by the hardware: ncu around the runner, which makes only that call, or around any program.
#pragma once

#include "common/tools/hardware_counters.h"
#include "common/tools/studies/figures.h"
#include "common/tools/studies/study_runner.h"

namespace lab::tools {

// Throws BadInput if there is no ncu on PATH. `otherwise`: the alternative for the user, a sentence.
void check_ncu(const std::string& otherwise);

// All launches of a program, given with its arguments. Throws BadInput with the end of its output if ncu fails. `metrics`: ncu's names,
// separated by commas; those of a profile if "".
[[nodiscard]] std::vector<HardwareLaunch> count_launches(const Project& project, const std::vector<std::string>& program,
                                                         const std::string& metrics = {});

[[nodiscard]] Figures count_on_hardware(const Project& project, StudyRunner& runner, StudyAsk ask, const StudyDevice& device);

}  // namespace lab::tools
