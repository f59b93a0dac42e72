// Host accesses to memory that the host can't or must not touch: device pointers, and memory that outstanding work uses.
#pragma once

#include <optional>
#include <string>

#include "common/emulator/cuda/state.h"

namespace lab::cuda {

// Installs the handler of SIGSEGV. An access to memory of outstanding work becomes a finding, and the program continues. Any other goes to
// the previous handler, or ends the process with one clear line.
void watch_host_faults();

// Installs the handler at the start of a process, unless the signal already has one.
void explain_host_faults();

// "your host code used the device pointer 0x..: ..."; "" if the address is none of ours.
[[nodiscard]] std::string host_access_text(const RuntimeState& state, std::uint64_t address);
// The same as a finding; nothing if the address is none of ours.
[[nodiscard]] std::optional<Finding> host_access_finding(const RuntimeState& state, std::uint64_t address);
// "cudaMemcpy at file.cu:12 reads 4096 bytes of host memory, ..." if the calling thread is executing that copy, or "... of M, which has
// 1024" if `array` lies around the address; "" otherwise.
[[nodiscard]] std::string running_copy_text(std::uint64_t address, const HostArray& array = {});

}  // namespace lab::cuda
