// PTX read as SASS: the analysis by which the machine counts what the time model needs.
#pragma once

#include "common/emulator/machine/kernel_analysis.h"

namespace lab::timing {

[[nodiscard]] const machine::KernelAnalysis& kernel_analysis();

}  // namespace lab::timing
