#include "common/emulator/timing/memory_time.h"

#include <algorithm>
#include <cmath>

namespace lab::timing {
namespace {

using machine::Counters;
using machine::MemoryCounts;

// Whether the rules for SASS were verified for the device.
bool has_known_sass(const Device& device) { return device.major >= 5; }

double share(std::uint64_t part, std::uint64_t whole) { return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole); }

// Wavefronts in L1 of requests to global or local memory. Requests that bypass L1 take those of their width.
double wavefronts(const Device& device, const MemoryCounts& counts, bool is_load) {
    const bool bypasses = device.major < 5 && (device.l1_bytes == 0 || !is_load);
    return bypasses ? static_cast<double>(counts.requests) * warp_size / device.shared_banks : static_cast<double>(counts.transactions);
}

// Factor on DRAM time: a block that loads before a barrier and stores after it leaves DRAM idle while its last warp arrives, unless other
// resident blocks continue.
double barrier_stall(const Counters& counters, const LaunchShape& shape) {
    return counters.block_barriers == 0 ? 1 : 1 + dram_idle_at_barrier / std::max(1U, shape.blocks_per_sm);
}

// Factor from the DRAM traffic of the sampled blocks to that of the launch: by the number of blocks, and by the accesses of each of them
// that the sample left out.
double sample_scale(const Counters& counters, const SampledTraffic& sample) {
    if (sample.blocks == 0 || counters.blocks == 0) return 0;
    const double waves = static_cast<double>(counters.blocks) / static_cast<double>(sample.blocks);
    const auto lines = static_cast<double>(counters.global_lines());
    const double sampled = static_cast<double>(sample.lines) * waves;
    return sampled == 0 ? waves : waves * std::max(1.0, lines / sampled);
}

// DRAM traffic of blocks whose footprint exceeds L2: each pair of sectors once for as many blocks as fit. A partial sector that is stored
// is loaded first.
double window_bytes(const Device& device, const Counters& counters, const WindowTraffic& window) {
    double bytes = 0;
    for (std::size_t i = 0; i < window.loaded.size(); ++i) {
        const double pair = i == 0 ? device.dram_half_pair_bytes : 2 * sector_bytes;
        bytes += pair * static_cast<double>(window.loaded[i] + window.stored[i] + 2 * window.stored_in_part[i]);
    }
    const double waves = static_cast<double>(counters.blocks) / static_cast<double>(window.blocks);
    const auto lines = static_cast<double>(counters.global_lines());
    return bytes * waves * std::max(1.0, lines / (static_cast<double>(window.accesses) * waves));
}

// Local memory of the resident threads, in bytes.
double resident_local_bytes(const Device& device, const Counters& counters, const LaunchShape& shape) {
    if (counters.blocks == 0) return 0;
    const double resident_blocks =
        std::min(static_cast<double>(counters.blocks), static_cast<double>(device.sm_count) * shape.blocks_per_sm);
    return static_cast<double>(counters.warps) / static_cast<double>(counters.blocks) * warp_size * resident_blocks * shape.local_bytes;
}

// Share of local loads that miss in L1, which keeps stored data; each sector misses at most once. Counted on an H100 by Nsight Compute,
// arrays of 64 to 1024 bytes a thread (devices/measured/h100_local_memory.jsonl): L1 forwards all stores; 0.01 to 0.08 of the loads miss if
// all threads' arrays fit into L1, 0.5 and 0.75 if a half and a quarter do.
double missed_local_share(const Device& device, const Counters& counters, const LaunchShape& shape) {
    if (device.l1_bytes == 0 || shape.local_bytes == 0 || counters.blocks == 0 || counters.local_load.sectors == 0) return 1;
    const double an_sm_bytes = resident_local_bytes(device, counters, shape) / std::min<double>(device.sm_count, counters.blocks);
    const double missed = 1 - std::min(1.0, static_cast<double>(l1_room(device, shape)) / an_sm_bytes);
    const double each_once = static_cast<double>(counters.warps) * warp_size * shape.local_bytes / sector_bytes;
    return std::min(missed, each_once / static_cast<double>(counters.local_load.sectors));
}

// DRAM traffic of a footprint beyond L2.
double bytes_beyond_l2(const Device& device, const Counters& counters, const L2Traffic& traffic, const LaunchShape& shape) {
    const WindowTraffic& window = shape.sample.window;
    if (window.fills_cache) return window_bytes(device, counters, window);
    // The sampled blocks are few and don't fill L2: the others touch other data or the same again, at most everything loaded and stored
    // once.
    if (window.blocks != 0 && window.blocks < counters.blocks / 2) {
        const auto footprint = static_cast<double>(shape.footprint_bytes);
        const double once = std::min(traffic.load_sectors * sector_bytes, footprint) +
                            std::min(static_cast<double>(counters.global_store.bytes + counters.global_atomic.bytes), footprint);
        return std::min(window_bytes(device, counters, window), once);
    }
    // Resident blocks find in L2 what one of them fetched; later blocks don't, if L2 is small beside the footprint.
    const SampledTraffic& sample = shape.sample;
    if (sample.distinct_load_sectors + sample.distinct_store_sectors != 0) {
        const auto distinct = static_cast<double>(sample.distinct_load_sectors + sample.distinct_store_sectors);
        return std::min(traffic.bytes(), distinct * sector_bytes * sample_scale(counters, sample));
    }
    return std::min(traffic.bytes(), static_cast<double>(shape.footprint_bytes));
}

// DRAM traffic, weighted by efficiency, of DRAM with interleaved partitions: the busiest partition of each wave takes the time. Its
// efficiency falls from that of streams to that of a lone partition the more the traffic camps, since camped accesses open another row each
// time. Local memory is spread evenly, word by word.
double partitioned_bytes(const Device& device, const Counters& counters, const LaunchShape& shape) {
    const double busiest = static_cast<double>(shape.busiest_bytes) * device.partitions;  // if all were equally busy
    const double traffic =
        static_cast<double>(counters.global_load.sectors + counters.global_store.sectors + counters.global_atomic.sectors) * sector_bytes;
    const double camping = traffic == 0 ? 1 : std::max(1.0, busiest / traffic);
    const double alone = (camping - 1) / (device.partitions - 1);
    const double inverse_efficiency = (1 - alone) / device.memory_efficiency + alone / device.camped_efficiency;
    const double local =
        static_cast<double>(counters.local_load.sectors + counters.local_store.sectors) * sector_bytes / device.memory_efficiency;
    return busiest * inverse_efficiency + local;
}

// Share of the launch's footprint that fits into L2; 1 without L2, or if the footprint is unknown.
double kept_in_l2(const Device& device, const LaunchShape& shape) {
    if (device.l2_bytes == 0 || shape.footprint_bytes == 0) return 1;
    return std::min(1.0, static_cast<double>(device.l2_bytes) / static_cast<double>(shape.footprint_bytes));
}

// Time of sector fills: L2 reads a partial sector from DRAM if it has to evict it before further stores complete it.
double sector_fill_ms(const Device& device, const Counters& counters, const LaunchShape& shape) {
    const PartialSectors& open = shape.sample.open;
    if (device.l2_partial_lines == 0 || open.blocks == 0) return 0;
    // Sectors that later blocks complete are still in L2 if the footprint fits.
    const double kept = kept_in_l2(device, shape);
    const double waves = static_cast<double>(counters.blocks) / static_cast<double>(open.blocks);
    const double sectors = (static_cast<double>(open.sectors) - kept * static_cast<double>(open.left)) * waves;
    const SampledTraffic& sample = shape.sample;
    const double in_part = share(sample.forwarded_in_part, sample.stored_sectors);
    const double open_share = static_cast<double>(open.lines) / device.l2_partial_lines;
    return sectors * in_part * open_share / (sector_fill_a + sector_fill_b * open_share) * device.l2_sector_fill_ps * 1e-9;
}

}  // namespace

