#include "common/emulator/devices/time_model.h"

#include <algorithm>
#include <utility>

namespace lab::devices {
namespace {

constexpr double sector_bytes = 32;

// The share of the SMs' time that is used when blocks are dealt out evenly: the fullest SM ends last.
double balance(const Device& device, std::uint64_t blocks) {
    if (blocks == 0) return 1;
    const std::uint64_t rounds = (blocks + device.sm_count - 1) / device.sm_count;
    return static_cast<double>(blocks) / static_cast<double>(rounds * device.sm_count);
}

double sectors_of(const machine::Counters& counters) {
    return static_cast<double>(counters.global_load.sectors + counters.global_store.sectors + counters.global_atomic.sectors +
                               counters.local_load.sectors + counters.local_store.sectors);
}

// Passes through the L1 cache and shared memory: a request takes as many as it has 128-byte pieces of sectors, at least one.
double l1_passes(const machine::Counters& counters) {
    double passes =
        static_cast<double>(counters.shared_load.wavefronts + counters.shared_store.wavefronts + counters.shared_atomic.wavefronts);
    for (const auto* const counts :
         {&counters.global_load, &counters.global_store, &counters.global_atomic, &counters.local_load, &counters.local_store}) {
        passes += std::max(static_cast<double>(counts->requests), static_cast<double>(counts->sectors) / 4);
    }
    return passes;
}

}  // namespace

const char* name_of(Bound bound) {
    switch (bound) {
        case Bound::issue:
            return "issue";
        case Bound::l1:
            return "L1 and shared memory";
        case Bound::l2:
            return "L2";
        case Bound::dram:
            return "DRAM";
        case Bound::bus:
            return "bus to the host's memory";
        case Bound::blocks:
            return "starting blocks";
    }
    return "";
}

TimeEstimate modelled(const Device& device, const machine::Counters& counters, const LaunchShape& shape) {
    TimeEstimate estimate;
    const double clocks_per_ms = device.clock_mhz * 1e3;
    const double sms = device.sm_count * balance(device, shape.grid.count());
    const double traffic = sectors_of(counters) * sector_bytes;
    const double from_dram = shape.footprint_bytes <= device.l2_bytes ? 0 : std::min(traffic, static_cast<double>(shape.footprint_bytes));

    // A constant load is issued again for each further word that its lanes ask for.
    const double issued = static_cast<double>(counters.warp_instructions + counters.constant_load.conflicts);
    estimate.issue_ms = issued / (sms * device.issue_per_clock * clocks_per_ms);
    estimate.l1_ms = l1_passes(counters) * 128 / (sms * device.l1_bytes_per_clock * clocks_per_ms);
    estimate.l2_ms = traffic / (device.l2_bytes_per_clock * clocks_per_ms);
    estimate.dram_ms = from_dram / (device.memory_gb_per_s * device.memory_efficiency * 1e6);
    // Each direction of the bus has its own lanes.
    const double over_bus = static_cast<double>(std::max(counters.mapped_load.sectors, counters.mapped_store.sectors)) * sector_bytes;
    estimate.bus_ms = over_bus / (device.pinned_gb_per_s * 1e6);
    estimate.blocks_ms = static_cast<double>(shape.grid.count()) / (device.blocks_per_us * 1e3);
    estimate.launch_ms = device.launch_us * 1e-3;

    double largest = -1;
    for (const auto& [term, bound] :
         {std::pair{estimate.issue_ms, Bound::issue}, std::pair{estimate.l1_ms, Bound::l1}, std::pair{estimate.l2_ms, Bound::l2},
          std::pair{estimate.dram_ms, Bound::dram}, std::pair{estimate.bus_ms, Bound::bus}, std::pair{estimate.blocks_ms, Bound::blocks}}) {
        if (term > largest) {
            largest = term;
            estimate.bound = bound;
        }
    }
    estimate.ms = largest + estimate.launch_ms;
    return estimate;
}

double modelled_copy_ms(const Device& device, std::uint64_t bytes, CopyPath path) {
    const double size = static_cast<double>(bytes);
    const double memory_rate = device.memory_gb_per_s * device.memory_efficiency * 1e6;  // bytes per millisecond
    switch (path) {
        case CopyPath::pinned:
            return device.copy_us * 1e-3 + size / (device.pinned_gb_per_s * 1e6);
        case CopyPath::pageable:
            return device.copy_us * 1e-3 + size / (device.pageable_gb_per_s * 1e6);
        case CopyPath::device:
            return device.device_copy_us * 1e-3 + 2 * size / memory_rate;  // read and written
        case CopyPath::set:
            return device.device_copy_us * 1e-3 + size / memory_rate;
    }
    return 0;
}

}  // namespace lab::devices
