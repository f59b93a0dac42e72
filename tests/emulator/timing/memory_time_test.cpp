// Traffic of the memory levels, worked out by hand from a launch's counts.
#include "common/emulator/timing/memory_time.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/emulator/timing/launch_shapes.h"

namespace lab::timing {

using devices::device_of;
namespace {

TEST(CubeRoot, IsThatOfTheCLibraryButForTheLastDigits) {
    EXPECT_EQ(cube_root(0), 0);
    for (int exponent = -300; exponent <= 300; exponent += 7) {
        for (const double mantissa : {1.0, 1.37, 2.0, 3.999, 8.0, 27.0}) {
            const double value = std::ldexp(mantissa, exponent);
            EXPECT_NEAR(cube_root(value) / std::cbrt(value), 1, 1e-15) << value;
        }
    }
    for (const double root : {0.5, 1.0, 3.0, 10.0}) EXPECT_DOUBLE_EQ(cube_root(root * root * root), root);
}

// Each of 132 * 2048 threads has an array of its own, stores all of it and loads as much, 32 lanes in 32 lines.
class LocalMemory : public ::testing::Test {
protected:
    // Words of an array.
    void have(std::uint32_t words) {
        shape = {};
        shape.grid = {132 * 8, 1, 1};
        shape.blocks_per_sm = 8;
        shape.local_bytes = 4 * words;
        counters = {};
        counters.blocks = 132 * 8;
        counters.warps = counters.blocks * 8;
        counters.local_store.sectors = counters.warps * words * 4;
        counters.local_load.sectors = counters.warps * words * 32;
    }
    [[nodiscard]] L2Traffic traffic() const { return l2_traffic(h100, counters, shape); }
    [[nodiscard]] double own_sectors() const { return static_cast<double>(counters.local_store.sectors); }

    const Device& h100 = device_of("h100");
    machine::Counters counters;
    LaunchShape shape;
};

TEST_F(LocalMemory, StoresGoOnToL2AndLoadsFindThemInL1WhereAllHaveRoom) {
    have(32);  // 2048 threads have just the 256 KiB of an SM
    EXPECT_EQ(traffic().store_sectors, own_sectors());
    EXPECT_EQ(traffic().load_sectors, 0);
    shape.shared_bytes = 16384;  // of each of eight blocks
    EXPECT_GT(traffic().load_sectors, 0) << "shared memory takes its room";
}

TEST_F(LocalMemory, LoadsWaitForL2WhereL1HasTooLittleRoomButForEachPieceOnce) {
    have(64);
    EXPECT_EQ(traffic().load_sectors, own_sectors());
    counters.local_load.sectors = counters.local_store.sectors;  // lane by lane in one cache line: half of them hit
    EXPECT_NEAR(traffic().load_sectors, own_sectors() / 2, 1);
    have(64);
    EXPECT_EQ(l2_traffic(device_of("k20x"), counters, shape).load_sectors, static_cast<double>(counters.local_load.sectors))
        << "no cache that loads go through";
}

TEST(MemoryTime, L2TakesTimeForLinesAndForBytes) {
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
TEST(MemoryTime, AtomicsThatMeetWaitForOneAnother) {
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

TEST(MemoryTime, L2HasWaysOfTheirOwnForLoadsAndStores) {
    const Device& m2090 = device_of("m2090");
    machine::Counters counters;
    counters.global_store.sectors = 4 * million;
    const double stores = term(m2090, counters, full_device(), Resource::l2);
    EXPECT_NEAR(stores, 128 * million / (m2090.l2_store_bytes_per_clock * 1.301e6), 1e-9);
    counters.global_load.sectors = 4 * million;
    const double loads = 128 * million / (m2090.l2_bytes_per_clock * 1.301e6);
    EXPECT_NEAR(term(m2090, counters, full_device(), Resource::l2), std::cbrt(stores * stores * stores + loads * loads * loads), 1e-9);
}

TEST(MemoryTime, ColdLaunchesFetchWhatTheyLoadAndNoMore) {
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

TEST(MemoryTime, FootprintsBeyondL2ComeFromDram) {
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
TEST(MemoryTime, WhatNeighboursShareIsFetchedOnceAndRowsCostTheirOpening) {
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
TEST(MemoryTime, WhatL2ThrowsOutIsMovedOnceAWindowAndLonePiecesCostMore) {
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

TEST(MemoryTime, BlocksThatMeetAtABarrierLeaveDramIdleTheMoreTheFewerTheyAre) {
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
TEST(MemoryTime, PartitionsBindByTheBusiestOne) {
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

TEST(MemoryTime, WhatL1JoinsReachesL2Once) {
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
TEST(MemoryTime, PiecesThatL2CantKeepOpenAreFetched) {
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

}  // namespace
}  // namespace lab::timing
