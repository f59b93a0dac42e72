#include "common/emulator/timing/time_model.h"

#include <algorithm>

#include "common/emulator/timing/memory_time.h"

namespace lab::timing {
namespace {

// Share of the SMs' time that is used if blocks are distributed evenly: the fullest SM ends last.
double balance(const Device& device, std::uint64_t blocks) {
    if (blocks == 0) return 1;
    const std::uint64_t rounds = (blocks + device.sm_count - 1) / device.sm_count;
    return static_cast<double>(blocks) / static_cast<double>(rounds * device.sm_count);
}

// Clocks of the busiest execution unit of one SM.
double arithmetic_clocks(const Device& device, const machine::Counters& counters) {
    const double fp64_per_clock = device.fp32_per_clock / device.single_to_double_ratio;
    return warp_size * std::max({time_for(static_cast<double>(counters.fp32_instructions), device.fp32_per_clock),
                                 time_for(static_cast<double>(counters.fp64_instructions), fp64_per_clock),
                                 time_for(static_cast<double>(counters.special_instructions), device.special_per_clock)});
}

// Combined time of the resources. Of issue and arithmetic only the larger counts: both are the same instructions.
double combined_ms(std::array<double, resource_count> resource_ms) {
    double& issue = resource_ms[static_cast<std::size_t>(Resource::issue)];
    double& arithmetic = resource_ms[static_cast<std::size_t>(Resource::arithmetic)];
    (issue < arithmetic ? issue : arithmetic) = 0;
    return norm_of(resource_ms);
}

}  // namespace

TimeEstimate modelled(const Device& device, const machine::Counters& counters, const LaunchShape& shape) {
    TimeEstimate estimate;
    const double clocks_per_ms = device.clock_mhz * 1e3;
    const double sms = device.sm_count * balance(device, shape.grid.count());
    const L2Traffic traffic = l2_traffic(device, counters, shape);
    const auto time_of = [&](Resource resource) -> double& { return estimate.resource_ms[static_cast<std::size_t>(resource)]; };

    // A constant load is issued again for each further word that its lanes ask for.
    const double issued = sass_instructions(device, counters) + static_cast<double>(counters.constant_load.conflicts);
    time_of(Resource::issue) = issued / (sms * device.issue_per_clock * clocks_per_ms);
    time_of(Resource::arithmetic) = arithmetic_clocks(device, counters) / (sms * clocks_per_ms);
    time_of(Resource::l1) = l1_ms(device, counters, sms);
    time_of(Resource::l2) = l2_ms(device, counters, traffic, shape);
    time_of(Resource::dram) = dram_ms(device, counters, traffic, shape);
    // The bus is full duplex.
    const double over_bus = static_cast<double>(std::max(counters.mapped_load.sectors, counters.mapped_store.sectors)) * sector_bytes;
    time_of(Resource::bus) = time_for(over_bus, device.pinned_gb_per_s * 1e6);
    time_of(Resource::blocks) = time_for(static_cast<double>(shape.grid.count()), device.blocks_per_us * 1e3);
    time_of(Resource::waiting) = waiting_ms(device, counters, traffic, shape, sms);

    const auto largest = std::max_element(estimate.resource_ms.begin(), estimate.resource_ms.end());
    estimate.limit = static_cast<Resource>(largest - estimate.resource_ms.begin());
    estimate.launch_ms = device.launch_us * 1e-3;
    estimate.ms = combined_ms(estimate.resource_ms) + estimate.launch_ms;
    return estimate;
}

Sampling sampling_for(const Device& device, const LaunchShape& shape) {
    const std::uint64_t blocks = shape.grid.count();
    const std::uint64_t resident = std::min<std::uint64_t>(blocks, std::uint64_t{device.sm_count} * std::max(1U, shape.blocks_per_sm));
    Sampling sampling;
    // In the middle of the grid, where blocks have neighbours; at the first block of a wave.
    sampling.first = std::min(blocks - resident, blocks / 2 / resident * resident);
    if (device.dram_row_bytes != 0 && !stays_in_l2(device, shape)) {
        sampling.blocks = std::min(resident, max_blocks_for_rows);
        sampling.row_bytes = device.dram_row_bytes;
    }
    if (device.dram_half_pair_bytes != 0 && shape.footprint_bytes > device.l2_bytes) {
        sampling.window_blocks = std::min(blocks - sampling.first, max_blocks_in_window);
        sampling.window_bytes = static_cast<std::uint64_t>(device.l2_bytes * l2_share_kept);
        sampling.resident = resident;
    }
    if (device.l1_bytes != 0) {
        sampling.apart = device.sm_count;
        const std::uint64_t sharing = (resident + device.sm_count - 1) / device.sm_count;  // one SM's L1
        sampling.cache_blocks = std::min(sharing, max_blocks_in_l1);
        sampling.cache_bytes = l1_room(device, shape) * sampling.cache_blocks / sharing;
        sampling.cache_ways = device.l1_ways;
        sampling.whole_lines = device.major == 2;
        sampling.merges_stores = device.major >= 7;  // measured on 9.0; before 7.0 L1 doesn't keep stores
        sampling.constant_bytes = device.constant_cache_bytes;
        sampling.constant_ways = device.constant_cache_ways;
    }
    return sampling;
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

}  // namespace lab::timing
