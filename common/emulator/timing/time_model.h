// From what a launch counted to its time on a device. What each unit needs for its part is worked out by itself, as if the others took no
// time; then they are put together: units work side by side, but not perfectly so. common/README.md says more, handouts/time_model.md
// explains it to students. Nothing here knows a kernel by name. A figure that a device's file leaves out is taken for free.
#pragma once

#include <array>
#include <cstdint>

#include "common/emulator/devices/device.h"
#include "common/emulator/machine/launch.h"
#include "common/emulator/timing/sampling.h"

namespace lab::timing {

using devices::Device;

enum class Bound : std::uint8_t { issue, arithmetic, l1, l2, dram, bus, blocks, waiting };
inline constexpr std::size_t bound_count = 8;
[[nodiscard]] const char* name_of(Bound bound);

struct LaunchShape {
    machine::Dim3 grid;
    std::uint32_t blocks_per_sm = 1;    // that an SM holds at a time
    std::uint32_t shared_bytes = 0;     // of a block
    std::uint32_t local_bytes = 0;      // of a thread
    bool is_cold = false;               // nothing of it is in L2 before
    std::uint64_t footprint_bytes = 0;  // of the allocations that the kernel was given; what it can touch at most
    std::uint64_t busiest_bytes = 0;    // of each wave's busiest partition, summed; where the device has partitions
    machine::Contention contention;     // of its atomics
    SampledTraffic sample;              // of some blocks that run at the same time
};

struct TimeEstimate {
    double ms = 0;  // all together, with the launch
    std::array<double, bound_count> terms_ms{};
    double launch_ms = 0;
    Bound bound = Bound::issue;  // the largest of the terms
    [[nodiscard]] double of(Bound term) const { return terms_ms[static_cast<std::size_t>(term)]; }
};

// A warm launch unless the shape is cold: repeated on the same buffers, from event to event. What fits into L2 is still there from
// the launch before.
[[nodiscard]] TimeEstimate modelled(const Device& device, const machine::Counters& counters, const LaunchShape& shape);

// Of a launch of this shape: which blocks to look at, access by access, for LaunchShape::sample.
[[nodiscard]] Sampling sampling_for(const Device& device, const LaunchShape& shape);

// Time of a copy of `bytes`, in milliseconds.
enum class CopyPath : std::uint8_t { pinned, pageable, device, set };
[[nodiscard]] double modelled_copy_ms(const Device& device, std::uint64_t bytes, CopyPath path);

}  // namespace lab::timing
