#include "common/emulator/timing/memory_time.h"

#include <algorithm>

namespace lab::timing {
namespace {

using machine::Counters;
using machine::MemoryCounts;

bool is_known_machine_code(const Device& device) { return device.major >= 5; }

double share(std::uint64_t part, std::uint64_t whole) { return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole); }

// Of neighbouring warps that wait for loads of their own, those that store right behind one another all the same. Measured on an H200 by
// ncu: of the pieces of naive_row, unroll4_row and diagonal_row in blocks of 8x32 and 16x16 L1 hands on 0.90 on average where L2 has all
// (0.83 to 0.95, matrices of 2048 x 2048 and 2048 x 1027), and 0.95 where it hasn't (0.93 to 0.98, 4096 x 4096 and 4096 x 2051): of each
// pair that meets, half.
double share_merged_by_chance(const Device& device, const LaunchShape& shape) { return stays_in_l2(device, shape) ? 0.2 : 0.1; }

// Of the pieces that requests store, those that L1 hands on; `chance`: how many fewer it would be if all neighbours met.
double share_forwarded(const Device& device, const LaunchShape& shape, std::uint64_t forwarded, std::uint64_t chance) {
    const std::uint64_t stored = shape.sample.stored_sectors;
    return stored == 0 ? 1 : share(forwarded, stored) - share_merged_by_chance(device, shape) * share(chance, stored);
}

// Passes through L1 that requests to global or local memory take. Where they go past it they only take those of their width.
double passes(const Device& device, const MemoryCounts& counts, bool is_load) {
    const bool goes_past = device.major < 5 && (device.l1_bytes == 0 || !is_load);
    return goes_past ? static_cast<double>(counts.requests) * warp_size / device.shared_banks : static_cast<double>(counts.transactions);
}

// A block that has its loads behind one barrier and its stores behind it asks DRAM for nothing while its last warp arrives. How much that
// costs depends on how many blocks an SM has that go on meanwhile. Fitted on one row: "copy through shared memory" of the GTX 280 in the
// table of the handout on the diagonal order.
constexpr double cost_of_meeting = 0.5;
double stalls(const Counters& counters, const LaunchShape& shape) {
    return counters.block_barriers == 0 ? 1 : 1 + cost_of_meeting / std::max(1U, shape.blocks_per_sm);
}

// How often what the sampled neighbours touched is touched in the whole launch: by all blocks, and by all that each of them does where only
// a part was looked at.
double times_as_much(const Counters& counters, const SampledTraffic& sample) {
    if (sample.blocks == 0 || counters.blocks == 0) return 0;
    const double waves = static_cast<double>(counters.blocks) / static_cast<double>(sample.blocks);
    const auto lines = static_cast<double>(counters.global_lines());
    const double looked_at = static_cast<double>(sample.lines) * waves;
    return looked_at == 0 ? waves : waves * std::max(1.0, lines / looked_at);
}

// Of more blocks than L2 has room for at a time: each pair of pieces once for as many of them as it has room for. A piece that is stored in
// part is loaded first.
double window_bytes(const Device& device, const Counters& counters, const WindowTraffic& window) {
    double bytes = 0;
    for (std::size_t i = 0; i < window.loaded.size(); ++i) {
        const double pair = i == 0 ? device.dram_piece_bytes : 2 * sector_bytes;
        bytes += pair * static_cast<double>(window.loaded[i] + window.stored[i] + 2 * window.stored_in_part[i]);
    }
    const double waves = static_cast<double>(counters.blocks) / static_cast<double>(window.blocks);
    const auto lines = static_cast<double>(counters.global_lines());
    return bytes * waves * std::max(1.0, lines / (static_cast<double>(window.accesses) * waves));
}

// Of local memory: what the threads have of it that run at the same time, in bytes.
double resident_local_bytes(const Device& device, const Counters& counters, const LaunchShape& shape) {
    if (counters.blocks == 0) return 0;
    const double at_a_time = std::min(static_cast<double>(counters.blocks), static_cast<double>(device.sm_count) * shape.blocks_per_sm);
    return static_cast<double>(counters.warps) / static_cast<double>(counters.blocks) * warp_size * at_a_time * shape.local_bytes;
}

// The share of local loads that L1 doesn't have: stores leave in it what they store, and each piece has to come back once at most. Counted
// on an H100 by ncu, arrays of 64 to 1024 bytes a thread (handouts/time_model.md): all stores go on to L2; of loads 0.01 to 0.08 where L1
// has room for all threads' arrays, 0.5 and 0.75 where it has for a half and a quarter.
double missed_local_share(const Device& device, const Counters& counters, const LaunchShape& shape) {
    if (device.l1_bytes == 0 || shape.local_bytes == 0 || counters.blocks == 0 || counters.local_load.sectors == 0) return 1;
    const double of_an_sm = resident_local_bytes(device, counters, shape) / std::min<double>(device.sm_count, counters.blocks);
    const double missed = 1 - std::min(1.0, static_cast<double>(l1_room(device, shape)) / of_an_sm);
    const double each_once = static_cast<double>(counters.warps) * warp_size * shape.local_bytes / sector_bytes;
    return std::min(missed, each_once / static_cast<double>(counters.local_load.sectors));
}

// Of local memory: L2 keeps it until its room is needed, so that with room for all threads that run at a time nothing goes further. With
// less, all stores do, and loads find what there is room for.
double local_dram_bytes(const Device& device, const Counters& counters, const LaunchShape& shape) {
    const double resident = resident_local_bytes(device, counters, shape);
    if (resident <= device.l2_bytes) return 0;
    const double missed = missed_local_share(device, counters, shape) * (1 - device.l2_bytes / resident);
    return (static_cast<double>(counters.local_store.sectors) + static_cast<double>(counters.local_load.sectors) * missed) * sector_bytes;
}

// Of more than L2 has room for, as if blocks that run together were in step.
double bytes_in_step(const Device& device, const Counters& counters, const L2Traffic& traffic, const LaunchShape& shape) {
    const WindowTraffic& window = shape.sample.window;
    if (window.fills_cache) return window_bytes(device, counters, window);
    // Of so many blocks that only some were looked at, and those don't fill L2: the others touch something else, or the same again, but not
    // more than all that is loaded and all that is stored, each once.
    if (window.blocks != 0 && window.blocks < counters.blocks / 2) {
        const auto footprint = static_cast<double>(shape.footprint_bytes);
        const double once = std::min(traffic.load_sectors * sector_bytes, footprint) +
                            std::min(static_cast<double>(counters.global_store.bytes + counters.global_atomic.bytes), footprint);
        return std::min(window_bytes(device, counters, window), once);
    }
    // Blocks that run together find in L2 what one of them has fetched; those that come later don't, if L2 is small beside the footprint.
    const SampledTraffic& sample = shape.sample;
    if (sample.distinct_load_sectors + sample.distinct_store_sectors != 0) {
        const auto distinct = static_cast<double>(sample.distinct_load_sectors + sample.distinct_store_sectors);
        return std::min(traffic.bytes(), distinct * sector_bytes * times_as_much(counters, sample));
    }
    return std::min(traffic.bytes(), static_cast<double>(shape.footprint_bytes));
}

// What blocks a row of the grid apart load again, not in step with one another: all that the blocks between them load comes in between. L2,
// full, gives each piece that it fetches the place of any other, so that the share of pieces that it has lost follows from itself.
double loaded_again_bytes(const Device& device, const Counters& counters, const L2Traffic& traffic, const LaunchShape& shape) {
    const Reuse& reuse = shape.sample.reuse;
    const double own =
        std::min(traffic.load_sectors, static_cast<double>(counters.global_load.sectors) * share(reuse.own, reuse.asked)) * sector_bytes;
    const double between = own / static_cast<double>(shape.grid.count()) * shape.grid.x / device.l2_bytes;
    if (reuse.own == 0 || between <= 1) return 0;
    double lost = 1;
    for (int i = 0; i < 100; ++i) lost = 1 - std::exp(-lost * between);
    return own * share(reuse.far, reuse.own) * lost;
}

// Of DRAM whose partitions take addresses in turn: as long as the busiest one of each wave needs for its bytes, and the slower
// the more it is asked alone, as what camps lies far apart in its memory and opens another row there each time: from the
// efficiency of streams to that of a lone partition. Local memory is spread evenly, word by word.
double partitioned_bytes(const Device& device, const Counters& counters, const LaunchShape& shape) {
    const double busiest = static_cast<double>(shape.busiest_bytes) * device.partitions;  // as if all had as much to do
    const double traffic =
        static_cast<double>(counters.global_load.sectors + counters.global_store.sectors + counters.global_atomic.sectors) * sector_bytes;
    const double camping = traffic == 0 ? 1 : std::max(1.0, busiest / traffic);
    const double alone = (camping - 1) / (device.partitions - 1);
    const double slowness = (1 - alone) / device.memory_efficiency + alone / device.camped_efficiency;
    const double local =
        static_cast<double>(counters.local_load.sectors + counters.local_store.sectors) * sector_bytes / device.memory_efficiency;
    return busiest * slowness + local;
}

}  // namespace

