#include "common/emulator/timing/block_residency.h"

#include <algorithm>
#include <cmath>

namespace lab::timing {
namespace {

// Average load latency in clocks, weighted by the level that serves it. A hit on an outstanding miss waits for that miss.
double load_clocks(const Device& device, const machine::Counters& counters, const L2Traffic& traffic, const LaunchShape& shape) {
    const SampledTraffic& sample = shape.sample;
    const double beyond =
        sample.load_requests == 0 ? 1 : static_cast<double>(sample.waiting_requests) / static_cast<double>(sample.load_requests);
    const double asked = traffic.bytes();
    const double fetched = asked == 0 ? 0 : std::min(1.0, dram_bytes(device, counters, traffic, shape) / asked);
    // Resident blocks request the same sectors at the same iteration, and all wait for the one fetch.
    const double from_memory = asked == 0 || stays_in_l2(device, shape) ? fetched : std::max(fetched, 1 - kept_in_l2(device, shape));
    const double beyond_l1 = from_memory * device.memory_latency_clocks + (1 - from_memory) * device.l2_latency_clocks;
    return (1 - beyond) * device.l1_latency_clocks + beyond * beyond_l1;
}

// Clocks in which one warp of each block waits for constants, summed over the blocks: its loads that miss in the constant cache, one after
// another. `warps`: of a block.
double constant_clocks(const Device& device, const machine::Counters& counters, const SampledTraffic& sample, double warps) {
    if (sample.constant_lines == 0) return 0;
    const double missed = static_cast<double>(sample.missed_constant_lines) / static_cast<double>(sample.constant_lines);
    return static_cast<double>(counters.constant_load.requests) / warps * missed * device.constant_miss_clocks;
}

}  // namespace

double waiting_ms(const Device& device, const machine::Counters& counters, const L2Traffic& traffic, const LaunchShape& shape, double sms) {
    if (device.memory_latency_clocks == 0 || counters.blocks == 0) return 0;
    const double warps = static_cast<double>(counters.warps) / static_cast<double>(counters.blocks);
    const auto waits = [](std::uint64_t sixteenths) { return static_cast<double>(sixteenths) / machine::sixteenths_a_wait; };
    const double blocks = static_cast<double>(counters.blocks);
    const double blocks_an_sm = std::ceil(blocks / device.sm_count);
    const double resident = std::max(1U, shape.blocks_per_sm);
    // A block's own wavefronts in L1 are part of its residency; only those of other blocks overlap with its waits. If they stagger its
    // warps, the barrier's cost per warp is over when the last warp arrives.
    const double waves = std::max(1.0, blocks_an_sm / resident);
    const double in_l1 = l1_ms(device, counters, sms) * device.clock_mhz * 1e3 * blocks / (std::min(resident, blocks_an_sm) * waves);
    const double arrivals = static_cast<double>(counters.block_barriers) * warps * device.barrier_clocks_a_warp;
    const double clocks = static_cast<double>(counters.slowest.parts) / machine::parts_an_instruction * device.instruction_clocks +
                          waits(counters.slowest.global_wait_sixteenths) * load_clocks(device, counters, traffic, shape) +
                          waits(counters.slowest.shared_wait_sixteenths) * device.shared_latency_clocks +
                          constant_clocks(device, counters, shape.sample, warps) +
                          static_cast<double>(counters.block_barriers) * device.barrier_clocks + std::max(in_l1, arrivals);
    const double residency_ms = clocks / blocks / (device.clock_mhz * 1e3) + (device.block_us + warps * device.block_us_a_warp) * 1e-3;
    return waves * residency_ms;
}

}  // namespace lab::timing
