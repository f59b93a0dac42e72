// The model's terms, each worked out by hand from a device's figures, and their combination.
#include "common/emulator/timing/time_model.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lab::timing {

using devices::device_of;
namespace {

constexpr std::uint64_t million = 1'000'000;

LaunchShape shape_of(std::uint32_t blocks) {
    LaunchShape shape;
    shape.grid = {blocks, 1, 1};
    return shape;
}
LaunchShape full_device() { return shape_of(132 * 16); }

double term(const Device& device, const machine::Counters& counters, const LaunchShape& shape, Resource bound) {
    return modelled(device, counters, shape).of(bound);
}

TEST(TimeModel, LaunchAloneTakesItsFixedCost) {
    const Device& h100 = device_of("h100");
    EXPECT_NEAR(modelled(h100, {}, shape_of(1)).ms, h100.launch_us * 1e-3, 1e-5);
}

TEST(TimeModel, UnitsWorkSideBySideButNotPerfectly) {
    machine::Counters counters;
    counters.warp_instructions = counters.sass_instructions = 528 * million;
    const TimeEstimate one = modelled(device_of("h100"), counters, full_device());
    EXPECT_EQ(one.limit, Resource::issue);
    EXPECT_NEAR(one.ms, one.of(Resource::issue) + one.launch_ms, 1e-4 * one.ms) << "all others have next to nothing to do";
    counters.shared_load.requests = counters.shared_load.wavefronts = 132 * million;  // as long as the instructions take
    const TimeEstimate two = modelled(device_of("h100"), counters, full_device());
    EXPECT_NEAR(two.of(Resource::l1), two.of(Resource::issue), 1e-9);
    EXPECT_NEAR(two.ms - two.launch_ms, std::cbrt(2.0) * two.of(Resource::l1), 1e-4 * two.ms);
}

TEST(TimeModel, InstructionsAreIssuedByFourSchedulers) {
    machine::Counters counters;
    counters.warp_instructions = counters.sass_instructions = 528 * million;
    EXPECT_NEAR(term(device_of("h100"), counters, full_device(), Resource::issue), 1.0 / 1.98, 1e-9);
}

TEST(TimeModel, OneBlockUsesOneSm) {
    machine::Counters counters;
    counters.warp_instructions = counters.sass_instructions = 4 * million;
    EXPECT_NEAR(term(device_of("h100"), counters, shape_of(1), Resource::issue), 1.0 / 1.98, 1e-9);
}

TEST(TimeModel, BankConflictsTakePasses) {
    machine::Counters counters;
    counters.shared_load.requests = 132 * million;
    counters.shared_load.wavefronts = 32 * 132 * million;
    counters.shared_load.conflicts = 31 * 132 * million;
    EXPECT_EQ(modelled(device_of("h100"), counters, full_device()).limit, Resource::l1);
    EXPECT_NEAR(term(device_of("h100"), counters, full_device(), Resource::l1), 32.0 / 1.98, 1e-6);
    // Fermi: two clocks for a wavefront, one for each bank conflict.
    EXPECT_NEAR(term(device_of("m2090"), counters, shape_of(16 * 16), Resource::l1), 132.0 / 16 * (2 + 31) / 1.301, 1e-3);
}

TEST(TimeModel, LoadsFromGlobalMemoryTakePassesThroughL1WhereTheyGoThroughIt) {
    machine::Counters counters;
    counters.global_load.requests = 14 * 16 * million;
    counters.global_load.transactions = 32 * 14 * 16 * million;
    EXPECT_NEAR(term(device_of("m2090"), counters, shape_of(16 * 14), Resource::l1), 32 * 14 * 2 / 1.301, 1e-3);
    EXPECT_NEAR(term(device_of("k20x"), counters, shape_of(16 * 14), Resource::l1), 16 / 0.732, 1e-3) << "past it: only their own width";
}

// 132 million instructions for each execution unit: an SM has 128 lanes for fp32, 64 for fp64, 16 for special functions; a warp has 32.
TEST(TimeModel, ArithmeticTakesAsLongAsTheLanesWithMostToDo) {
    machine::Counters counters;
    counters.warp_instructions = counters.sass_instructions = 132 * million;
    counters.fp32_instructions = 132 * million;
    const Device& h100 = device_of("h100");
    EXPECT_NEAR(term(h100, counters, full_device(), Resource::arithmetic), 0.25 / 1.98, 1e-9);
    counters.fp64_instructions = 132 * million;
    EXPECT_NEAR(term(h100, counters, full_device(), Resource::arithmetic), 0.5 / 1.98, 1e-9);
    counters.special_instructions = 132 * million;
    EXPECT_NEAR(term(h100, counters, full_device(), Resource::arithmetic), 2 / 1.98, 1e-9);
    EXPECT_EQ(modelled(h100, counters, full_device()).limit, Resource::arithmetic);
    EXPECT_NEAR(modelled(h100, counters, full_device()).ms, 2 / 1.98 + modelled(h100, counters, full_device()).launch_ms, 1e-9)
        << "starting them takes no time besides";
}

TEST(TimeModel, AGpuForGamesHasFewLanesForDoubles) {
    machine::Counters counters;
    counters.warp_instructions = counters.sass_instructions = counters.fp64_instructions =
        2 * million;  // 4 lanes on each of two SMs: 8 clocks each
    EXPECT_NEAR(term(device_of("tegra-x1"), counters, shape_of(2 * 16), Resource::arithmetic), 8 / 0.998, 0.01);
}

TEST(TimeModel, ConstantReadsOfManyWordsAreIssuedOncePerWord) {
    machine::Counters counters;
    counters.warp_instructions = counters.sass_instructions = 528 * million;
    counters.constant_load.requests = 264 * million;
    counters.constant_load.wavefronts = 3 * 264 * million;
    counters.constant_load.conflicts = 2 * 264 * million;
    EXPECT_NEAR(term(device_of("h100"), counters, full_device(), Resource::issue), 2 / 1.98, 1e-9);
}

TEST(TimeModel, MappedMemoryTakesTheBus) {
    machine::Counters counters;
    counters.global_store.requests = counters.mapped_store.requests = million;
    counters.global_store.sectors = counters.mapped_store.sectors = 4 * million;
    counters.mapped_load.sectors = million;  // the other way, at the same time
    EXPECT_EQ(modelled(device_of("h100"), counters, full_device()).limit, Resource::bus);
    EXPECT_NEAR(term(device_of("h100"), counters, full_device(), Resource::bus), 128 / 55.3, 0.05);  // at the rate of a page-locked copy
}

TEST(TimeModel, L2TakesTimeForLinesAndForBytes) {
    machine::Counters counters;
    counters.global_load.lines = million;
    counters.global_load.sectors = 4 * million;
    const Device& h200 = device_of("h200");
    const double expected = million / (h200.l2_load_lines_per_clock * 1.98e6) + 128 * million / (h200.l2_bytes_per_clock * 1.98e6);
    EXPECT_NEAR(term(h200, counters, full_device(), Resource::l2), expected, 1e-9);
    EXPECT_NEAR(128 / expected * 1e-3, 7.65, 0.15) << "TB/s, as measured for reads from L2";
    counters.global_load.sectors = million;
    EXPECT_NEAR(1 / term(h200, counters, full_device(), Resource::l2), 143, 3) << "10^9 sectors a second, as measured for columns";
    counters.global_load.sectors = 4 * million;
    LaunchShape half = full_device();
    half.sample.load_sectors = half.sample.load_lines = 100;
    half.sample.missed_sectors = half.sample.missed_lines = 50;
    EXPECT_NEAR(term(h200, counters, half, Resource::l2), expected / 2, 1e-9) << "L1 has the other half";
}

// Measured on an H200: 2^20 lanes that add to one word take 770 us, to 32 words of one cache line in order 80, to 32 cache lines 99; to
// words that are far apart 10.
TEST(TimeModel, AtomicsThatMeetWaitForOneAnother) {
    const Device& h200 = device_of("h200");
    constexpr std::uint64_t warps = 1 << 15;
    const auto took = [&](const machine::Contention& contention, std::uint64_t lines, std::uint64_t sectors) {
        machine::Counters counters;
        counters.global_atomic.lines = lines * warps;
        counters.global_atomic.sectors = sectors * warps;
        LaunchShape shape = full_device();
        shape.contention = contention;
        return term(h200, counters, shape, Resource::l2);
    };
    EXPECT_NEAR(took({warps, 32 * warps, warps}, 1, 1), 0.770, 0.05);
    EXPECT_NEAR(took({4 * warps, 4 * warps, 4 * warps}, 1, 4), 0.080, 0.03);
    EXPECT_NEAR(took({warps, warps, 32 * warps}, 32, 32), 0.099, 0.02);
    EXPECT_NEAR(took({32, 32, 32 * warps}, 32, 32), 0.0105, 0.001);
}

TEST(TimeModel, L2HasWaysOfTheirOwnForLoadsAndStores) {
    const Device& m2090 = device_of("m2090");
    machine::Counters counters;
    counters.global_store.sectors = 4 * million;
    const double stores = term(m2090, counters, full_device(), Resource::l2);
    EXPECT_NEAR(stores, 128 * million / (m2090.l2_store_bytes_per_clock * 1.301e6), 1e-9);
    counters.global_load.sectors = 4 * million;
    const double loads = 128 * million / (m2090.l2_bytes_per_clock * 1.301e6);
    EXPECT_NEAR(term(m2090, counters, full_device(), Resource::l2), std::cbrt(stores * stores * stores + loads * loads * loads), 1e-9);
}

TEST(TimeModel, SassVectorisesLoadsAndUnrollsLoops) {
    machine::Counters counters;
    counters.warp_instructions = counters.sass_instructions = 10 * million;
    counters.shared_load.wavefronts = 8 * million;
    const TimeEstimate plain = modelled(device_of("h100"), counters, full_device());
    counters.saved_loads = 3 * million;
    counters.saved_wavefronts = 2 * million;
    counters.sass_instructions = 8 * million;
    const TimeEstimate joined = modelled(device_of("h100"), counters, full_device());
    EXPECT_NEAR(joined.of(Resource::issue), plain.of(Resource::issue) / 2, 1e-9);
    EXPECT_NEAR(joined.of(Resource::l1), plain.of(Resource::l1) * 6 / 8, 1e-9);
    const double of_k20x = term(device_of("k20x"), counters, full_device(), Resource::issue);
    counters.saved_loads = 0;
    counters.sass_instructions = 0;
    EXPECT_EQ(of_k20x, term(device_of("k20x"), counters, full_device(), Resource::issue)) << "its SASS is unknown";
}

TEST(TimeModel, ColdLaunchesFetchWhatTheyLoadAndNoMore) {
    machine::Counters counters;
    counters.global_load.sectors = counters.global_store.sectors = million;
    LaunchShape shape = full_device();
    shape.footprint_bytes = 40 << 20;
    EXPECT_EQ(term(device_of("h100"), counters, shape, Resource::dram), 0) << "it fits into L2";
    shape.is_cold = true;
    EXPECT_NEAR(term(device_of("h100"), counters, shape, Resource::dram), 32e6 / (3352.3e6 * 0.91), 1e-6) << "loads; stores stay in L2";
    counters.global_load.sectors = 10 * million;
    EXPECT_NEAR(term(device_of("h100"), counters, shape, Resource::dram), (40 << 20) / (3352.3e6 * 0.91), 1e-6) << "each byte once";
}

TEST(TimeModel, FootprintsBeyondL2ComeFromDram) {
    machine::Counters counters;
    constexpr std::uint64_t bytes = std::uint64_t{1} << 30;
    counters.global_load.requests = bytes / 128;
    counters.global_load.sectors = bytes / 32;
    LaunchShape shape = full_device();
    shape.footprint_bytes = bytes;
    EXPECT_NEAR(term(device_of("h100"), counters, shape, Resource::dram), static_cast<double>(bytes) / (3352.3e6 * 0.91), 1e-6);
    shape.footprint_bytes = 1 << 20;  // the same traffic from what stays in L2
    EXPECT_EQ(term(device_of("h100"), counters, shape, Resource::dram), 0);
}

// 10 blocks of 100 were looked at: together they touch 1000 sectors and 7 rows.
TEST(TimeModel, WhatNeighboursShareIsFetchedOnceAndRowsCostTheirOpening) {
    machine::Counters counters;
    counters.blocks = 100;
    counters.global_load.sectors = million;
    LaunchShape shape = shape_of(100);
    shape.footprint_bytes = 1 << 30;
    shape.sample.blocks = 10;
    shape.sample.lines = 50;
    counters.global_load.lines = 500;  // as many in each of the 100 blocks: all were looked at
    shape.sample.distinct_load_sectors = 600;
    shape.sample.distinct_store_sectors = 400;
    shape.sample.load_rows = 4;
    shape.sample.store_rows = 3;
    const Device& m2090 = device_of("m2090");
    const double bytes = 1000 * 32 * 10;
    EXPECT_NEAR(term(m2090, counters, shape, Resource::dram), bytes / (177.4e6 * m2090.memory_efficiency) + 70 * m2090.dram_row_ns * 1e-6,
                1e-9);
    counters.global_load.lines = 1500;  // a third was sampled
    EXPECT_NEAR(term(m2090, counters, shape, Resource::dram),
                3 * (bytes / (177.4e6 * m2090.memory_efficiency) + 70 * m2090.dram_row_ns * 1e-6), 1e-9);
    counters.global_load.sectors = 100;  // never more than is asked for
    EXPECT_LT(term(m2090, counters, shape, Resource::dram), bytes / (177.4e6 * m2090.memory_efficiency));
}

// 10 blocks of 100 fill L2: 50 lines loaded whole, 20 of which a sector is stored, 30 of which a sector is stored in part.
TEST(TimeModel, WhatL2ThrowsOutIsMovedOnceAWindowAndLonePiecesCostMore) {
    machine::Counters counters;
    counters.blocks = 100;
    counters.global_load.lines = 500;
    counters.global_store.lines = 500;
    counters.global_load.sectors = counters.global_store.sectors = million;
    LaunchShape shape = shape_of(100);
    shape.footprint_bytes = 1 << 30;
    shape.sample.window.blocks = 10;
    shape.sample.window.fills_cache = true;
    shape.sample.window.accesses = 100;
    shape.sample.window.loaded = {0, 50};
    shape.sample.window.stored = {20, 0};
    shape.sample.window.stored_in_part = {30, 0};
    const Device& h200 = device_of("h200");
    const double bytes = 50 * 64 + 20 * h200.dram_half_pair_bytes + 2 * 30 * h200.dram_half_pair_bytes;
    EXPECT_NEAR(term(h200, counters, shape, Resource::dram), 10 * bytes / (4814.3e6 * 0.9), 1e-9);
    shape.sample.window.accesses = 50;  // half of each block was sampled
    EXPECT_NEAR(term(h200, counters, shape, Resource::dram), 20 * bytes / (4814.3e6 * 0.9), 1e-9);
    shape.footprint_bytes = 1 << 20;
    EXPECT_EQ(term(h200, counters, shape, Resource::dram), 0) << "all of it stays in L2";
}

TEST(TimeModel, BlocksThatMeetAtABarrierLeaveDramIdleTheMoreTheFewerTheyAre) {
    machine::Counters counters;
    counters.global_load.sectors = 120 * million / 32;
    LaunchShape shape = full_device();
    shape.footprint_bytes = 1 << 30;
    const Device& h100 = device_of("h100");
    const double without = term(h100, counters, shape, Resource::dram);
    counters.block_barriers = 1;
    shape.blocks_per_sm = 8;
    EXPECT_NEAR(term(h100, counters, shape, Resource::dram), without * (1 + 0.5 / 8), 1e-9);
    shape.blocks_per_sm = 1;
    EXPECT_NEAR(term(h100, counters, shape, Resource::dram), without * 1.5, 1e-9);
}

// 120 MB of transactions on the GTX 280, in one wave or many: the busiest partition of each determines the time.
TEST(TimeModel, PartitionsBindByTheBusiestOne) {
    machine::Counters counters;
    counters.global_load.sectors = 120 * million / 32;
    LaunchShape shape = shape_of(30 * 16);
    shape.busiest_bytes = 120 * million / 8;  // spread evenly
    const Device& gtx280 = device_of("gtx280");
    EXPECT_EQ(modelled(gtx280, counters, shape).limit, Resource::dram);
    EXPECT_NEAR(term(gtx280, counters, shape, Resource::dram), 120e6 / (141.7e6 * gtx280.memory_efficiency), 1e-6);
    shape.busiest_bytes = 120 * million;  // all of it through one partition at a time, which gives an eighth of 141.7 GB/s
    EXPECT_NEAR(term(gtx280, counters, shape, Resource::dram), 120e6 / (141.7e6 / 8 * gtx280.camped_efficiency), 1e-3);
    shape.footprint_bytes = 1;  // no L2 keeps anything
    EXPECT_NEAR(term(gtx280, counters, shape, Resource::dram), 120e6 / (141.7e6 / 8 * gtx280.camped_efficiency), 1e-3);
}

TEST(TimeModel, Gt200StartsAnInstructionEveryFourClocksAndHasHalfAsManyBanks) {
    machine::Counters counters;
    counters.warp_instructions = counters.sass_instructions = 30 * million;
    counters.shared_load.wavefronts = 30 * 4 * million;  // 2 clocks each
    const TimeEstimate time = modelled(device_of("gtx280"), counters, shape_of(30 * 16));
    EXPECT_NEAR(time.of(Resource::issue), 4 / 1.296, 1e-6);
    EXPECT_NEAR(time.of(Resource::l1), 8 / 1.296, 1e-6);
    EXPECT_EQ(time.limit, Resource::l1);
    EXPECT_EQ(time.of(Resource::l2), 0);
}

// 264 blocks of 8 warps, each of which waits 10 times for L2, 5 times for shared memory, at 2 barriers, and has 100 instructions.
TEST(TimeModel, ABlockLivesAsLongAsItsSlowestWarpWorksAndWaits) {
    machine::Counters counters;
    counters.blocks = 264;
    counters.warps = 264 * 8;
    counters.slowest = {264 * 100 * machine::one_q6, 264 * 10 * machine::one_q4, 264 * 5 * machine::one_q4};
    counters.block_barriers = 264 * 2;
    counters.global_load.sectors = counters.global_load.lines = 264 * 10;
    const Device& h200 = device_of("h200");
    const double clocks =
        100 * h200.instruction_clocks + 10 * h200.l2_latency_clocks + 5 * h200.shared_latency_clocks + 2 * h200.barrier_clocks;
    const double life_ms = clocks / 1.98e6 + (h200.block_us + 8 * h200.block_us_a_warp) * 1e-3;
    LaunchShape shape = shape_of(264);
    EXPECT_NEAR(term(h200, counters, shape, Resource::waiting), 2 * life_ms, 1e-9) << "two on each SM, one after the other";
    shape.blocks_per_sm = 2;
    EXPECT_NEAR(term(h200, counters, shape, Resource::waiting), life_ms, 1e-9);
    shape.blocks_per_sm = 8;
    EXPECT_NEAR(term(h200, counters, shape, Resource::waiting), life_ms, 1e-9) << "none is shorter for places that stay empty";
    shape.sample.load_sectors = shape.sample.load_lines = shape.sample.load_requests = 100;  // none waits: L1 has them all
    const double saved_ms = 10 * (h200.l2_latency_clocks - h200.l1_latency_clocks) / 1.98e6;
    EXPECT_NEAR(term(h200, counters, shape, Resource::waiting), life_ms - saved_ms, 1e-9);
}

// 264 blocks with a million wavefronts each, two on each SM: each waits for its own wavefronts, which overlap with the other block's if it
// is resident.
TEST(TimeModel, ABlocksOwnPassesThroughL1ArePartOfItsLife) {
    machine::Counters counters;
    counters.blocks = counters.warps = 264;
    LaunchShape shape = shape_of(264);
    const Device& h200 = device_of("h200");
    const double alone_ms = term(h200, counters, shape, Resource::waiting);
    counters.global_load.transactions = 264 * million;
    EXPECT_NEAR(term(h200, counters, shape, Resource::waiting) - alone_ms, 2 / 1.98, 1e-6) << "one after the other";
    shape.blocks_per_sm = 2;
    EXPECT_NEAR(term(h200, counters, shape, Resource::waiting) - alone_ms / 2, 1 / 1.98, 1e-6);
    shape.blocks_per_sm = 8;
    EXPECT_NEAR(term(h200, counters, shape, Resource::waiting) - alone_ms / 2, 1 / 1.98, 1e-6) << "no more than two are there";
}

TEST(TimeModel, WhatL1JoinsReachesL2Once) {
    machine::Counters counters;
    counters.global_store.sectors = counters.global_store.lines = million;
    const Device& h200 = device_of("h200");
    const double all_ms = term(h200, counters, full_device(), Resource::l2);
    EXPECT_NEAR(1 / all_ms, 65, 3) << "10^9 sectors a second that are stored in part, as measured";
    LaunchShape half = full_device();
    half.sample.stored_sectors = 100;
    half.sample.forwarded_sectors = 50;
    EXPECT_NEAR(term(h200, counters, half, Resource::l2), all_ms / 2, 1e-9);
}

// A launch that only stores, with half as many cache lines as L2 keeps partial.
TEST(TimeModel, PiecesThatL2CantKeepOpenAreFetched) {
    const Device& h200 = device_of("h200");
    machine::Counters counters;
    counters.blocks = 40'000;
    counters.global_store.sectors = counters.global_store.lines = 4 * million;
    LaunchShape shape = full_device();
    shape.footprint_bytes = 2 * std::uint64_t{h200.l2_bytes};
    const double without_ms = term(h200, counters, shape, Resource::l2);
    shape.sample.open = {1000, static_cast<std::uint64_t>(h200.l2_partial_lines) / 2, 25'000, 0};
    const double fetched = 25'000 * 40 * 0.5 / (2.5 + 2 * 0.5);
    EXPECT_NEAR(term(h200, counters, shape, Resource::l2) - without_ms, fetched * h200.l2_sector_fill_ps * 1e-9, 1e-6);
    shape.sample.stored_sectors = 100;
    shape.sample.forwarded_sectors = 100;
    shape.sample.forwarded_in_part = 40;
    EXPECT_NEAR(term(h200, counters, shape, Resource::l2) - without_ms, 0.4 * fetched * h200.l2_sector_fill_ps * 1e-9, 1e-6)
        << "the others were made whole in L1";
    shape.sample.forwarded_in_part = 100;
    shape.sample.open.left = 25'000;
    EXPECT_NEAR(term(h200, counters, shape, Resource::l2) - without_ms, 0.5 * fetched * h200.l2_sector_fill_ps * 1e-9, 1e-6)
        << "L2 has half of all when others complete them";
    EXPECT_EQ(term(device_of("a100"), counters, shape, Resource::l2), term(device_of("a100"), counters, full_device(), Resource::l2))
        << "nobody has measured it there";
}

// 132 blocks of 8 warps, of 50 constant loads each.
TEST(TimeModel, AWarpWaitsForConstantsThatTheirCacheDoesntHave) {
    machine::Counters counters;
    counters.blocks = 132;
    counters.warps = 132 * 8;
    counters.constant_load.requests = 132 * 8 * 50;
    LaunchShape shape = shape_of(132);
    const Device& h200 = device_of("h200");
    const double without_ms = term(h200, counters, shape, Resource::waiting);
    shape.sample.constant_lines = 400;
    EXPECT_NEAR(term(h200, counters, shape, Resource::waiting), without_ms, 1e-12) << "all are there";
    shape.sample.missed_constant_lines = 100;
    EXPECT_NEAR(term(h200, counters, shape, Resource::waiting) - without_ms, 50 * 0.25 * h200.constant_miss_clocks / 1.98e6, 1e-9);
}

TEST(Sampling, LooksAtBlocksThatRunTogether) {
    const auto sampling_of = [](const char* device, std::uint32_t blocks, std::uint32_t blocks_per_sm, std::uint32_t shared_bytes) {
        LaunchShape shape = shape_of(blocks);
        shape.blocks_per_sm = blocks_per_sm;
        shape.footprint_bytes = 1 << 30;
        shape.shared_bytes = shared_bytes;
        return sampling_for(device_of(device), shape);
    };
    const Sampling h100 = sampling_of("h100", 4096, 8, 8192);
    EXPECT_EQ(h100.blocks, 0U);  // its rows are unknown
    EXPECT_EQ(h100.apart, 132U);
    EXPECT_EQ(h100.cache_blocks, 8U);
    EXPECT_EQ(h100.cache_bytes, 262144U - 8 * 8192) << "shared memory is taken from the cache";
    EXPECT_EQ(h100.first, 1056U);
    EXPECT_EQ(h100.constant_bytes, 2048U);
    EXPECT_EQ(sampling_of("h100", 4096, 32, 0).cache_bytes, 262144U * 8 / 32) << "8 of 32 blocks have a quarter of it";
    const Sampling few = sampling_of("h100", 100, 8, 0);
    EXPECT_EQ(few.first, 0U);
    EXPECT_EQ(few.cache_blocks, 1U);
    const Sampling m2090 = sampling_of("m2090", 4096, 6, 0);
    EXPECT_EQ(m2090.blocks, 96U);
    EXPECT_EQ(m2090.first, 2016U);
    EXPECT_TRUE(m2090.whole_lines);
    EXPECT_EQ(m2090.cache_bytes, 16384U);
    EXPECT_EQ(sampling_of("k20x", 4096, 8, 0).cache_blocks, 0U);
    EXPECT_EQ(sampling_of("gtx280", 10, 4, 0).blocks, 10U);
}

TEST(Sampling, LooksAtAWindowWhereL2CantKeepAll) {
    LaunchShape shape = shape_of(100000);
    shape.blocks_per_sm = 8;
    const Device& h200 = device_of("h200");
    shape.footprint_bytes = h200.l2_bytes;
    EXPECT_EQ(sampling_for(h200, shape).window_blocks, 0U);
    ++shape.footprint_bytes;
    EXPECT_EQ(sampling_for(h200, shape).window_blocks, 4096U);
    EXPECT_EQ(sampling_for(h200, shape).window_bytes, h200.l2_bytes / 2);
    shape.grid.x = 3000;
    const Sampling few = sampling_for(h200, shape);
    EXPECT_EQ(few.window_blocks, 3000 - few.first);
    EXPECT_EQ(sampling_for(device_of("k20x"), shape).window_blocks, 0U) << "its rows are looked at";
}

TEST(Sampling, LeavesOutRowsOfDramThatNothingReaches) {
    LaunchShape shape = shape_of(64);
    shape.blocks_per_sm = 6;
    shape.footprint_bytes = device_of("m2090").l2_bytes;
    const Sampling warm = sampling_for(device_of("m2090"), shape);
    EXPECT_EQ(warm.blocks, 0U) << "all of it is in L2";
    EXPECT_NE(warm.cache_blocks, 0U);
    shape.is_cold = true;
    EXPECT_EQ(sampling_for(device_of("m2090"), shape).blocks, 64U);
    shape.is_cold = false;
    ++shape.footprint_bytes;
    EXPECT_EQ(sampling_for(device_of("m2090"), shape).blocks, 64U);
}

TEST(TimeModel, CopyOf256MiBWithinTheDeviceTakesWhatItTookOnTheH100) {
    EXPECT_NEAR(modelled_copy_ms(device_of("h100"), 256 << 20, CopyPath::device), 0.1813 - 0.0012, 0.1813 * 0.05);
    EXPECT_NEAR(modelled_copy_ms(device_of("h100"), 256 << 20, CopyPath::pinned), 4.859 - 0.0012, 4.859 * 0.05);
}

}  // namespace
}  // namespace lab::timing
