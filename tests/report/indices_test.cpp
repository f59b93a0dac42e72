#include "common/report/figures/indices.h"

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

}  // namespace
}  // namespace lab::report