double machine_instructions(const Device& device, const machine::Counters& counters) {
    if (!is_known_machine_code(device)) return static_cast<double>(counters.warp_instructions);
    return static_cast<double>(counters.machine_instructions) - static_cast<double>(counters.joined_instructions);
}

bool stays_in_l2(const Device& device, const LaunchShape& shape) {
    return !shape.is_cold && device.l2_bytes != 0 && shape.footprint_bytes <= device.l2_bytes;
}

std::uint64_t l1_room(const Device& device, const LaunchShape& shape) {
    const std::uint64_t taken = device.major < 7 ? 0 : static_cast<std::uint64_t>(shape.blocks_per_sm) * shape.shared_bytes;
    return device.l1_bytes > taken ? device.l1_bytes - taken : 0;
}

double kept_in_l2(const Device& device, const LaunchShape& shape) {
    if (device.l2_bytes == 0 || shape.footprint_bytes == 0) return 1;
    return std::min(1.0, static_cast<double>(device.l2_bytes) / static_cast<double>(shape.footprint_bytes));
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
    const double forwarded = share_forwarded(device, shape, sample.forwarded_sectors, sample.chance_sectors);
    traffic.store_lines = static_cast<double>(counters.global_store.lines) * forwarded + static_cast<double>(counters.local_store.lines);
    traffic.store_sectors =
        static_cast<double>(counters.global_store.sectors) * forwarded + static_cast<double>(counters.local_store.sectors);
    traffic.atomic_lines = static_cast<double>(counters.global_atomic.lines);
    traffic.atomic_sectors = static_cast<double>(counters.global_atomic.sectors);
    return traffic;
}

