// Time that blocks reside on the SMs: the slowest warp's instructions between barriers, and its waits.
#pragma once

#include "common/emulator/timing/memory_time.h"

namespace lab::timing {

// Time of the launch if its warps waited for nothing but their own instructions and loads: waves of resident blocks, one after another, in
// milliseconds. 0 if the device's file has no latencies. `sms`: how many SMs work all the time, on average.
[[nodiscard]] double waiting_ms(const Device& device, const machine::Counters& counters, const L2Traffic& traffic, const LaunchShape& shape,
                                double sms);

}  // namespace lab::timing
