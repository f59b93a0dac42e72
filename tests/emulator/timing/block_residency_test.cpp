// How long a block stays on its SM, worked out by hand from counts and a device's latencies.

#include <gtest/gtest.h>

#include <cmath>

#include "common/emulator/timing/memory_time.h"
#include "tests/emulator/timing/launch_shapes.h"

namespace lab::timing {

using devices::device_of;
namespace {

// 264 blocks of 8 warps, each of which waits 10 times for L2, 5 times for shared memory, at 2 barriers, and has 100 instructions.
TEST(BlockResidency, ABlockLivesAsLongAsItsSlowestWarpWorksAndWaits) {
    machine::Counters counters;
    counters.blocks = 264;
    counters.warps = 264 * 8;
    counters.slowest = {264 * 100 * machine::one_q6, 264 * 10 * machine::one_q4, 264 * 5 * machine::one_q4};
    counters.block_barriers = 264 * 2;
    counters.global_load.sectors = counters.global_load.lines = 264 * 10;
    const Device& h200 = device_of("h200");
    const double clocks =
        100 * h200.instruction_clocks + 10 * h200.l2_latency_clocks + 5 * h200.shared_latency_clocks + 2 * h200.barrier_clocks;
    const double life_ms = clocks / 1.98e6 + (h200.block_us + 8 * h200.block_us_a_warp) * 1e-3;
    LaunchShape shape = shape_of(264);
    EXPECT_NEAR(term(h200, counters, shape, Resource::waiting), 2 * life_ms, 1e-9) << "two on each SM, one after the other";
    shape.blocks_per_sm = 2;
    EXPECT_NEAR(term(h200, counters, shape, Resource::waiting), life_ms, 1e-9);
    shape.blocks_per_sm = 8;
    EXPECT_NEAR(term(h200, counters, shape, Resource::waiting), life_ms, 1e-9) << "none is shorter for places that stay empty";
    shape.sample.load_sectors = shape.sample.load_lines = shape.sample.load_requests = 100;  // none waits: L1 has them all
    const double saved_ms = 10 * (h200.l2_latency_clocks - h200.l1_latency_clocks) / 1.98e6;
    EXPECT_NEAR(term(h200, counters, shape, Resource::waiting), life_ms - saved_ms, 1e-9);
}

// 264 blocks with a million wavefronts each, two on each SM: each waits for its own wavefronts, which overlap with the other block's if it
// is resident.
TEST(BlockResidency, ABlocksOwnPassesThroughL1ArePartOfItsLife) {
    machine::Counters counters;
    counters.blocks = counters.warps = 264;
    LaunchShape shape = shape_of(264);
    const Device& h200 = device_of("h200");
    const double alone_ms = term(h200, counters, shape, Resource::waiting);
    counters.global_load.transactions = 264 * million;
    EXPECT_NEAR(term(h200, counters, shape, Resource::waiting) - alone_ms, 2 / 1.98, 1e-6) << "one after the other";
    shape.blocks_per_sm = 2;
    EXPECT_NEAR(term(h200, counters, shape, Resource::waiting) - alone_ms / 2, 1 / 1.98, 1e-6);
    shape.blocks_per_sm = 8;
    EXPECT_NEAR(term(h200, counters, shape, Resource::waiting) - alone_ms / 2, 1 / 1.98, 1e-6) << "no more than two are there";
}

// 132 blocks of 8 warps, of 50 constant loads each.
TEST(BlockResidency, AWarpWaitsForConstantsThatTheirCacheDoesntHave) {
    machine::Counters counters;
    counters.blocks = 132;
    counters.warps = 132 * 8;
    counters.constant_load.requests = 132 * 8 * 50;
    LaunchShape shape = shape_of(132);
    const Device& h200 = device_of("h200");
    const double without_ms = term(h200, counters, shape, Resource::waiting);
    shape.sample.constant_lines = 400;
    EXPECT_NEAR(term(h200, counters, shape, Resource::waiting), without_ms, 1e-12) << "all are there";
    shape.sample.missed_constant_lines = 100;
    EXPECT_NEAR(term(h200, counters, shape, Resource::waiting) - without_ms, 50 * 0.25 * h200.constant_miss_clocks / 1.98e6, 1e-9);
}

}  // namespace
}  // namespace lab::timing
