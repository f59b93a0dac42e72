// Tiles that a kernel loads from the wrong starts.
#include "common/grading/tile_starts.h"

#include <gtest/gtest.h>

namespace lab::grading {
namespace {

// Of rows 4 to 11 and columns 0 to 3 of `in`, in tiles of 4 x 4.
template <typename Place>
std::string said_of_tiles(const Place& place) {
    std::vector<Taken> elements;
    for (std::size_t row = 4; row < 12; ++row) {
        for (std::size_t col = 0; col < 4; ++col) {
            const auto [there, across] = place(row, col);
            elements.push_back({row, col, there, across});
        }
    }
    return tiles_start_elsewhere(elements, {2, 4}, "in");
}

TEST(TileStarts, NamesTheirDistance) {
    using Place = std::pair<std::size_t, std::size_t>;
    EXPECT_EQ(said_of_tiles([](std::size_t row, std::size_t col) {
                  return Place{row / 4 * 2 + row % 4, col};
              }),
              "tiles are loaded from starts 2 rows of in apart instead of 4: what is the row of the tile multiplied by?");
    EXPECT_EQ(said_of_tiles([](std::size_t row, std::size_t col) {
                  return Place{row, col / 2 * 3 + col % 2};
              }),
              "tiles are loaded from starts 3 columns of in apart instead of 2: what is the column of the tile multiplied by?");
    // A shift, both at once, the right ones.
    EXPECT_EQ(said_of_tiles([](std::size_t row, std::size_t col) { return Place{row + 1, col}; }), "");
    EXPECT_EQ(said_of_tiles([](std::size_t row, std::size_t col) { return Place{row / 4 * 2 + row % 4, col + 1}; }), "");
    EXPECT_EQ(said_of_tiles([](std::size_t row, std::size_t col) { return Place{row, col}; }), "");
}

}  // namespace
}  // namespace lab::grading
