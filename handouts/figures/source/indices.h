// Numbers behind the figures about grids, blocks, threads and warps.
#pragma once

#include <cstdint>
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

// The warp of thread (x, y) of a block that is `columns` threads wide.
[[nodiscard]] inline int warp_of(int columns, int x, int y) { return (y * columns + x) / warp_threads; }

// One instruction of a warp: which lanes execute it, and whether it belongs to side A or B of a branch, or to neither (0).
struct IssuedStep {
    char side = 0;
    std::uint32_t lanes = 0;
};
// The condition, then `length` instructions of each side that some lane takes, then one with all lanes again. Lanes of
// `taken` go to side A.
[[nodiscard]] std::vector<IssuedStep> branch_steps(std::uint32_t taken, int length);

inline constexpr int floats_of_a_cache_line = 64 / 4;

// Elements that a loop visits in a row-major array that begins at a cache line, and the cache lines of 64 bytes that it touches, by
// number, in the order of first touch.
struct LoopWalk {
    std::vector<int> elements;
    std::vector<int> cache_lines;
};
// `iterations` floats from element `first` on, `stride` elements apart.
[[nodiscard]] LoopWalk walk_of(int first, int stride, int iterations);

}  // namespace lab::report
