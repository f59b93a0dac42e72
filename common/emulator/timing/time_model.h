// Time of a launch on a device, from its counts: each resource's time by itself, combined by a p-norm. handouts/time_model.md explains the
// model, NOTES.md its evidence. Nothing here depends on a kernel's name. A figure missing in a device's file costs no time.
#pragma once

#include <array>
#include <cstdint>

#include "common/emulator/devices/device.h"
#include "common/emulator/machine/launch.h"
#include "common/emulator/timing/sampling.h"

namespace lab::timing {

using devices::Device;

using trace::Resource;
using trace::resource_count;

struct LaunchShape {
    machine::Dim3 grid;
    std::uint32_t blocks_per_sm = 1;    // resident blocks of an SM
    std::uint32_t shared_bytes = 0;     // of a block
    std::uint32_t local_bytes = 0;      // of a thread
    bool is_cold = false;               // L2 holds none of the data before the launch
    std::uint64_t footprint_bytes = 0;  // of the allocations that the kernel may access: an upper bound
    std::uint64_t busiest_bytes = 0;    // of each wave's busiest partition, summed; devices with partitions only
    machine::Contention contention;     // of its atomics
    SampledTraffic sample;              // of sampled blocks
};

struct TimeEstimate {
    double ms = 0;  // of all resources combined, and the launch
    std::array<double, resource_count> resource_ms{};
    double launch_ms = 0;
    Resource limit = Resource::issue;  // the resource with the largest time
    [[nodiscard]] double of(Resource resource) const { return resource_ms[static_cast<std::size_t>(resource)]; }
};

// Time between two events around a warm launch (repeated on the same buffers, so that L2 holds what fits), or a cold one if the shape says
// so.
[[nodiscard]] TimeEstimate modelled(const Device& device, const machine::Counters& counters, const LaunchShape& shape);

// Blocks to sample for LaunchShape::sample.
[[nodiscard]] Sampling sampling_for(const Device& device, const LaunchShape& shape);

// Time of a copy of `bytes`, in milliseconds.
enum class CopyPath : std::uint8_t { pinned, pageable, device, set };
[[nodiscard]] double modelled_copy_ms(const Device& device, std::uint64_t bytes, CopyPath path);

}  // namespace lab::timing
