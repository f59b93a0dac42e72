// Threads that take several elements each: what the lines that they reached, and the number of stores, say about index and guard.
#include "common/diagnosis/causes/unrolled_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace lab::diagnosis {
namespace {

constexpr std::size_t block_x = 8, block_y = 4, unroll = 4;

// Whether element `nth` of a thread is stored, and in which line.
using StoredTo = std::function<std::size_t(std::size_t block, std::size_t thread, std::size_t nth)>;

// The cause named for an output of `size` lines with 5 elements each. Stores behind the last line are ignored.
std::string said(std::size_t size, const StoredTo& line_of, std::size_t more_stores = 0) {
    std::vector<std::size_t> count(size);
    const std::size_t blocks = (size + unroll * block_x - 1) / (unroll * block_x);
    for (std::size_t block = 0; block < blocks; ++block) {
        for (std::size_t thread = 0; thread < block_x; ++thread) {
            for (std::size_t nth = 0; nth < unroll; ++nth) {
                const std::size_t line = line_of(block, thread, nth);
                if (line < size) ++count[line];
            }
        }
    }
    Side side{"column", std::vector<bool>(size), 5};
    std::transform(count.begin(), count.end(), side.reached.begin(), [](std::size_t one) { return one > 0; });
    Launched launched{blocks, 2, block_x, block_y, 0, false, false};
    launched.stored = std::accumulate(count.begin(), count.end(), std::size_t{0}) * side.other + more_stores;
    Shape shape{"out", 5, size, true};
    shape.unroll = unroll;
    return unrolled_index(launched, shape, side).text;
}

constexpr std::size_t nowhere = 1000;

std::size_t own(std::size_t block, std::size_t thread, std::size_t nth) { return (block * unroll + nth) * block_x + thread; }

TEST(UnrolledIndex, NamesOneGuardForAllElements) {
    const auto if_last_exists = [](std::size_t size) {
        return [=](std::size_t block, std::size_t thread, std::size_t nth) {
            return own(block, thread, unroll - 1) < size ? own(block, thread, nth) : nowhere;
        };
    };
    EXPECT_EQ(said(61, if_last_exists(61)),
              "a thread whose last element lies outside out writes none of its 4: does each of them have a guard of its own?");
    // Here the last block writes nothing, as if it did not run.
    EXPECT_EQ(said(50, if_last_exists(50)), "");
    EXPECT_EQ(said(61, if_last_exists(61), 5), "");  // some other store
}

TEST(UnrolledIndex, NamesBlocksThatOverlap) {
    EXPECT_EQ(said(96, [](std::size_t block, std::size_t thread, std::size_t nth) { return (block + nth) * block_x + thread; }),
              "blocks start 8 columns of out apart, but each writes 32: is the factor 4 missing where blockIdx.x is multiplied?");
    EXPECT_EQ(said(96, [](std::size_t block, std::size_t thread, std::size_t nth) { return block * 16 + nth * block_x + thread; }),
              "blocks start 16 columns of out apart, but each writes 32: what is blockIdx.x multiplied by?");
}

TEST(UnrolledIndex, NamesTheDistanceOfAThreadsElements) {
    EXPECT_EQ(said(96, [](std::size_t block, std::size_t thread, std::size_t nth) { return block * 32 + nth * block_y + thread; }),
              "the 4 elements of a thread lie 4 columns of out apart in blocks of 8 x 4: are they to lie blockDim.x apart?");
    EXPECT_EQ(said(96, [](std::size_t block, std::size_t thread, std::size_t nth) { return block * 32 + nth + thread; }),
              "the 4 elements of a thread lie 1 columns of out apart in blocks of 8 x 4: are they to lie blockDim.x apart?");
}

TEST(UnrolledIndex, SaysThatAThreadsFirstElementIsRepeated) {
    Shape shape{"out", 64, 32, true};
    shape.x_is_row = true;
    shape.unroll = unroll;
    const Index right{by_col, by_row, 64, {}};
    const Launched launched{2, 8, block_x, block_y};
    const auto low = [&](std::size_t side) {
        return repeated_elements(right, {by_col, {Variable::none, Variable::row}, 64, {side, side}}, launched, shape);
    };
    EXPECT_EQ(low(8), "");  // two blocks: the start of the block is missing
    shape.rows = 32;
    EXPECT_EQ(low(8), ": all 4 elements of a thread are its first one, is i missing in an index?");
    EXPECT_EQ(low(16), "");
}

}  // namespace
}  // namespace lab::diagnosis
