// The number that stands in an index where a side of the block should.
#include "common/grading/thread_index.h"

#include <gtest/gtest.h>

namespace lab::grading {
namespace {

// What is said of 48 x 48 elements in blocks of 8 x 4 whose rows are blockIdx.y * by_y + threadIdx.y and whose columns are
// blockIdx.x * by_x + threadIdx.x.
std::string said_of_index(std::size_t by_y, std::size_t by_x) {
    constexpr std::size_t side = 48;
    Launched launched{6, 12, 8, 4, 0, false, false};
    Reached reached{std::vector<bool>(side * side)};
    for (std::size_t at = 0; at < 6 * 12 * 8 * 4; ++at) {
        const std::size_t row = at / 32 / 6 * by_y + at % 32 / 8;
        const std::size_t col = at / 32 % 6 * by_x + at % 8;
        if (row < side && col < side) {
            reached.elements[row * side + col] = true;
            ++launched.stored;
        }
    }
    return thread_index(launched, Shape{"P", side, side, true}, reached).text;
}

TEST(ThreadIndex, NamesTheNumberThatStandsForABlocksSide) {
    const std::string start = "P is written only at row = blockIdx.y * ";
    const std::string end = " + threadIdx.x, in blocks of 8 x 4";
    EXPECT_EQ(said_of_index(12, 8),
              start + "12 + threadIdx.y, column = blockIdx.x * 8" + end + ": 12 is gridDim.y, should it be blockDim.y?");
    EXPECT_EQ(said_of_index(8, 8),
              start + "8 + threadIdx.y, column = blockIdx.x * 8" + end + ": 8 is blockDim.x, should it be blockDim.y?");
    EXPECT_EQ(said_of_index(4, 16), start + "4 + threadIdx.y, column = blockIdx.x * 16" + end + ": does 16 stand where blockDim.x should?");
    EXPECT_EQ(said_of_index(16, 16),
              start + "16 + threadIdx.y, column = blockIdx.x * 16" + end + ": does 16 stand where blockDim.y and blockDim.x should?");
    // Two numbers have been exchanged, or two mistakes been made.
    EXPECT_EQ(said_of_index(8, 16), start + "8 + threadIdx.y, column = blockIdx.x * 16" + end);
}

TEST(ThreadIndex, NamesAllSidesOfANumber) {
    EXPECT_EQ(names_of_number(8, {3, 8, 8, 4, 0, false, false}), "blockDim.x and gridDim.y");
    EXPECT_EQ(names_of_number(5, {3, 8, 8, 4, 0, false, false}), "");
}

}  // namespace
}  // namespace lab::grading
