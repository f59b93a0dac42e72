// Grids that cover too few rows or columns, and the size from which they were computed.

#include <gtest/gtest.h>

#include <algorithm>

#include "common/diagnosis/causes/reached_sides.h"

namespace lab::diagnosis {
namespace {

// The first lines of a side.
Side first_of(const char* line, std::size_t all, std::size_t reached, std::size_t other, std::size_t inner) {
    Side side{line, std::vector<bool>(all), other, inner};
    std::fill_n(side.reached.begin(), reached, true);
    return side;
}

TEST(GridSizes, AsksForTheSideThatAGridWasComputedFrom) {
    const Launched launched{3, 2, 16, 16};
    const Shape shape{"C", 30, 90, true};
    const auto said = [&](std::size_t other, std::size_t inner) {
        return ends_with_the_grid(launched, shape, first_of("column", 90, 48, other, inner));
    };
    const std::string fact =
        "only the first 48 of 90 columns of C were written, as many as the grid has threads along x (3 blocks of 16): ";
    EXPECT_EQ(said(30, 47).text, fact + "is it computed from another side, 47?");
    EXPECT_EQ(said(40, 47).text, fact + "is it too small?");  // two sides would explain it
    EXPECT_EQ(said(30, 90).text, fact + "is it too small?");
}

TEST(GridSizes, AsksForRoundingAndForAnotherSide) {
    const Launched launched{3, 2, 16, 16};
    const Shape shape{"C", 30, 50, true};
    const Cause cause = ends_with_the_grid(launched, shape, first_of("column", 50, 48, 30, 47));
    EXPECT_NE(cause.text.find(": was the grid rounded down, or is it computed from another side, 47?"), std::string::npos) << cause.text;
    EXPECT_EQ(cause.proof, Proof::several);
    EXPECT_EQ(ends_with_the_grid(launched, shape, first_of("column", 50, 48, 30, 20)).proof, Proof::index);
}

TEST(GridSizes, AsksForTheOtherSideOfABlock) {
    Shape shape{"out", 128, 64, true};
    shape.unroll = 2;
    shape.unrolls_y = true;
    EXPECT_EQ(
        ends_with_the_grid({22, 10, 3, 7}, shape, first_of("row", 128, 60, 64, 0)).text,
        "only the first 60 of 128 rows of out were written, as many as the grid has threads along y (10 blocks of 6): is it computed for "
        "14 rows a block, 2 * blockDim.y instead of 2 * blockDim.x?");
    EXPECT_EQ(
        ends_with_the_grid({4, 2, 32, 8}, Shape{"out", 60, 128, true}, first_of("row", 60, 16, 128, 0)).text,
        "only the first 16 of 60 rows of out were written, as many as the grid has threads along y (2 blocks of 8): is it computed for 32 "
        "rows a block, blockDim.x instead of blockDim.y?");
}

TEST(GridSizes, NamesTheMatrixThatAGridOfTilesCovers) {
    const Shape shape{"C", 20, 48, true, true};
    EXPECT_EQ(grid_of_other_sides({2, 1, 16, 16}, shape, 16).text,
              "the grid has 2 blocks, but C has 6 tiles of 16 x 16, and a matrix of 20 x 16 has 2: is the grid computed from its sides?");
    EXPECT_EQ(grid_of_other_sides({3, 1, 16, 16}, shape, 16).text, "");  // rounded down
    EXPECT_EQ(grid_of_other_sides({6, 1, 16, 16}, shape, 16).text, "");
    EXPECT_EQ(grid_of_other_sides({2, 1, 16, 16}, shape, 0).text, "");
    EXPECT_EQ(grid_of_other_sides({4, 1, 16, 16}, {"C", 20, 64, true}, 32).text, "");  // 20 x 32, 20 x 20 and 32 x 32
}

}  // namespace
}  // namespace lab::diagnosis
