// Causes shown by the ends of the rows or columns that a launch reached.
#include "common/diagnosis/causes/reached_sides.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lab::diagnosis {
namespace {

// First line on blocks of 8 x 2 threads that take 2 * 8 rows each, of which `end` of 100 are written; there are 40 columns.
std::string said_of_blocks(std::size_t end, std::size_t stored, std::size_t blocks = 7) {
    Shape shape{"out", 100, 40, true};
    shape.unroll = 2;
    Side side{"row", std::vector<bool>(100), 40};
    std::fill_n(side.reached.begin(), end, true);
    return blocks_overlap({5, blocks, 8, 2, stored, false, false}, shape, side);
}

TEST(ReachedSides, SaysThatBlocksOverlap) {
    constexpr std::size_t all_stores = std::size_t{7} * 16 * 40;
    EXPECT_EQ(said_of_blocks(6 * 8 + 16, all_stores),
              "blocks write 16 rows of out each, but start 8 apart: is the factor 2 missing in the index of a block's first row?");
    EXPECT_EQ(
        said_of_blocks(6 * 10 + 16, all_stores),
        "blocks write 16 rows of out each, but start 10 apart: what is the block's number multiplied by in the index of its first row?");
}

TEST(ReachedSides, SaysNoSuchThingWithoutAsManyStores) {
    EXPECT_EQ(said_of_blocks(6 * 8 + 16, std::size_t{6 * 8 + 16} * 40), "");
    EXPECT_EQ(said_of_blocks(6 * 8 + 16, 0), "");
    EXPECT_EQ(said_of_blocks(6 * 8 + 17, std::size_t{7} * 16 * 40), "");
    EXPECT_EQ(said_of_blocks(5 * 8 + 16, std::size_t{6} * 16 * 40, 6), "");  // the grid is too small as well
}

TEST(ReachedSides, OnlyWhatMovesElementsMayHaveTilesThatAreHigherThanItsBlocks) {
    const Shape shape{"P", 17, 17, true};
    EXPECT_TRUE(covers({1, 1, 32, 8}, shape, true));
    EXPECT_FALSE(covers({1, 1, 32, 8}, shape, false));
    EXPECT_TRUE(covers({1, 3, 32, 8}, shape, false));
}

}  // namespace
}  // namespace lab::diagnosis
