#include "handouts/figures/source/transposes.h"

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

// All threads together load each element once, and store each once.
TEST(PairMoves, MoveEachElementOnceWhateverTheBlocksHeight) {
    constexpr int side = 8;
    for (const int threads_y : {1, 2, 3, 8, 16}) {
        std::set<std::pair<int, int>> loaded;
        std::set<std::pair<int, int>> stored;
        for (int y = 0; y < threads_y; ++y) {
            for (int x = 0; x < side; ++x) {
                const PairMoves moves = pair_moves(side, threads_y, x, y);
                for (const Place& place : moves.loads) EXPECT_TRUE(loaded.insert({place.row, place.column}).second) << threads_y;
                for (const Place& place : moves.stores) EXPECT_TRUE(stored.insert({place.column, place.row}).second) << threads_y;
            }
        }
        EXPECT_EQ(loaded.size(), 2U * side * side) << threads_y;
        EXPECT_EQ(stored, loaded) << threads_y;
    }
}

// The CUDA C Programming Guide 4.2, F.3.2.2: a half-warp takes a segment for each 128 bytes that it touches, halved as far as it can be.
TEST(HalfWarps, TakeSegmentsByThemselves) {
    const devices::Device& device = devices::device_of("gtx280");
    const HalfWarps columns = half_warps_of(device, 16, 2048, 1);
    for (const auto& half : columns.segments) {
        ASSERT_EQ(half.size(), 16U);
        EXPECT_EQ(half[3].begin, 3U * 8192);
        EXPECT_EQ(half[3].bytes, 32U);
    }
    EXPECT_EQ(columns.sectors(), 32U);
    EXPECT_EQ(columns.partition_bytes, (std::vector<std::uint64_t>{1024, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(whole_warp_sectors(16, 2048, 1), 16U);

    const HalfWarps rows = half_warps_of(device, 16, 1, 1024);
    ASSERT_EQ(rows.segments[1].size(), 1U);
    EXPECT_EQ(rows.segments[1][0].begin, 4096U);
    EXPECT_EQ(rows.segments[1][0].bytes, 64U);
    EXPECT_EQ(rows.sectors(), 4U);

    // Rows of 24 lanes: the second half-warp ends one row and begins the next.
    const HalfWarps uneven = half_warps_of(device, 24, 1, 1024);
    ASSERT_EQ(uneven.segments[0].size(), 1U);
    ASSERT_EQ(uneven.segments[1].size(), 2U);
    EXPECT_EQ(uneven.segments[1][0].begin, 64U);
    EXPECT_EQ(uneven.segments[1][1].begin, 4096U);

    // Rows of 64 floats: the second half-warp's row begins in the next partition.
    EXPECT_EQ(half_warps_of(device, 16, 1, 64).partition_bytes, (std::vector<std::uint64_t>{64, 64, 0, 0, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace lab::report
