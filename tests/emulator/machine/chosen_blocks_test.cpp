// Sampled blocks: their choice, and the extrapolation of their counts.
#include "common/emulator/machine/chosen_blocks.h"

#include <numeric>
#include <random>
#include <set>

#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

std::size_t chosen(const std::vector<BlockClass>& classes) {
    return std::accumulate(classes.begin(), classes.end(), std::size_t{0},
                           [](std::size_t sum, const BlockClass& each) { return sum + each.positions.size(); });
}

TEST(ChosenBlocks, StandForEveryBlockOnce) {
    const std::uint32_t seed = std::random_device{}();
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 200; ++i) {
        const auto up_to = [&](std::uint32_t most) { return static_cast<std::uint32_t>(1 + random() % most); };
        const Dim3 grid{up_to(40), up_to(40), up_to(4)};
        const std::uint64_t most = 1 + random() % 500U;
        std::uint64_t stood_for = 0;
        std::set<std::uint64_t> positions;
        for (const BlockClass& each : choose_blocks(grid, most)) {
            EXPECT_TRUE(std::is_sorted(each.positions.begin(), each.positions.end()));
            EXPECT_GE(each.positions.size(), std::min<std::uint64_t>(1, each.stands_for));
            EXPECT_LE(each.positions.size(), each.stands_for);
            stood_for += each.stands_for;
            positions.insert(each.positions.begin(), each.positions.end());
        }
        const std::string what = ::testing::PrintToString(most) + " of " + ::testing::PrintToString(grid.count());
        EXPECT_EQ(stood_for, grid.count()) << what;
        EXPECT_EQ(positions.size(), chosen(choose_blocks(grid, most))) << "none twice; " << what;
        EXPECT_LT(*positions.rbegin(), grid.count()) << what;
        if (most >= grid.count()) {
            EXPECT_EQ(positions.size(), grid.count()) << what;
        }
        EXPECT_LE(positions.size(), most + 27 * 4) << "27 kinds of blocks, a few of each; " << what;
    }
}

TEST(ChosenBlocks, AreAllBlocksOfEachGridThatIsSmallEnough) {
    for (std::uint32_t x = 1; x <= 40; ++x) {
        for (std::uint32_t y = 1; y <= 40; ++y) {
            EXPECT_EQ(chosen(choose_blocks({x, y, 1}, std::uint64_t{x} * y)), std::size_t{x} * y) << x << " by " << y << " blocks";
        }
    }
}

TEST(ChosenBlocks, LieInNoColumnOfTheGridMoreThanInOthers) {
    const auto classes = choose_blocks({66, 66, 1}, 512);
    std::vector<int> in_column(66);
    for (const BlockClass& each : classes) {
        for (const std::uint64_t position : each.positions) ++in_column[position % 66];
    }
    EXPECT_GE(*std::min_element(in_column.begin() + 1, in_column.end() - 1), 3) << "some 8 of each";
    EXPECT_LE(*std::max_element(in_column.begin() + 1, in_column.end() - 1), 16);
}

TEST(Counters, ScaledToTheNearest) {
    Counters counters;
    counters.blocks = 3;
    counters.slowest.global_waits_q4 = 7;
    counters.global_load.sectors = (std::uint64_t{1} << 62U) + 3;
    counters.constant_load.conflicts = 1;
    counters.special_instructions = 4;
    EXPECT_EQ(scaled(counters, 10, 3).blocks, 10U);
    EXPECT_EQ(scaled(counters, 10, 3).slowest.global_waits_q4, 23U) << "23.3";
    EXPECT_EQ(scaled(counters, 1, 2).constant_load.conflicts, 1U) << "half is rounded up";
    EXPECT_EQ(scaled(counters, 6, 2).special_instructions, 12U);
    EXPECT_EQ(scaled(counters, 3, 3).global_load.sectors, counters.global_load.sectors);
}

// The first and the last blocks do other work than those between, as at a matrix's edges.
constexpr std::string_view edges = R"(
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x; sub.u32 %r2, %r2, 1;
    setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r1, %r2;
    @%p1 bra FIRST; @%p2 bra LAST;
    ld.global.u32 %v, [%in]; ld.global.u32 %r3, [%in + 4]; add.u32 %v, %v, %r3; bra KERNEL_END;
FIRST: shl.b32 %r4, %t, 2; cvt.u64.u32 %rd1, %r4; add.s64 %rd1, %rd1, %in; ld.global.u32 %v, [%rd1]; bra KERNEL_END;
LAST:  bra KERNEL_END;
)";

