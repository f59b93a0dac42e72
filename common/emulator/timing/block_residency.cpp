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
    const double from_memory = asked == 0 ? 0 : std::min(1.0, dram_bytes(device, counters, traffic, shape) / asked);
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
    const auto waits = [](std::uint64_t waits_q4) { return static_cast<double>(waits_q4) / machine::one_q4; };
    const double blocks = static_cast<double>(counters.blocks);
    const double blocks_an_sm = std::ceil(blocks / device.sm_count);
    const double resident = std::max(1U, shape.blocks_per_sm);
    // A block's own wavefronts in L1 are part of its residency; only those of other blocks overlap with its waits.
    const double waves = std::max(1.0, blocks_an_sm / resident);
    const double in_l1 = l1_ms(device, counters, sms) * device.clock_mhz * 1e3 * blocks / (std::min(resident, blocks_an_sm) * waves);
    const double clocks = static_cast<double>(counters.slowest.dependent_q6) / machine::one_q6 * device.instruction_clocks +
                          waits(counters.slowest.global_waits_q4) * load_clocks(device, counters, traffic, shape) +
                          waits(counters.slowest.shared_waits_q4) * device.shared_latency_clocks +
                          constant_clocks(device, counters, shape.sample, warps) +
                          static_cast<double>(counters.block_barriers) * device.barrier_clocks + in_l1;
    const double residency_ms = clocks / blocks / (device.clock_mhz * 1e3) + (device.block_us + warps * device.block_us_a_warp) * 1e-3;
    return waves * residency_ms;
}

}  // namespace lab::timing
