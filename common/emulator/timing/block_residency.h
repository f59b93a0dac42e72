// How long a block is there: what its slowest warp does between two barriers, one thing after another, and how often it waits meanwhile.
#pragma once

#include "common/emulator/timing/memory_time.h"

namespace lab::timing {

// Of a launch whose warps wait for nothing but their own instructions and loads: blocks one after another in the places that the SMs have
// for them. 0 where the device's file has no latencies. `sms`: that work all the time.
[[nodiscard]] double waiting_ms(const Device& device, const machine::Counters& counters, const L2Traffic& traffic, const LaunchShape& shape,
                                double sms);

}  // namespace lab::timing
