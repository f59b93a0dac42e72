// Time that blocks reside on the SMs: the slowest warp's instructions between barriers, and its waits.
#pragma once

#include "common/emulator/timing/memory_time.h"

namespace lab::timing {

// Time in milliseconds of a launch whose warps wait only for their own instructions and loads: consecutive waves of resident blocks. 0 if
// the device's file has no latencies. `sms`: mean number of busy SMs.
[[nodiscard]] double waiting_ms(const Device& device, const machine::Counters& counters, const L2Traffic& traffic, const LaunchShape& shape,
                                double sms);

}  // namespace lab::timing