TEST(ChosenBlocks, CountWhatAllWouldWhereTheWorkOfAKindIsAlike) {
    Situation situation;
    situation.grid = {3000, 1, 1};
    situation.block = {64, 1, 1};
    const Counters all = run_body(edges, situation).counters();
    for (const unsigned threads : {1U, 2U, 5U}) {
        situation.host_threads = threads;
        situation.max_blocks = 100;
        const Ran some = run_body(edges, situation);
        EXPECT_TRUE(some.result.ran_some);
        const Counters& counters = some.counters();
        EXPECT_EQ(counters.blocks, 3000U);
        EXPECT_EQ(counters.warp_instructions, all.warp_instructions);
        EXPECT_EQ(counters.thread_instructions, all.thread_instructions);
        EXPECT_EQ(counters.global_load.requests, all.global_load.requests);
        EXPECT_EQ(counters.global_load.sectors, all.global_load.sectors);
        EXPECT_EQ(counters.global_store.bytes, all.global_store.bytes);
        EXPECT_EQ(counters.slowest.dependent_q6, all.slowest.dependent_q6);
        std::size_t written = 0;
        for (const std::uint32_t word : some.out) written += word != 0xdeadbeef ? 1 : 0;
        EXPECT_LT(written, 120U * 64) << "the others did not run";
        EXPECT_GT(written, 50U * 64);
    }
}

TEST(ChosenBlocks, AllRunWhereTheyAreNoMoreThanAskedForOrPartitionsCount) {
    Situation situation;
    situation.grid = {100, 1, 1};
    situation.max_blocks = 100;
    EXPECT_FALSE(run_body("mov.u32 %v, %t;", situation).result.ran_some);
    situation.max_blocks = 10;
    EXPECT_TRUE(run_body("mov.u32 %v, %t;", situation).result.ran_some);
    situation.partitions = {8, 256, 30};
    const Ran whole = run_body("mov.u32 %v, %t;", situation);
    EXPECT_FALSE(whole.result.ran_some);
    EXPECT_EQ(whole.result.partitions.store.total(), 100U * 128);
}

TEST(ChosenBlocks, WhatTheCacheSampleWantsRunsAsWellAndIsNotCounted) {
    Situation situation;
    situation.grid = {1000, 1, 1};
    situation.sampling.first = 500;
    situation.sampling.cache_blocks = 4;
    situation.sampling.apart = 7;
    situation.sampling.cache_bytes = 1 << 16;
    const Ran all = run_body(edges, situation);
    situation.max_blocks = 20;
    const Ran some = run_body(edges, situation);
    EXPECT_NE(some.sample.load_sectors, 0U);
    EXPECT_EQ(some.sample.load_sectors, all.sample.load_sectors);
    EXPECT_EQ(some.sample.missed_sectors, all.sample.missed_sectors);
    EXPECT_EQ(some.counters().global_load.requests, all.counters().global_load.requests);
}

// Each block stores 256 bytes; of 200 blocks a third fills the cache.
TEST(ChosenBlocks, TheWindowOfL2IsWholeUnlessItsBlocksTakeLong) {
    Situation situation;
    situation.grid = {1000, 1, 1};
    situation.block = {64, 1, 1};
    situation.sampling.first = 400;
    situation.sampling.cache_blocks = 1;
    situation.sampling.window_blocks = 200;
    situation.sampling.window_bytes = 200 * 256 / 3;
    const timing::WindowTraffic all = run_body("mov.u32 %v, %t;", situation).sample.window;
    EXPECT_GT(all.blocks, 30U);
    EXPECT_LT(all.blocks, 130U);
    situation.max_blocks = 20;
    const timing::WindowTraffic some = run_body("mov.u32 %v, %t;", situation).sample.window;
    EXPECT_EQ(some.blocks, all.blocks);
    EXPECT_EQ(some.accesses, all.accesses);
    EXPECT_EQ(some.stored, all.stored);
    // 180000 warp instructions a block.
    const Ran slow =
        run_body("mov.u32 %r1, 0;\nAGAIN: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 30000; @%p1 bra AGAIN; mov.u32 %v, %t;", situation);
    EXPECT_TRUE(slow.result.ran_some);
    EXPECT_EQ(slow.sample.window.blocks, 0U) << "the 11 that 2 million instructions allow fill nothing";
}

TEST(ChosenBlocks, AFaultOfOneOfThemStopsTheLaunch) {
    Situation situation;
    situation.grid = {1000, 1, 1};
    situation.max_blocks = 20;
    const Ran ran = run_body("trap;", situation);
    ASSERT_TRUE(ran.result.fault);
    EXPECT_EQ(ran.result.fault->kind, FindingKind::trap);
    EXPECT_EQ(ran.counters().blocks, 0U);
}

}  // namespace
}  // namespace lab::machine::testing