double dram_bytes(const Device& device, const Counters& counters, const L2Traffic& traffic, const LaunchShape& shape) {
    if (device.l2_bytes == 0) return traffic.bytes();
    const double local = local_dram_bytes(device, counters, shape);
    if (stays_in_l2(device, shape)) return local;
    // Stores stay in L2 until their room is needed.
    if (shape.footprint_bytes <= device.l2_bytes)
        return local + std::min(traffic.load_sectors * sector_bytes, static_cast<double>(shape.footprint_bytes));
    return local + std::max(bytes_in_step(device, counters, traffic, shape), loaded_again_bytes(device, counters, traffic, shape));
}

double l1_ms(const Device& device, const Counters& counters, double sms) {
    const double pass_clocks = 4.0 * device.shared_banks / device.l1_bytes_per_clock;
    const double conflict_clocks = device.conflict_clocks == 0 ? pass_clocks : device.conflict_clocks;
    double clocks = 0;
    for (const auto* const counts : {&counters.shared_load, &counters.shared_store, &counters.shared_atomic}) {
        clocks += static_cast<double>(counts->wavefronts - counts->conflicts) * pass_clocks;
        clocks += static_cast<double>(counts->conflicts) * conflict_clocks;
    }
    if (is_known_machine_code(device)) clocks -= static_cast<double>(counters.joined_wavefronts) * pass_clocks;
    for (const auto* const counts : {&counters.global_load, &counters.local_load}) clocks += passes(device, *counts, true) * pass_clocks;
    for (const auto* const counts : {&counters.global_store, &counters.global_atomic, &counters.local_store})
        clocks += passes(device, *counts, false) * pass_clocks;
    return clocks / (sms * device.clock_mhz * 1e3);
}

