#include "common/emulator/timing/time_model.h"

#include <algorithm>

#include "common/emulator/timing/block_residency.h"
#include "common/emulator/timing/memory_time.h"

namespace lab::timing {
namespace {

// The share of the SMs' time that is used when blocks are dealt out evenly: the fullest SM ends last.
double balance(const Device& device, std::uint64_t blocks) {
    if (blocks == 0) return 1;
    const std::uint64_t rounds = (blocks + device.sm_count - 1) / device.sm_count;
    return static_cast<double>(blocks) / static_cast<double>(rounds * device.sm_count);
}

// Warp instructions times clocks, of the lanes that have most to do.
double arithmetic_clocks(const Device& device, const machine::Counters& counters) {
    const double fp64_per_clock = device.fp32_per_clock / device.single_to_double_ratio;
    return warp_size * std::max({time_for(static_cast<double>(counters.fp32_instructions), device.fp32_per_clock),
                                 time_for(static_cast<double>(counters.fp64_instructions), fp64_per_clock),
                                 time_for(static_cast<double>(counters.special_instructions), device.special_per_clock)});
}

// Of instructions that are started and that calculate the lesser part hides in the larger: they are the same ones.
double together_of(std::array<double, bound_count> terms_ms) {
    double& issue = terms_ms[static_cast<std::size_t>(Bound::issue)];
    double& arithmetic = terms_ms[static_cast<std::size_t>(Bound::arithmetic)];
    (issue < arithmetic ? issue : arithmetic) = 0;
    return together(terms_ms);
}

}  // namespace

const char* name_of(Bound bound) {
    switch (bound) {
        case Bound::issue:
            return "issue";
        case Bound::arithmetic:
            return "arithmetic";
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
        case Bound::waiting:
            return "waiting with too little in flight";
    }
    return "";
}

TimeEstimate modelled(const Device& device, const machine::Counters& counters, const LaunchShape& shape) {
    TimeEstimate estimate;
    const double clocks_per_ms = device.clock_mhz * 1e3;
    const double sms = device.sm_count * balance(device, shape.grid.count());
    const L2Traffic traffic = l2_traffic(device, counters, shape);
    const auto term = [&](Bound bound) -> double& { return estimate.terms_ms[static_cast<std::size_t>(bound)]; };

    // A constant load is issued again for each further word that its lanes ask for.
    const double issued = machine_instructions(device, counters) + static_cast<double>(counters.constant_load.conflicts);
    term(Bound::issue) = issued / (sms * device.issue_per_clock * clocks_per_ms);
    term(Bound::arithmetic) = arithmetic_clocks(device, counters) / (sms * clocks_per_ms);
    term(Bound::l1) = l1_ms(device, counters, sms);
    term(Bound::l2) = l2_ms(device, traffic, shape.contention, 0);
    term(Bound::dram) = dram_ms(device, counters, traffic, shape);
    // Each direction of the bus has its own lanes.
    const double over_bus = static_cast<double>(std::max(counters.mapped_load.sectors, counters.mapped_store.sectors)) * sector_bytes;
    term(Bound::bus) = time_for(over_bus, device.pinned_gb_per_s * 1e6);
    term(Bound::blocks) = time_for(static_cast<double>(shape.grid.count()), device.blocks_per_us * 1e3);
    term(Bound::waiting) = waiting_ms(device, counters, traffic, shape, sms);

    if (const double so_far = together_of(estimate.terms_ms); so_far > 0) {
        const double busy = std::max(0.0, 1 - term(Bound::waiting) / so_far);
        term(Bound::l2) = l2_ms(device, traffic, shape.contention, sector_fill_ms(device, counters, shape, busy));
    }

    const auto largest = std::max_element(estimate.terms_ms.begin(), estimate.terms_ms.end());
    estimate.bound = static_cast<Bound>(largest - estimate.terms_ms.begin());
    estimate.launch_ms = device.launch_us * 1e-3;
    estimate.ms = together_of(estimate.terms_ms) + estimate.launch_ms;
    return estimate;
}

Sampling sampling_for(const Device& device, const LaunchShape& shape) {
    constexpr std::uint64_t most_neighbours = 256;
    constexpr std::uint64_t most_in_a_cache = 8;
    const std::uint64_t blocks = shape.grid.count();
    const std::uint64_t an_sm = std::max(1U, shape.blocks_per_sm);
    const std::uint64_t together = std::min(blocks, device.sm_count * an_sm);
    Sampling sampling;
    // In the middle, where blocks have neighbours; from the beginning of those that start together.
    sampling.first = std::min(blocks - together, blocks / 2 / together * together);
    if (device.dram_row_bytes != 0 && !stays_in_l2(device, shape)) {
        sampling.blocks = std::min(together, most_neighbours);
        sampling.row_bytes = device.dram_row_bytes;
    }
    if (device.dram_piece_bytes != 0 && shape.footprint_bytes > device.l2_bytes) {
        constexpr std::uint64_t most_in_window = 4096;
        sampling.window_blocks = std::min(blocks - sampling.first, most_in_window);
        sampling.window_bytes = static_cast<std::uint64_t>(device.l2_bytes / 2);  // either half of the chip keeps what it asks for itself
        sampling.together = together;
    }
    if (device.l1_bytes != 0) {
        sampling.apart = device.sm_count;
        const std::uint64_t sharing = (together + device.sm_count - 1) / device.sm_count;  // the cache of one SM
        sampling.cache_blocks = std::min(sharing, most_in_a_cache);
        sampling.cache_bytes = l1_room(device, shape) * sampling.cache_blocks / sharing;
        sampling.cache_ways = device.l1_ways;
        sampling.whole_lines = device.major == 2;
        sampling.merges_stores = device.major >= 7;  // measured on 9.0; before 7.0 it doesn't hold what is stored
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
