// Accesses of the program to memory that it can't touch.
#pragma once

#include <optional>
#include <string>

#include "common/emulator/server/state.h"

namespace lab::cuda {

// One line about an access that ends the program, with what to do; "" if the address is none of ours.
[[nodiscard]] std::string explained_access(const RuntimeState& state, std::uint64_t address, bool is_write);

// The same as a finding; nothing if the address is none of ours.
[[nodiscard]] std::optional<Finding> host_access_finding(const RuntimeState& state, std::uint64_t address);
// "cudaMemcpy at file.cu:12 reads 4096 bytes of host memory, ..." if the calling thread is executing that copy, or "... of M, which has
// 1024" if `array` lies around the address; "" otherwise.
[[nodiscard]] std::string running_copy_text(std::uint64_t address, const HostArray& array = {});

}  // namespace lab::cuda
