// The resources of time_model.cpp, worked out by hand from a device's figures, and their combination.
#include "common/emulator/timing/time_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/emulator/timing/launch_shapes.h"

namespace lab::timing {

using devices::device_of;
namespace {

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
