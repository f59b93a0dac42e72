// What becomes of a launch that went wrong.
#pragma once

#include "common/emulator/cuda/state.h"

namespace lab::cuda {

// The error that CUDA reports for a kind of fault.
[[nodiscard]] cudaError_t error_of(machine::FaultKind kind);

// Prints faults and hazards to stderr, keeps them for the session, and sets the error that later calls tell of.
void keep_faults(RuntimeState& state, const machine::LaunchResult& result);

}  // namespace lab::cuda
