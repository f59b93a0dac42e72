// Traffic of the memory levels, worked out by hand from a launch's counts.
#include "common/emulator/timing/memory_time.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lab::timing {

using devices::device_of;
namespace {

// Each of 132 * 2048 threads has an array of its own, stores all of it and loads as much, 32 lanes in 32 lines.
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

}  // namespace
}  // namespace lab::timing
