// Numbers behind the figures about grids, blocks, threads and warps.
#pragma once

#include <vector>

namespace lab::report {

constexpr int warp_threads = 32;

// A warp of a one-dimensional launch.
struct StripWarp {
    int block = 0;
    int warp = 0;       // in its block
    int first = 0;      // element of its first thread
    int threads = 0;    // fewer than 32 in a block's last warp
    int in_bounds = 0;  // threads that have an element
};
// The warps of a launch with as many blocks of `block` threads as n elements need.
[[nodiscard]] std::vector<StripWarp> strip_of(int n, int block);

}  // namespace lab::report
