// Resident blocks of an SM, by hand from the H100's limits, and for the published case of another generation.
#include "common/emulator/devices/occupancy.h"

#include <gtest/gtest.h>

#include "common/emulator/devices/compute_capability.h"

namespace lab::devices {
namespace {

TEST(Occupancy, ThreadsLimitLargeBlocks) {
    const Occupancy found = occupancy(device_of("h100"), {1024, 32, 0});
    EXPECT_EQ(found.blocks, 2U);
    EXPECT_EQ(found.limit, Limit::threads);
    EXPECT_EQ(found.fraction(), 1.0);
}

TEST(Occupancy, BlockCountLimitsSmallBlocks) {
    const Occupancy found = occupancy(device_of("h100"), {32, 16, 0});
    EXPECT_EQ(found.blocks, 32U);
    EXPECT_EQ(found.limit, Limit::blocks);
    EXPECT_EQ(found.fraction(), 0.5);
}

TEST(Occupancy, RegistersLimitGreedyThreads) {
    const Occupancy found = occupancy(device_of("h100"), {256, 64, 0});  // 64 * 32 = 2048 a warp, 32 warps in the file
    EXPECT_EQ(found.blocks, 4U);
    EXPECT_EQ(found.limit, Limit::registers);
}

TEST(Occupancy, SharedMemoryCountsWhatTheSystemKeeps) {
    EXPECT_EQ(occupancy(device_of("h100"), {128, 16, 48 * 1024}).blocks, 4U);  // 233472 / (49152 + 1024)
    EXPECT_EQ(occupancy(device_of("h100"), {128, 16, 232448}).blocks, 1U);
    EXPECT_EQ(occupancy(device_of("h100"), {128, 16, 232449}).blocks, 0U);
    EXPECT_EQ(occupancy(device_of("h100"), {128, 16, 48 * 1024}).limit, Limit::shared);
}

TEST(Occupancy, WhatCannotRunHasNoBlocks) {
    EXPECT_EQ(occupancy(device_of("h100"), {0, 16, 0}).blocks, 0U);
    EXPECT_EQ(occupancy(device_of("h100"), {1025, 16, 0}).blocks, 0U);
    EXPECT_EQ(occupancy(device_of("h100"), {32, 256, 0}).blocks, 0U);
    EXPECT_EQ(occupancy(device_of("h100"), {32, 256, 0}).limit, Limit::none);
}

// The old calculator's case: compute capability 1.3, 10 registers, 2092 bytes of shared memory.
TEST(Occupancy, OldRulesGiveTheOldCalculatorsAnswer) {
    const Device gt200 = limits_of(1, 3).value();
    const Occupancy large = occupancy(gt200, {256, 10, 2092});
    EXPECT_EQ(large.blocks, 4U);
    EXPECT_EQ(large.limit, Limit::threads);
    EXPECT_EQ(large.fraction(), 1.0);
    const Occupancy small = occupancy(gt200, {64, 10, 2092});
    EXPECT_EQ(small.blocks, 6U);
    EXPECT_EQ(small.limit, Limit::shared);
    EXPECT_EQ(small.registers_taken, 1024U);  // 2 warps of 320, in units of 512
    EXPECT_EQ(small.shared_taken, 2560U);
}

// The GTX 280 keeps 16 bytes of a block's shared memory for its indices and sizes.
TEST(Occupancy, TheGtx280sBlocksTakeALittleMoreSharedMemoryThanTheyAskFor) {
    EXPECT_EQ(occupancy(device_of("gtx280"), {256, 10, 4096}).blocks, 3U);  // 4096 + 16, rounded up to 4608, of 16384
    EXPECT_EQ(occupancy(device_of("gtx280"), {256, 17, 0}).blocks, 3U);     // 17 * 256 = 4352, rounded up to 4608, of 16384
    EXPECT_EQ(occupancy(device_of("gtx280"), {513, 10, 0}).blocks, 0U);
}

TEST(Occupancy, RegistersOfFermiAreGivenToPairsOfWarps) {
    const Device fermi = limits_of(2, 0).value();
    // 21 * 32 = 672, in units of 64: 704 a warp. Half the file holds 23 of them, so the SM 46: 5 blocks of 9 warps.
    const Occupancy found = occupancy(fermi, {288, 21, 0});
    EXPECT_EQ(found.registers_taken, 9U * 704U);
    EXPECT_EQ(found.by_registers, 5U);
}

TEST(Occupancy, KnowsTheSmallRegisterFilesOfBlocks) {
    // 5.3: 64 K registers an SM, of which a block may have 32 K; 33 registers a thread are given out as 40.
    EXPECT_EQ(occupancy(limits_of(5, 3).value(), {1024, 32, 0}).blocks, 2U);
    EXPECT_EQ(occupancy(limits_of(5, 3).value(), {1024, 33, 0}).blocks, 0U);
    EXPECT_EQ(occupancy(limits_of(5, 2).value(), {1024, 33, 0}).blocks, 1U);
}

// Threads, blocks, registers and bytes of shared memory an SM, registers a thread and threads a block, as published.
TEST(ComputeCapability, HasThePublishedLimits) {
    struct Published {
        const char* capability;
        std::uint32_t threads, blocks, registers, shared, registers_per_thread, threads_per_block;
    };
    constexpr std::uint32_t k = 1024;
    for (const Published& row :
         {Published{"1.3", 1024, 8, 16 * k, 16 * k, 124, 512}, Published{"2.0", 1536, 8, 32 * k, 48 * k, 63, 1024},
          Published{"3.5", 2048, 16, 64 * k, 48 * k, 255, 1024}, Published{"5.3", 2048, 32, 64 * k, 64 * k, 255, 1024},
          Published{"7.5", 1024, 16, 64 * k, 64 * k, 255, 1024}, Published{"8.0", 2048, 32, 64 * k, 164 * k, 255, 1024},
          Published{"9.0", 2048, 32, 64 * k, 228 * k, 255, 1024}}) {
        SCOPED_TRACE(row.capability);
        const Device limits = limits_of(row.capability).value();
        EXPECT_EQ(limits.max_threads_per_sm, row.threads);
        EXPECT_EQ(limits.max_blocks_per_sm, row.blocks);
        EXPECT_EQ(limits.registers_per_sm, row.registers);
        EXPECT_EQ(limits.shared_per_sm, row.shared);
        EXPECT_EQ(limits.max_registers_per_thread, row.registers_per_thread);
        EXPECT_EQ(limits.max_threads_per_block, row.threads_per_block);
    }
}

TEST(ComputeCapability, IsNothingForOnesThatNeverWere) {
    EXPECT_FALSE(limits_of(4, 0));
    EXPECT_FALSE(limits_of("9"));
    EXPECT_FALSE(limits_of("1.30"));
    EXPECT_FALSE(limits_of(""));
    for (const std::string& known : known_capabilities()) EXPECT_TRUE(limits_of(known)) << known;
}

}  // namespace
}  // namespace lab::devices
