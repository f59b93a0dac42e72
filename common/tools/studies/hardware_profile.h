// A kernel counted by the hardware itself: ncu around the runner, which makes the same call alone.
#pragma once

#include "common/tools/studies/figures.h"
#include "common/tools/studies/study_runner.h"

namespace lab::tools {

// Throws BadInput where there is no ncu on PATH.
void check_ncu();

[[nodiscard]] Figures count_on_hardware(const Project& project, StudyRunner& runner, StudyAsk ask, const StudyDevice& device);

}  // namespace lab::tools
