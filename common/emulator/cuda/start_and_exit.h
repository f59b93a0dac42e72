// Environment variables of a program started by `lab run`, and its output at exit.
#pragma once

#include "common/emulator/cuda/state.h"

namespace lab::cuda {

// LAB_DEVICE            which device: "h100"
// LAB_BLOCKS            KERNEL=32x8: launches of that kernel get such blocks, and as many as cover the same threads
// LAB_COLD=1            times of launches that find nothing in L2
// LAB_MOST_BLOCKS       larger launches run about so many blocks only, as Options::max_blocks says; 0: all
// LAB_THREADS           host threads that run blocks; 0: one a core
// LAB_MAX_INSTRUCTIONS  warp instructions after which a launch counts as endless
// LAB_JSON              file that gets launches and findings at exit, as launch_report.h says
// LAB_REPORT=1          the same as a table on stderr
// LAB_CHECK             "api,host": of these two checks only those named are made, and what they find counts as a fault
// LAB_EXIT_ON_FAULT=1   explain misuse and leaks on stderr; exit with 70 if a kernel faulted or raced
// Sets options and device, and what is to be kept. Bad values end the program at once: one line on stderr, status 2.
void apply_environment(RuntimeState& state);

}  // namespace lab::cuda
