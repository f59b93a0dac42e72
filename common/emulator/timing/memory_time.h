// How long the levels of memory need for a launch: each the time that it would take alone, in milliseconds.
#pragma once

#include <array>
#include <cmath>

#include "common/emulator/timing/time_model.h"

namespace lab::timing {

inline constexpr double sector_bytes = 32;
inline constexpr double warp_size = 32;

// What a unit needs for `amount`; a rate of 0 is that of a unit that isn't there, or that nobody knows.
[[nodiscard]] inline double time_for(double amount, double rate) { return rate == 0 ? 0 : amount / rate; }

// Of units that work side by side: where one has far more to do than the others, its time; where several have as much, more, as each waits
// for the others now and then.
template <std::size_t count>
[[nodiscard]] double together(const std::array<double, count>& times) {
    double cubes = 0;
    for (const double time : times) cubes += time * time * time;
    return std::cbrt(cubes);
}

// What leaves the SMs for L2, or, on devices without one, for memory.
struct L2Traffic {
    double load_lines = 0, load_sectors = 0, store_lines = 0, store_sectors = 0, atomic_lines = 0, atomic_sectors = 0;
    [[nodiscard]] double bytes() const { return (load_sectors + store_sectors + atomic_sectors) * sector_bytes; }
};
[[nodiscard]] L2Traffic l2_traffic(const Device& device, const machine::Counters& counters, const LaunchShape& shape);

// Bytes of the first-level cache of an SM that shared memory leaves.
[[nodiscard]] std::uint64_t l1_room(const Device& device, const LaunchShape& shape);

// Whether nothing of the arrays that the launch was given reaches DRAM: a warm launch that L2 has room for.
[[nodiscard]] bool stays_in_l2(const Device& device, const LaunchShape& shape);

// The share of what a launch touches that L2 has room for; 1 without L2, or where nobody knows what is touched.
[[nodiscard]] double kept_in_l2(const Device& device, const LaunchShape& shape);

// Warp instructions of the SASS, with loads vectorised and loops unrolled (load_vectorisation.h, unrolled_loops.h): from compute capability
// 5.0 on, for which this was verified.
[[nodiscard]] double machine_instructions(const Device& device, const machine::Counters& counters);

// Bytes that DRAM has to move, of those that L2 is asked for.
[[nodiscard]] double dram_bytes(const Device& device, const machine::Counters& counters, const L2Traffic& traffic,
                                const LaunchShape& shape);

// Shared memory and the first-level cache, which share their banks. `sms`: that work all the time.
[[nodiscard]] double l1_ms(const Device& device, const machine::Counters& counters, double sms);
// `sector_fill_ms`: as below.
[[nodiscard]] double l2_ms(const Device& device, const L2Traffic& traffic, const machine::Contention& contention, double sector_fill_ms);
// Time of sector fills: L2 reads a partial sector from DRAM if it has to evict it before further stores complete it. `busy`: the share of
// the time in which stores queue, so that some of a sector's stores have arrived and others have not.
[[nodiscard]] double sector_fill_ms(const Device& device, const machine::Counters& counters, const LaunchShape& shape, double busy);
[[nodiscard]] double dram_ms(const Device& device, const machine::Counters& counters, const L2Traffic& traffic, const LaunchShape& shape);

}  // namespace lab::timing
