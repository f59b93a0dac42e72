// What becomes of a launch that went wrong.
#pragma once

#include "common/emulator/cuda/state.h"

namespace lab::cuda {

// The error that CUDA reports for a launch that such a finding ended.
[[nodiscard]] cudaError_t error_of(FindingKind kind);

// Prints what was found to stderr, keeps it for the session, and sets the error that later calls tell of.
void keep_findings(RuntimeState& state, const machine::LaunchResult& result);

}  // namespace lab::cuda
