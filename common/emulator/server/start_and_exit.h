// Environment variables of a program started by `lab run`, and its output at exit.
#pragma once

#include <stdexcept>

#include "common/emulator/server/state.h"

namespace lab::cuda {

// Why there can be no device, in one line.
class BadStart : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// The options of emulator/options.inc by their environment variables: LAB_DEVICE, LAB_MAX_INSTRUCTIONS. And of `lab run` itself:
// LAB_JSON              file that gets launches and findings at exit, as kernel_run.h says
// LAB_REPORT=1          the same as a table on stderr
// LAB_EXIT_ON_FAULT=1   explain misuse and leaks on stderr; exit with 70 if a kernel faulted or raced
// Sets options and device, and what is to be kept. Throws BadStart for bad values: one line on the program's stderr, status 2.
void apply_environment(RuntimeState& state);

// What is to be said and written at the program's end; ends it with the status that follows, if that is not 0.
void end_program(RuntimeState& state);

}  // namespace lab::cuda
