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

constexpr double warp_size = 32;

double global_sectors(const machine::Counters& counters) {
    return static_cast<double>(counters.global_load.sectors + counters.global_store.sectors + counters.global_atomic.sectors);
}
double local_sectors(const machine::Counters& counters) {
    return static_cast<double>(counters.local_load.sectors + counters.local_store.sectors);
}

// Bytes through the L1 cache and shared memory, in passes of one word from each bank: a request takes as many as its lanes
// need at the least, or as its sectors fill.
double l1_bytes(const Device& device, const machine::Counters& counters) {
    const double pass_bytes = 4.0 * device.shared_banks;
    double passes =
        static_cast<double>(counters.shared_load.wavefronts + counters.shared_store.wavefronts + counters.shared_atomic.wavefronts);
    for (const auto* const counts :
         {&counters.global_load, &counters.global_store, &counters.global_atomic, &counters.local_load, &counters.local_store}) {
        passes += std::max(static_cast<double>(counts->requests) * warp_size / device.shared_banks,
                           static_cast<double>(counts->sectors) * sector_bytes / pass_bytes);
    }
    return passes * pass_bytes;
}

// Of DRAM whose partitions take addresses in turn: as long as the busiest one of each wave needs for its bytes, and the slower
// the more it is asked alone, as what camps lies far apart in its memory and opens another row there each time: from the
// efficiency of streams to that of a lone partition. Local memory is spread evenly, word by word.
double partitioned_dram_ms(const Device& device, const machine::Counters& counters, const LaunchShape& shape) {
    const double busiest = static_cast<double>(shape.busiest_bytes) * device.partitions;  // as if all had as much to do
    const double traffic = global_sectors(counters) * sector_bytes;
    const double camping = traffic == 0 ? 1 : std::max(1.0, busiest / traffic);
    const double alone = (camping - 1) / (device.partitions - 1);
    const double slowness = (1 - alone) / device.memory_efficiency + alone / device.camped_efficiency;
    const double local = local_sectors(counters) * sector_bytes / device.memory_efficiency;
    return (busiest * slowness + local) / (device.memory_gb_per_s * 1e6);
}

double dram_ms(const Device& device, const machine::Counters& counters, const LaunchShape& shape) {
    if (device.partitions > 1) return partitioned_dram_ms(device, counters, shape);
    const double traffic = (global_sectors(counters) + local_sectors(counters)) * sector_bytes;
    double bytes = traffic;
    if (device.l2_bytes != 0)
        bytes = shape.footprint_bytes <= device.l2_bytes ? 0 : std::min(traffic, static_cast<double>(shape.footprint_bytes));
    return bytes / (device.memory_gb_per_s * device.memory_efficiency * 1e6);
}

// What a unit needs for `amount`; a rate of 0 is that of a unit that isn't there, or that nobody knows.
double time_for(double amount, double rate) { return rate == 0 ? 0 : amount / rate; }

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
    const double traffic = (global_sectors(counters) + local_sectors(counters)) * sector_bytes;

    // A constant load is issued again for each further word that its lanes ask for.
    const double issued = static_cast<double>(counters.warp_instructions + counters.constant_load.conflicts);
    estimate.issue_ms = issued / (sms * device.issue_per_clock * clocks_per_ms);
    estimate.l1_ms = l1_bytes(device, counters) / (sms * device.l1_bytes_per_clock * clocks_per_ms);
    estimate.l2_ms = time_for(traffic, device.l2_bytes_per_clock * clocks_per_ms);
    estimate.dram_ms = dram_ms(device, counters, shape);
    // Each direction of the bus has its own lanes.
    const double over_bus = static_cast<double>(std::max(counters.mapped_load.sectors, counters.mapped_store.sectors)) * sector_bytes;
    estimate.bus_ms = time_for(over_bus, device.pinned_gb_per_s * 1e6);
    estimate.blocks_ms = time_for(static_cast<double>(shape.grid.count()), device.blocks_per_us * 1e3);
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
