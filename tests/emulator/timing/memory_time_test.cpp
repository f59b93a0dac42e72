// Traffic of the memory levels, worked out by hand from a launch's counts.
#include "common/emulator/timing/memory_time.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lab::timing {

using devices::device_of;
namespace {

// A product of 8192 x 8192 matrices in blocks of 256 columns, 32 of them in a row of the grid. Each block loads its columns of a matrix of
// 256 MiB and almost nothing else.
class LoadedAgain : public ::testing::Test {
protected:
    LoadedAgain() {
        shape.grid = {32, 4096, 1};
        shape.footprint_bytes = std::uint64_t{768} << 20;
        shape.sample.window.blocks = 2;
        shape.sample.reuse = {2000, 1000, 1000};  // each sector twice a block, none shared with the block before
        counters.blocks = shape.grid.count();
        counters.global_load.sectors = counters.blocks * sectors_of_a_block;
        traffic.load_sectors = static_cast<double>(counters.global_load.sectors) / 2;
    }
    [[nodiscard]] double bytes() const { return dram_bytes(device_of("h200"), counters, traffic, shape); }
    // Lost share of all loads.
    [[nodiscard]] double lost() const { return bytes() / (traffic.load_sectors * sector_bytes); }

    static constexpr std::uint64_t sectors_of_a_block = std::uint64_t{2} * (256U << 20U) / 32 / 32;
    machine::Counters counters;
    LaunchShape shape;
    L2Traffic traffic;
};

TEST_F(LoadedAgain, FromDramWhatARowOfBlocksHasSweptOutOfL2) {
    // 256 MiB between one load and the next, in a cache of 60.
    const double share = lost();
    EXPECT_NEAR(share, 1 - std::exp(-share * 256 / 60), 1e-6);
    EXPECT_GT(share, 0.97);
}

TEST_F(LoadedAgain, NotWhatL2HasRoomForMeanwhile) {
    counters.global_load.sectors /= 5;  // 51 MiB
    traffic.load_sectors /= 5;
    shape.footprint_bytes /= 5;
    EXPECT_LE(bytes(), static_cast<double>(shape.footprint_bytes));
}

TEST_F(LoadedAgain, OnceForBlocksThatComeRightBehindOneAnother) {
    const double all = bytes();
    shape.sample.reuse.far = 250;
    EXPECT_NEAR(bytes(), all / 4, all * 1e-9);
    shape.sample.reuse = {};
    EXPECT_LE(bytes(), static_cast<double>(shape.footprint_bytes)) << "nobody looked";
}

TEST_F(LoadedAgain, NoMoreThanEachBlocksOwnPieces) {
    traffic.load_sectors *= 3;  // L1 has lost some meanwhile: L2 has them still
    EXPECT_NEAR(lost(), (1 - std::exp(-4.27)) / 3, 0.01);
}

// Each of 132 * 2048 threads has its own array, stores all of it and loads as much, 32 lanes in 32 cache lines.
class LocalMemory : public ::testing::Test {
protected:
    // Words of an array.
    void have(std::uint32_t words) {
        shape = {};
        shape.grid = {132 * 8, 1, 1};
        shape.blocks_per_sm = 8;
        shape.local_bytes = 4 * words;
        counters = {};
        counters.blocks = 132 * 8;
        counters.warps = counters.blocks * 8;
        counters.local_store.sectors = counters.warps * words * 4;
        counters.local_load.sectors = counters.warps * words * 32;
    }
    [[nodiscard]] L2Traffic traffic() const { return l2_traffic(h100, counters, shape); }
    [[nodiscard]] double own_sectors() const { return static_cast<double>(counters.local_store.sectors); }

    const Device& h100 = device_of("h100");
    machine::Counters counters;
    LaunchShape shape;
};

TEST_F(LocalMemory, StoresGoOnToL2AndLoadsFindThemInL1WhereAllHaveRoom) {
    have(32);  // 2048 threads have just the 256 KiB of an SM
    EXPECT_EQ(traffic().store_sectors, own_sectors());
    EXPECT_EQ(traffic().load_sectors, 0);
    shape.shared_bytes = 16384;  // of each of eight blocks
    EXPECT_GT(traffic().load_sectors, 0) << "shared memory takes its room";
}

TEST_F(LocalMemory, LoadsWaitForL2WhereL1HasTooLittleRoomButForEachPieceOnce) {
    have(64);
    EXPECT_EQ(traffic().load_sectors, own_sectors());
    counters.local_load.sectors = counters.local_store.sectors;  // lane by lane in one cache line: half of them hit
    EXPECT_NEAR(traffic().load_sectors, own_sectors() / 2, 1);
    have(64);
    EXPECT_EQ(l2_traffic(device_of("k20x"), counters, shape).load_sectors, static_cast<double>(counters.local_load.sectors))
        << "no cache that loads go through";
}

TEST_F(LocalMemory, ReachesDramWhereL2HasTooLittleRoom) {
    have(32);  // 33 MiB
    EXPECT_EQ(dram_bytes(h100, counters, traffic(), shape), 0);
    have(64);  // 66 MiB, of which it has room for 50
    const double beyond = 1 - 52428800.0 / (132.0 * 2048 * 256);
    EXPECT_NEAR(dram_bytes(h100, counters, traffic(), shape), own_sectors() * 32 * (1 + beyond), 1);
}

}  // namespace
}  // namespace lab::timing
