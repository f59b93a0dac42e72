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
    EXPECT_NE(said_of_tiles([](std::size_t row, std::size_t col) {
                  return Place{row / 4 + row % 4, col};
              }).find("starts 1 row of in apart instead"),
              std::string::npos);
    // A shift, both at once, the right ones.
    EXPECT_EQ(said_of_tiles([](std::size_t row, std::size_t col) { return Place{row + 1, col}; }), "");
    EXPECT_EQ(said_of_tiles([](std::size_t row, std::size_t col) { return Place{row / 4 * 2 + row % 4, col + 1}; }), "");
    EXPECT_EQ(said_of_tiles([](std::size_t row, std::size_t col) { return Place{row, col}; }), "");
}

// What is said of C = A B of 8 x 6, with 12 terms, whose tiles of 4 begin `A_apart` and `B_apart` apart.
std::string said_of_factors(std::size_t A_apart, std::size_t B_apart) {
    constexpr std::size_t rows = 8;
    Factors factors{{}, {}, 12, 6, "A", "B"};
    for (std::size_t at = 0; at < rows * 12; ++at) factors.M.push_back(static_cast<double>((at * 37 + 11) % 64) / 64 - 0.5);
    for (std::size_t at = 0; at < 72; ++at) factors.N.push_back(static_cast<double>((at * 23 + 5) % 61) / 61 - 0.5);
    Explained samples{{}, {}, 1e-9, 4};
    for (std::size_t at = 0; at < rows * 6; ++at) {
        double sum = 0;
        for (std::size_t k = 0; k < 12; ++k) {
            sum += factors.M[at / 6 * 12 + k / 4 * A_apart + k % 4] * factors.N[(k / 4 * B_apart + k % 4) * 6 + at % 6];
        }
        samples.wrong.push_back({at / 6, at % 6, sum});
    }
    return factors_tiles_start_elsewhere(Shape{"C", rows, 6}, factors, samples, {4, 8});
}

TEST(TileStarts, SaysThatTilesOfTheRightFactorAreTooCloseTogether) {
    EXPECT_EQ(said_of_factors(4, 1),
              "tiles are loaded from starts 1 row of B apart instead of 4: what is the row of the tile multiplied by?");
    EXPECT_EQ(said_of_factors(2, 1), "");
}

}  // namespace
}  // namespace lab::grading
