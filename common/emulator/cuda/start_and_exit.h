// Environment variables of a program started by `lab run`, and its output at exit.
#pragma once

#include "common/emulator/cuda/state.h"

namespace lab::cuda {

// The options of emulator/options.inc by their environment variables: LAB_DEVICE, LAB_MAX_INSTRUCTIONS. And of `lab run` itself:
// LAB_JSON              file that gets launches and findings at exit, as launch_report.h says
// LAB_REPORT=1          the same as a table on stderr
// LAB_EXIT_ON_FAULT=1   explain misuse and leaks on stderr; exit with 70 if a kernel faulted or raced
// Sets options and device, and what is to be kept. Bad values end the program at once: one line on stderr, status 2.
void apply_environment(RuntimeState& state);

}  // namespace lab::cuda
