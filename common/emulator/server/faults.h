// Errors and findings of a launch that failed.
#pragma once

#include "common/emulator/server/state.h"

namespace lab::cuda {

// CUDA's error for a launch that a finding of this kind ended.
[[nodiscard]] cudaError_t error_of(FindingKind kind);

// Prints the findings to stderr, records them for the session, and sets the error that later calls return.
void keep_findings(RuntimeState& state, const machine::LaunchResult& result);

}  // namespace lab::cuda