double sector_fill_ms(const Device& device, const Counters& counters, const LaunchShape& shape, double busy) {
    const PartialSectors& open = shape.sample.open;
    if (device.l2_open_lines == 0 || open.blocks == 0) return 0;
    // What blocks that come later complete is in L2 again, or still, as far as it has room for all.
    const double kept = kept_in_l2(device, shape);
    const double waves = static_cast<double>(counters.blocks) / static_cast<double>(open.blocks);
    const double pieces = (static_cast<double>(open.sectors) - kept * static_cast<double>(open.left)) * waves;
    const SampledTraffic& sample = shape.sample;
    const double in_part = share_forwarded(device, shape, sample.forwarded_in_part, sample.chance_in_part);
    // Measured on an H200 by ncu, transposes in several block shapes: 3 % of the pieces where a tenth of the lines that L2 keeps is open,
    // 18 % where two thirds are.
    const double open_share = busy * static_cast<double>(open.lines) / device.l2_open_lines;
    return pieces * in_part * open_share / (2.5 + 2 * open_share) * device.l2_mending_ps * 1e-9;
}

double l2_ms(const Device& device, const L2Traffic& traffic, const machine::Contention& contention, double sector_fill_ms) {
    const double clocks_per_ms = device.clock_mhz * 1e3;
    const double store_rate = device.l2_store_bytes_per_clock == 0 ? device.l2_bytes_per_clock : device.l2_store_bytes_per_clock;
    const double loads = time_for(traffic.load_sectors * sector_bytes, device.l2_bytes_per_clock * clocks_per_ms) +
                         time_for(traffic.load_lines, device.l2_load_lines_per_clock * clocks_per_ms);
    const double stores = time_for(traffic.store_sectors * sector_bytes, store_rate * clocks_per_ms) +
                          time_for(traffic.store_lines, device.l2_store_lines_per_clock * clocks_per_ms) + sector_fill_ms;
    // Atomics are done where the line lies: spread out, they take as long as stores of parts; those that meet wait for one another.
    const double spread = std::max(time_for(traffic.atomic_sectors * sector_bytes, store_rate * clocks_per_ms),
                                   time_for(traffic.atomic_lines, device.l2_store_lines_per_clock * clocks_per_ms));
    const double of_others = 1 - share(contention.pieces, contention.all_pieces);
    const double meeting = (static_cast<double>(contention.passes) * device.atomic_clocks +
                            static_cast<double>(contention.pieces) * of_others * device.atomic_turn_clocks) /
                           clocks_per_ms;
    return together(std::array{loads, stores + std::max(spread, meeting)});  // loads and stores each have their own way there
}

double dram_ms(const Device& device, const Counters& counters, const L2Traffic& traffic, const LaunchShape& shape) {
    const double bytes_per_ms = device.memory_gb_per_s * 1e6;
    const double bytes = device.partitions > 1 ? partitioned_bytes(device, counters, shape)
                                               : dram_bytes(device, counters, traffic, shape) / device.memory_efficiency;
    if (bytes == 0) return 0;
    return (bytes / bytes_per_ms + static_cast<double>(shape.sample.load_rows + shape.sample.store_rows) *
                                       times_as_much(counters, shape.sample) * device.dram_row_ns * 1e-6) *
           stalls(counters, shape);
}

}  // namespace lab::timing