double sass_instructions(const Device& device, const machine::Counters& counters) {
    if (!has_known_sass(device)) return static_cast<double>(counters.warp_instructions);
    return static_cast<double>(counters.sass_instructions) - static_cast<double>(counters.saved_loads);
}

bool stays_in_l2(const Device& device, const LaunchShape& shape) {
    return !shape.is_cold && device.l2_bytes != 0 && shape.footprint_bytes <= device.l2_bytes;
}

std::uint64_t l1_room(const Device& device, const LaunchShape& shape) {
    const std::uint64_t taken = device.major < 7 ? 0 : static_cast<std::uint64_t>(shape.blocks_per_sm) * shape.shared_bytes;
    return device.l1_bytes > taken ? device.l1_bytes - taken : 0;
}

L2Traffic l2_traffic(const Device& device, const Counters& counters, const LaunchShape& shape) {
    const SampledTraffic& sample = shape.sample;
    const double missed_sectors = share(sample.missed_sectors, sample.load_sectors);
    const double missed_lines = share(sample.missed_lines, sample.load_lines);
    const double missed_local = missed_local_share(device, counters, shape);
    L2Traffic traffic;
    traffic.load_lines =
        static_cast<double>(counters.global_load.lines) * missed_lines + static_cast<double>(counters.local_load.lines) * missed_local;
    traffic.load_sectors = static_cast<double>(counters.global_load.sectors) * missed_sectors +
                           static_cast<double>(counters.local_load.sectors) * missed_local;
    const double forwarded = share(sample.forwarded_sectors, sample.stored_sectors);
    traffic.store_lines = static_cast<double>(counters.global_store.lines) * forwarded + static_cast<double>(counters.local_store.lines);
    traffic.store_sectors =
        static_cast<double>(counters.global_store.sectors) * forwarded + static_cast<double>(counters.local_store.sectors);
    traffic.atomic_lines = static_cast<double>(counters.global_atomic.lines);
    traffic.atomic_sectors = static_cast<double>(counters.global_atomic.sectors);
    return traffic;
}

