// Resource times of the memory levels: the time in milliseconds that each would need for a launch by itself.
#pragma once

#include <array>
#include <cmath>

#include "common/emulator/timing/constants.h"
#include "common/emulator/timing/time_model.h"

namespace lab::timing {

// Time for `amount` at `rate`. A rate of 0 means that the unit doesn't exist or is unknown: it takes no time.
[[nodiscard]] inline double time_for(double amount, double rate) { return rate == 0 ? 0 : amount / rate; }

// Cube root of a number that is not negative, by Newton's method. Only operations that IEEE 754 rounds exactly, so that modelled times are
// the same on every machine, to the last digit: C libraries differ in theirs.
[[nodiscard]] inline double cube_root(double value) {
    if (value == 0) return 0;
    int exponent = 0;
    double scaled = std::frexp(value, &exponent);
    for (; exponent % 3 != 0; ++exponent) scaled /= 2;
    double root = 0.4 + 0.6 * scaled;  // of 1/8 to 1
    for (int step = 0; step < 6; ++step) root -= (root * root * root - scaled) / (3 * root * root);
    return std::ldexp(root, exponent / 3);
}

// 3-norm of the times of resources that work in parallel: near the largest if one dominates, more if several are equal, since each
// sometimes waits for the others. NOTES.md, 6.
template <std::size_t count>
[[nodiscard]] double norm_of(const std::array<double, count>& times) {
    double cubes = 0;
    for (const double time : times) cubes += time * time * time;
    return cube_root(cubes);
}

// Traffic from the SMs to L2, or to DRAM on devices without L2.
struct L2Traffic {
    double load_lines = 0, load_sectors = 0, store_lines = 0, store_sectors = 0, atomic_lines = 0, atomic_sectors = 0;
    [[nodiscard]] double bytes() const { return (load_sectors + store_sectors + atomic_sectors) * sector_bytes; }
};
[[nodiscard]] L2Traffic l2_traffic(const Device& device, const machine::Counters& counters, const LaunchShape& shape);

// Bytes of an SM's L1 that are not shared memory.
[[nodiscard]] std::uint64_t l1_room(const Device& device, const LaunchShape& shape);

// Whether L2 serves all of the launch's arrays: a warm launch whose footprint fits.
[[nodiscard]] bool stays_in_l2(const Device& device, const LaunchShape& shape);

// Warp instructions of the SASS, with loads vectorised and loops unrolled (sass.h, unrolled_loops.h) from compute capability
// 5.0 on, for which this was verified.
[[nodiscard]] double sass_instructions(const Device& device, const machine::Counters& counters);

// Bytes of the L2 traffic that DRAM moves.
[[nodiscard]] double dram_bytes(const Device& device, const machine::Counters& counters, const L2Traffic& traffic,
                                const LaunchShape& shape);

// L1 and shared memory, which share their banks. `sms`: mean number of busy SMs.
[[nodiscard]] double l1_ms(const Device& device, const machine::Counters& counters, double sms);
// L2, with the sector fills.
[[nodiscard]] double l2_ms(const Device& device, const machine::Counters& counters, const L2Traffic& traffic, const LaunchShape& shape);
[[nodiscard]] double dram_ms(const Device& device, const machine::Counters& counters, const L2Traffic& traffic, const LaunchShape& shape);

// Time in milliseconds of a launch whose warps wait only for their own instructions and loads: consecutive waves of resident blocks. 0 if
// the device's file has no latencies. `sms`: mean number of busy SMs.
[[nodiscard]] double waiting_ms(const Device& device, const machine::Counters& counters, const L2Traffic& traffic, const LaunchShape& shape,
                                double sms);

}  // namespace lab::timing
