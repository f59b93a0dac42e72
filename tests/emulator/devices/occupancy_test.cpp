// Blocks an SM holds, by hand from the H100's limits, and by the one published case of another generation.
#include "common/emulator/devices/occupancy.h"

#include <gtest/gtest.h>

namespace lab::devices {
namespace {

TEST(Occupancy, ThreadsLimitLargeBlocks) {
    const Occupancy found = occupancy(h100(), {1024, 32, 0});
    EXPECT_EQ(found.blocks, 2U);
    EXPECT_EQ(found.limit, Limit::threads);
    EXPECT_EQ(found.fraction(), 1.0);
}

TEST(Occupancy, BlockCountLimitsSmallBlocks) {
    const Occupancy found = occupancy(h100(), {32, 16, 0});
    EXPECT_EQ(found.blocks, 32U);
    EXPECT_EQ(found.limit, Limit::blocks);
    EXPECT_EQ(found.fraction(), 0.5);
}

TEST(Occupancy, RegistersLimitGreedyThreads) {
    const Occupancy found = occupancy(h100(), {256, 64, 0});  // 64 * 32 = 2048 a warp, 32 warps in the file
    EXPECT_EQ(found.blocks, 4U);
    EXPECT_EQ(found.limit, Limit::registers);
}

TEST(Occupancy, SharedMemoryCountsWhatTheSystemKeeps) {
    EXPECT_EQ(occupancy(h100(), {128, 16, 48 * 1024}).blocks, 4U);  // 233472 / (49152 + 1024)
    EXPECT_EQ(occupancy(h100(), {128, 16, 232448}).blocks, 1U);
    EXPECT_EQ(occupancy(h100(), {128, 16, 232449}).blocks, 0U);
    EXPECT_EQ(occupancy(h100(), {128, 16, 48 * 1024}).limit, Limit::shared);
}

TEST(Occupancy, WhatCannotRunHasNoBlocks) {
    EXPECT_EQ(occupancy(h100(), {0, 16, 0}).blocks, 0U);
    EXPECT_EQ(occupancy(h100(), {1025, 16, 0}).blocks, 0U);
    EXPECT_EQ(occupancy(h100(), {32, 256, 0}).blocks, 0U);
    EXPECT_EQ(occupancy(h100(), {32, 256, 0}).limit, Limit::none);
}

// The old calculator's case: compute capability 1.3, 10 registers, 2092 bytes of shared memory.
TEST(Occupancy, OldRulesGiveTheOldCalculatorsAnswer) {
    Device gt200;
    gt200.max_threads_per_block = 512;
    gt200.max_threads_per_sm = 1024;
    gt200.max_blocks_per_sm = 8;
    gt200.registers_per_sm = gt200.registers_per_block = 16384;
    gt200.max_registers_per_thread = 124;
    gt200.shared_per_sm = gt200.shared_per_block = 16384;
    gt200.allocation = {512, true, 2, 512, 0};
    const Occupancy large = occupancy(gt200, {256, 10, 2092});
    EXPECT_EQ(large.blocks, 4U);
    EXPECT_EQ(large.fraction(), 1.0);
    const Occupancy small = occupancy(gt200, {64, 10, 2092});
    EXPECT_EQ(small.blocks, 6U);
    EXPECT_EQ(small.limit, Limit::shared);
}

}  // namespace
}  // namespace lab::devices
