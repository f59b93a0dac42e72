// Tiles of a transpose that hold one tile of its input.

#include <gtest/gtest.h>

#include "common/grading/tile_starts.h"

namespace lab::grading {
namespace {

const Shape out{"out", 4, 6, true, true};

// in[row][col] of 6 x 4, as found at out[to_row][to_col].
Found found(std::size_t to_row, std::size_t to_col, std::size_t row, std::size_t col) { return {to_row * 6 + to_col, row * 4 + col}; }

TEST(HeldTiles, NamesATileThatIsHeldByAnother) {
    const Cause cause = held_tiles({found(0, 0, 1, 1), found(1, 3, 4, 2)}, 2, out, "in");
    EXPECT_EQ(cause.text, "tile (0, 1) of out holds tile (2, 1) of in instead of (1, 0): do the load and the store use the same tile?");
    EXPECT_EQ(cause.proof, Proof::terms);
}

TEST(HeldTiles, SaysNothingOfTilesThatAreMixed) {
    EXPECT_EQ(held_tiles({found(0, 0, 1, 1), found(0, 1, 4, 2)}, 2, out, "in").text, "");
    EXPECT_EQ(held_tiles({}, 2, out, "in").text, "");
    EXPECT_EQ(held_tiles({found(0, 0, 1, 1)}, 1, out, "in").text, "");
}

}  // namespace
}  // namespace lab::grading
