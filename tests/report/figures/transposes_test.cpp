#include "common/report/figures/transposes.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace lab::report {
namespace {

TEST(Orders, OfThreeByThreeAreTheHandoutsTable) {
    constexpr std::array<Tile, 9> cartesian{{{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}};
    constexpr std::array<Tile, 9> diagonal{{{0, 0}, {1, 1}, {2, 2}, {1, 0}, {2, 1}, {0, 2}, {2, 0}, {0, 1}, {1, 2}}};
    for (std::size_t block = 0; block < 9; ++block) {
        const Tile plain = tile_of(static_cast<int>(block), 3, Order::cartesian);
        EXPECT_EQ(plain.x, cartesian[block].x) << block;
        EXPECT_EQ(plain.y, cartesian[block].y) << block;
        const Tile turned = tile_of(static_cast<int>(block), 3, Order::diagonal);
        EXPECT_EQ(turned.x, diagonal[block].x) << block;
        EXPECT_EQ(turned.y, diagonal[block].y) << block;
    }
}

// A row of 2048 floats is 8192 bytes, four rounds of 8 partitions of 256 bytes; a tile's row is half of one partition's bytes.
TEST(Partitions, OfTilesOfA2048WideMatrixFollowTheirColumn) {
    const devices::Device& device = devices::device_of("gtx280");
    for (const auto& [x, partition] : {std::pair{0, 0}, std::pair{1, 0}, std::pair{2, 1}, std::pair{15, 7}, std::pair{16, 0}}) {
        for (const int y : {0, 1, 9}) EXPECT_EQ(partition_of(device, {x, y}, 2048), partition) << x << " " << y;
    }
    EXPECT_EQ(partition_bytes(device, {3, 2}, 2048), (std::vector<std::uint64_t>{0, 32 * 128, 0, 0, 0, 0, 0, 0}));
}

TEST(Partitions, OfATileAreManyWhereRowsAreNoMultipleOfThem) {
    const std::vector<std::uint64_t> bytes = partition_bytes(devices::device_of("gtx280"), {0, 0}, 2048 + 64);
    EXPECT_EQ(bytes, std::vector<std::uint64_t>(8, 32 * 128 / 8));  // each row begins a partition further
}

// Block (1, 2) of a 70 x 40 transpose, as worked out in lab 5: its tile of `in` has rows from 32, columns from 64.
TEST(TransposeStep, KeepsToBothMatrices) {
    const TransposeStep first = transpose_step(70, 40, {1, 2}, 0, 0);
    EXPECT_EQ(first.in_row, 32);
    EXPECT_EQ(first.in_column, 64);
    EXPECT_EQ(first.out_row, 64);
    EXPECT_EQ(first.out_column, 32);
    EXPECT_EQ(first.loads, 6);   // columns 64 to 69
    EXPECT_EQ(first.stores, 8);  // columns 32 to 39
    EXPECT_EQ(transpose_step(70, 40, {1, 2}, 0, 1).loads, 0) << "row 40 of `in` doesn't exist";
    EXPECT_EQ(transpose_step(70, 40, {1, 2}, 5, 0).stores, 8) << "row 69 of `out` exists";
    EXPECT_EQ(transpose_step(70, 40, {1, 2}, 6, 0).stores, 0) << "row 70 doesn't";
    EXPECT_EQ(transpose_step(70, 40, {0, 0}, 0, 0).loads, 32);
}

}  // namespace
}  // namespace lab::report
