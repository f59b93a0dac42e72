// PTX read as SASS: the static analysis by which the machine counts the time model's inputs.
#pragma once

#include "common/emulator/machine/kernel_analysis.h"

namespace lab::timing {

[[nodiscard]] const machine::KernelAnalysis& kernel_analysis();

}  // namespace lab::timing