double dram_bytes(const Device& device, const Counters& counters, const L2Traffic& traffic, const LaunchShape& shape) {
    if (device.l2_bytes == 0) return traffic.bytes();
    if (stays_in_l2(device, shape)) return 0;
    // Stores stay in L2 until their room is needed.
    if (shape.footprint_bytes <= device.l2_bytes)
        return std::min(traffic.load_sectors * sector_bytes, static_cast<double>(shape.footprint_bytes));
    return bytes_beyond_l2(device, counters, traffic, shape);
}

double l1_ms(const Device& device, const Counters& counters, double sms) {
    const double pass_clocks = 4.0 * device.shared_banks / device.l1_bytes_per_clock;
    const double conflict_clocks = device.conflict_clocks == 0 ? pass_clocks : device.conflict_clocks;
    double clocks = 0;
    for (const auto* const counts : {&counters.shared_load, &counters.shared_store, &counters.shared_atomic}) {
        clocks += static_cast<double>(counts->wavefronts - counts->conflicts) * pass_clocks;
        clocks += static_cast<double>(counts->conflicts) * conflict_clocks;
    }
    if (has_known_sass(device)) clocks -= static_cast<double>(counters.saved_wavefronts) * pass_clocks;
    for (const auto* const counts : {&counters.global_load, &counters.local_load})
        clocks += wavefronts(device, *counts, true) * pass_clocks;
    for (const auto* const counts : {&counters.global_store, &counters.global_atomic, &counters.local_store})
        clocks += wavefronts(device, *counts, false) * pass_clocks;
    return clocks / (sms * device.clock_mhz * 1e3);
}

double l2_ms(const Device& device, const Counters& counters, const L2Traffic& traffic, const LaunchShape& shape) {
    const double clocks_per_ms = device.clock_mhz * 1e3;
    const double store_rate = device.l2_store_bytes_per_clock == 0 ? device.l2_bytes_per_clock : device.l2_store_bytes_per_clock;
    const double loads = time_for(traffic.load_sectors * sector_bytes, device.l2_bytes_per_clock * clocks_per_ms) +
                         time_for(traffic.load_lines, device.l2_load_lines_per_clock * clocks_per_ms);
    const double stores = time_for(traffic.store_sectors * sector_bytes, store_rate * clocks_per_ms) +
                          time_for(traffic.store_lines, device.l2_store_lines_per_clock * clocks_per_ms) +
                          sector_fill_ms(device, counters, shape);
    // L2 performs atomics: spread over cache lines they take as long as stores of partial sectors; on one cache line they serialize.
    const double spread = std::max(time_for(traffic.atomic_sectors * sector_bytes, store_rate * clocks_per_ms),
                                   time_for(traffic.atomic_lines, device.l2_store_lines_per_clock * clocks_per_ms));
    const machine::Contention& contention = shape.contention;
    const double other_lines = 1 - share(contention.sectors, contention.all_sectors);
    const double contended = (static_cast<double>(contention.serialised) * device.atomic_lane_clocks +
                              static_cast<double>(contention.sectors) * other_lines * device.atomic_line_change_clocks) /
                             clocks_per_ms;
    return norm_of(std::array{loads, stores + std::max(spread, contended)});  // separate paths
}

double dram_ms(const Device& device, const Counters& counters, const L2Traffic& traffic, const LaunchShape& shape) {
    const double bytes_per_ms = device.memory_gb_per_s * 1e6;
    const double bytes = device.partitions > 1 ? partitioned_bytes(device, counters, shape)
                                               : dram_bytes(device, counters, traffic, shape) / device.memory_efficiency;
    if (bytes == 0) return 0;
    return (bytes / bytes_per_ms + static_cast<double>(shape.sample.load_rows + shape.sample.store_rows) *
                                       sample_scale(counters, shape.sample) * device.dram_row_ns * 1e-6) *
           barrier_stall(counters, shape);
}

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
