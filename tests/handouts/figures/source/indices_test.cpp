#include "handouts/figures/source/indices.h"

#include <gtest/gtest.h>

namespace lab::report {
namespace {

TEST(Indices, TheLastWarpOfAThousandElementsHasEight) {
    const std::vector<StripWarp> warps = strip_of(1000, 256);
    ASSERT_EQ(warps.size(), 32U);  // 4 blocks of 8
    int threads = 0;
    int elements = 0;
    for (const StripWarp& warp : warps) {
        threads += warp.threads;
        elements += warp.in_bounds;
    }
    EXPECT_EQ(threads, 1024);
    EXPECT_EQ(elements, 1000);
    EXPECT_EQ(warps[31].block, 3);
    EXPECT_EQ(warps[31].warp, 7);
    EXPECT_EQ(warps[31].first, 992);
    EXPECT_EQ(warps[31].in_bounds, 8);
    EXPECT_EQ(warps[30].in_bounds, 32);
}

TEST(Indices, AWarpOfABlockThatIsNoMultipleOf32IsShort) {
    const std::vector<StripWarp> warps = strip_of(50, 50);
    ASSERT_EQ(warps.size(), 2U);
    EXPECT_EQ(warps[1].threads, 18);
}

TEST(Indices, WarpsOfABlockGoAlongXFirst) {
    EXPECT_EQ(warp_of(16, 15, 1), 0);
    EXPECT_EQ(warp_of(16, 0, 2), 1);
    EXPECT_EQ(warp_of(25, 6, 1), 0);  // 25 threads of row 0 and 7 of row 1
    EXPECT_EQ(warp_of(25, 7, 1), 1);
    EXPECT_EQ(warp_of(25, 24, 24), 19);
}

TEST(Indices, AWarpThatDivergesExecutesBothSides) {
    const std::vector<IssuedStep> split = branch_steps(0x55555555U, 3);
    ASSERT_EQ(split.size(), 8U);
    EXPECT_EQ(split[1].lanes, 0x55555555U);
    EXPECT_EQ(split[4].lanes, 0xaaaaaaaaU);
    EXPECT_EQ(split[7].lanes, 0xffffffffU);
    EXPECT_EQ(branch_steps(0xffffffffU, 3).size(), 5U);
    EXPECT_EQ(branch_steps(0, 3).at(1).side, 'B');
}

// 32 floats a row are two cache lines, so a column touches a new one in each row, and a row touches two.
TEST(LoopWalk, DownAColumnTouchesACacheLineAnIteration) {
    const LoopWalk down = walk_of(5, 32, 8);
    EXPECT_EQ(down.elements, (std::vector<int>{5, 37, 69, 101, 133, 165, 197, 229}));
    EXPECT_EQ(down.cache_lines, (std::vector<int>{0, 2, 4, 6, 8, 10, 12, 14}));
    EXPECT_EQ(walk_of(64, 1, 32).cache_lines, (std::vector<int>{4, 5}));
    EXPECT_EQ(walk_of(15, 1, 2).cache_lines, (std::vector<int>{0, 1}));
}

}  // namespace
}  // namespace lab::report
