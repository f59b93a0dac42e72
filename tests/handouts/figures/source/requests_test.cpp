#include "handouts/figures/source/requests.h"

#include <gtest/gtest.h>

#include <set>

namespace lab::report {
namespace {

TEST(Requests, TakeAsManySectorsAsThePrimerSays) {
    EXPECT_EQ(request_of(0, 1).sectors, (std::vector<std::int64_t>{0, 32, 64, 96}));
    EXPECT_EQ(request_of(1, 1).sectors.size(), 5U);
    EXPECT_EQ(request_of(0, 8).sectors.size(), 32U);
    EXPECT_EQ(request_of(0, 2).sectors.size(), 8U);
    EXPECT_EQ(request_of(0, 0).sectors.size(), 1U);
}

TEST(Requests, BeginAtTheSectorOfTheirFirstLane) {
    const GlobalRequest request = request_of(9, 1);
    EXPECT_EQ(request.addresses[0], 36);
    EXPECT_EQ(request.addresses[31], 160);
    EXPECT_EQ(request.sectors, (std::vector<std::int64_t>{32, 64, 96, 128, 160}));
}

TEST(Banks, OfAColumnAreOneWithoutPaddingAndAllWithIt) {
    for (const auto& [pitch, banks, passes] : {std::tuple{32, 1U, 32U}, std::tuple{33, 32U, 1U}, std::tuple{34, 16U, 2U}}) {
        const BankTile tile{32, pitch};
        std::set<int> met;
        for (int row = 0; row < 32; ++row) met.insert(tile.bank(row, 5));
        EXPECT_EQ(met.size(), banks) << pitch;
        EXPECT_EQ(tile.column_passes(), passes) << pitch;
        EXPECT_EQ(tile.row_passes(), 1U) << pitch;
    }
    EXPECT_EQ((BankTile{32, 33}.bank(8, 8)), 16);
}

}  // namespace
}  // namespace lab::report
