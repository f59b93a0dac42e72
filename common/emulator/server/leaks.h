// Device memory that a program has not freed.
#pragma once

#include <cstdint>
#include <string>

#include "common/emulator/server/state.h"

namespace lab::cuda {

// Live allocations as a text of several lines; "" if there are none, or if a fault keeps cudaFree from working.
[[nodiscard]] std::string leak_report(const RuntimeState& state);

// Records a finding for each source line whose allocations since begin_watch() are still live. Prints nothing.
void keep_leaks(RuntimeState& state);

// The id of the newest live allocation; 0 without any.
[[nodiscard]] std::uint64_t latest_allocation(const RuntimeState& state);

}  // namespace lab::cuda
