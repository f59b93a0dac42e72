// Host code that touches what it can't or must not: device pointers, and memory that work in flight uses.
#pragma once

#include <optional>
#include <string>

#include "common/emulator/cuda/state.h"

namespace lab::cuda {

// SIGSEGV comes here first from now on. Touches of memory in flight become findings and go on; all others go to whoever handled
// the signal before, or end the process with one clear line.
void watch_host_faults();

// The same at the start of a process; does nothing if somebody handles the signal already.
void explain_host_faults();

// "your host code used the device pointer 0x..: ..."; "" if the address is none of ours.
[[nodiscard]] std::string host_access_text(const RuntimeState& state, std::uint64_t address);
// The same as a finding; nothing if the address is none of ours.
[[nodiscard]] std::optional<Finding> host_access_finding(const RuntimeState& state, std::uint64_t address);
// "cudaMemcpy at file.cu:12 reads 4096 bytes of host memory, ..." where the calling thread is in the midst of that; or "".
[[nodiscard]] std::string running_copy_text(std::uint64_t address);

}  // namespace lab::cuda
