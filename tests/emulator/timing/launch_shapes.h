// Launches whose times are worked out by hand.
#pragma once

#include "common/emulator/timing/time_model.h"

namespace lab::timing {

constexpr std::uint64_t million = 1'000'000;

inline LaunchShape shape_of(std::uint32_t blocks) {
    LaunchShape shape;
    shape.grid = {blocks, 1, 1};
    return shape;
}
// 16 blocks for each SM of an H100.
inline LaunchShape full_device() { return shape_of(132 * 16); }

// Time that one resource would need alone, in milliseconds.
inline double term(const Device& device, const machine::Counters& counters, const LaunchShape& shape, Resource bound) {
    return modelled(device, counters, shape).of(bound);
}

}  // namespace lab::timing
