// Tiles of a transpose that hold one tile of its input.
#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "common/diagnosis/verdict.h"

namespace lab::diagnosis {
namespace {

constexpr std::size_t down = 4, across = 6;  // of out; `in` is 6 x 4, both in tiles of 2 x 2

// The verdict where two tiles, (0, 0) and (0, 1) of out, hold the elements of `in` that these lambdas name by row and column in the tile.
template <typename First, typename Second>
Message verdict_on_tiles(const First& first, const Second& second) {
    Source in{"in", {}, down};
    for (std::size_t at = 0; at < down * across; ++at) in.values.push_back(static_cast<double>(at) + 1);
    Expected expected{{}, std::vector<double>(down * across), nullptr, std::make_shared<const Source>(in)};
    std::vector<float> got;
    for (std::size_t row = 0; row < down; ++row) {
        for (std::size_t col = 0; col < across; ++col) {
            expected.value.push_back(in.values[col * down + row]);
            const bool is_held = row < 2 && col < 4;
            const std::array<std::size_t, 2> from = !is_held ? std::array{col, row} : col < 2 ? first(row, col) : second(row, col - 2);
            got.push_back(static_cast<float>(in.values[from[0] * down + from[1]]));
        }
    }
    return compare(Shape{"out", down, across, true, true}, got, expected, 0, {3, 2, 2, 2, down * across});
}

std::array<std::size_t, 2> at_tile(std::size_t tile_row, std::size_t tile_col, std::size_t row, std::size_t col) {
    return {tile_row * 2 + col, tile_col * 2 + row};
}

TEST(HeldTiles, NamesATileThatIsHeldByAnother) {
    const Message message = verdict_on_tiles([](auto row, auto col) { return at_tile(1, 1, row, col); },
                                             [](auto row, auto col) { return at_tile(2, 1, row, col); });
    EXPECT_EQ(message.what, "tile (0, 0) of out holds tile (1, 1) of in instead of (0, 0): do the load and the store use the same tile?");
    EXPECT_EQ(message.cause, "tile_of_another");
    EXPECT_EQ(message.proof, Proof::terms);
}

TEST(HeldTiles, SaysNothingOfTilesThatAreMixed) {
    const Message message = verdict_on_tiles([](auto row, auto col) { return at_tile(col, 1, row, col); },
                                             [](auto row, auto col) { return at_tile(2, 1, row, col); });
    EXPECT_EQ(message.cause, "value_of_another") << message.what;
}

// out[col * 4 + row] = in[row * 6 + col]: in has rows of 4 elements, out rows of 6.
TEST(HeldTiles, NamesSidesThatAreExchangedInBoth) {
    Source in{"in", {}, down};
    for (std::size_t at = 0; at < down * across; ++at) in.values.push_back(static_cast<double>(at) + 1);
    Expected expected{{}, std::vector<double>(down * across), nullptr, std::make_shared<const Source>(in)};
    std::vector<float> got(down * across);
    for (std::size_t row = 0; row < down; ++row) {
        for (std::size_t col = 0; col < across; ++col) {
            expected.value.push_back(in.values[col * down + row]);
            got[col * down + row] = static_cast<float>(in.values[row * across + col]);
        }
    }
    const Message message = compare(Shape{"out", down, across, true, true}, got, expected, 0, {3, 2, 2, 2, down * across});
    EXPECT_EQ(message.what, "in is read as if its rows had 6 elements, and out written as if its had 4: they have 4 and 6");
}

}  // namespace
}  // namespace lab::diagnosis
