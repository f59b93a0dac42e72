// From the counts of a launch to its time on a device: the largest of what each unit needs, plus the cost of launching.
// A first model. It knows no latency and has no cache: every sector is asked of L2, and DRAM gives each byte of the kernel's
// footprint once, or nothing at all if the footprint fits into L2 (a warm launch, repeated on the same buffers). Kernels that live
// from L1 hits, or that wait more than they work, come out wrong by as much.
// Where DRAM has partitions that take addresses in turn, it needs as long as the busiest one of each wave of blocks does. Where
// there is no L2, every transaction goes to DRAM.
#pragma once

#include <cstdint>

#include "common/emulator/devices/device.h"
#include "common/emulator/machine/launch.h"

namespace lab::devices {

enum class Bound : std::uint8_t { issue, l1, l2, dram, bus, blocks };
[[nodiscard]] const char* name_of(Bound bound);

struct LaunchShape {
    machine::Dim3 grid, block;
    std::uint32_t shared_bytes = 0;     // a block, static and dynamic
    std::uint32_t registers = 0;        // a thread
    std::uint64_t footprint_bytes = 0;  // of the allocations that the kernel was given; what it can touch at most
    std::uint64_t busiest_bytes = 0;    // of each wave's busiest partition, summed; where the device has partitions
};

struct TimeEstimate {
    double ms = 0;  // the largest term, plus launch
    double issue_ms = 0, l1_ms = 0, l2_ms = 0, dram_ms = 0, bus_ms = 0, blocks_ms = 0, launch_ms = 0;
    Bound bound = Bound::issue;
};

[[nodiscard]] TimeEstimate modelled(const Device& device, const machine::Counters& counters, const LaunchShape& shape);

// Time of a copy of `bytes`, in milliseconds.
enum class CopyPath : std::uint8_t { pinned, pageable, device, set };
[[nodiscard]] double modelled_copy_ms(const Device& device, std::uint64_t bytes, CopyPath path);

}  // namespace lab::devices
