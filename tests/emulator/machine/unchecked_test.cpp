// Violations that no check forbids: the machine does what hardware since compute capability 7.0 does.
#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

Situation unchecked(std::uint32_t threads) {
    Situation situation;
    situation.block = {threads, 1, 1};
    situation.checks.barriers = false;
    situation.checks.bounds = false;
    return situation;
}

// Half of each warp waits at one barrier, half at another; each thread reads what one of the other half wrote before.
constexpr const char* two_barriers = R"(
    .shared .b32 box[64];
    mov.u32 %r1, box; mad.lo.u32 %r2, %t, 4, %r1; st.shared.u32 [%r2], %t;
    setp.lt.u32 %p1, %w, 16; @%p1 bra LOW;
    bar.sync 0; bra.uni JOIN;
    LOW:
    bar.sync 0;
    JOIN:
    mov.u32 %r3, 63; sub.u32 %r3, %r3, %t; mad.lo.u32 %r3, %r3, 4, %r1; ld.shared.u32 %v, [%r3];)";

TEST(MachineUnchecked, ThreadsAtDifferentBarriersMeet) {
    const Ran ran = run_body(two_barriers, unchecked(64));
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    EXPECT_TRUE(ran.result.findings.empty());
    for (std::uint32_t t = 0; t < 64; ++t) ASSERT_EQ(ran.out[t], 63 - t);
    Situation watched = unchecked(64);
    watched.checks.barriers = true;
    EXPECT_TRUE(run_body(two_barriers, watched).result.fault);
}

TEST(MachineUnchecked, WarpsAtDifferentBarriersMeet) {
    const Ran ran = run_body(R"(
        .shared .b32 box[64];
        mov.u32 %r1, box; mad.lo.u32 %r2, %t, 4, %r1; st.shared.u32 [%r2], %t;
        setp.lt.u32 %p1, %t, 32; @%p1 bra LOW;
        .loc 1 3 1
        bar.sync 0; bra.uni JOIN;
        LOW:
        .loc 1 5 1
        bar.sync 0;
        JOIN:
        mov.u32 %r3, 63; sub.u32 %r3, %r3, %t; mad.lo.u32 %r3, %r3, 4, %r1; ld.shared.u32 %v, [%r3];)",
                             unchecked(64));
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    for (std::uint32_t t = 0; t < 64; ++t) ASSERT_EQ(ran.out[t], 63 - t);
}

TEST(MachineUnchecked, ThreadsThatSkipABarrierGoOnToTheNext) {
    const Ran ran = run_body(R"(
        setp.lt.u32 %p1, %w, 16; @%p1 bra JOIN;
        add.u32 %v, %v, 1;
        bar.sync 0;
        JOIN:
        add.u32 %v, %v, 2;
        bar.sync 0;
        add.u32 %v, %v, 4;)",
                             unchecked(32));
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(ran.out[t], t < 16 ? 6U : 7U);
}

TEST(MachineUnchecked, BarriersOfDifferentNumbersNeverMeet) {
    const Ran ran = run_body(R"(
        setp.lt.u32 %p1, %w, 16; @%p1 bra LOW;
        bar.sync 0; bra.uni JOIN;
        LOW: bar.sync 1;
        JOIN: )",
                             unchecked(32));
    ASSERT_TRUE(ran.result.fault);
    EXPECT_EQ(ran.result.fault->kind, FindingKind::divergent_barrier);
}

TEST(MachineUnchecked, ThreadsThatWaitForTheirWarpBlockThoseAtABarrier) {
    const Ran ran = run_body(R"(
        setp.lt.u32 %p1, %w, 16; @%p1 bra LOW;
        bar.sync 0; bra.uni JOIN;
        LOW: bar.warp.sync 0xffffffff;
        JOIN: )",
                             unchecked(32));
    ASSERT_TRUE(ran.result.fault);
    EXPECT_EQ(ran.result.fault->kind, FindingKind::divergent_barrier);
}

TEST(MachineUnchecked, AMaskThatForgetsItsCallersKeepsNobodyWaiting) {
    constexpr const char* body = "add.u32 %r1, %t, 10; shfl.sync.bfly.b32 %v, %r1, 1, 31, 0xffff;";
    const Ran ran = run_body(body, unchecked(32));
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(ran.out[t], (t ^ 1) + 10);
    Situation watched = unchecked(32);
    watched.checks.barriers = true;
    const Ran stopped = run_body(body, watched);
    ASSERT_TRUE(stopped.result.fault);
    EXPECT_EQ(stopped.result.fault->kind, FindingKind::absent_lanes);
}

// Thread t reads word t + 48 of an input of 64, adds 1, writes to word t + 16 of `out`, which has 32, and reads its own word there.
constexpr const char* past_the_end =
    "mul.wide.u32 %rd1, %t, 4; add.s64 %rd2, %rd1, %in; ld.global.u32 %v, [%rd2+192]; add.u32 %v, %v, 1; add.s64 %rd3, %rd1, %out; "
    "st.global.u32 [%rd3+64], %v; ld.global.u32 %v, [%mine];";

TEST(MachineUnchecked, WhatLiesBehindAnArrayBelongsToNobody) {
    Situation situation = unchecked(32);
    for (std::uint32_t i = 0; i < 64; ++i) situation.in[i] = i;
    situation.checks.initialisation = true;
    const Ran ran = run_body(past_the_end, situation);
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    for (std::uint32_t t = 16; t < 32; ++t) EXPECT_EQ(ran.out[t], t - 16 + 48 + 1);
    EXPECT_EQ(ran.in, situation.in);
    situation.checks.bounds = true;
    const Ran stopped = run_body(past_the_end, situation);
    ASSERT_TRUE(stopped.result.fault);
    EXPECT_EQ(stopped.result.fault->kind, FindingKind::out_of_bounds);
}

TEST(MachineUnchecked, WhatIsReadBehindAnArrayIsThePatternOfFreshMemory) {
    const Ran ran = run_body("ld.global.u32 %v, [%in+256];", unchecked(32));
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    for (const std::uint32_t word : ran.out) EXPECT_EQ(word, 0xffffffffU);
}

TEST(MachineUnchecked, AnAddressThatHardwareHasNotMappedStopsTheLaunch) {
    for (const char* const body :
         {"mov.u64 %rd1, 0; ld.global.u32 %v, [%rd1];", "add.s64 %rd1, %in, 0x40000000; st.global.u32 [%rd1], %t;"}) {
        EXPECT_TRUE(run_body(body, unchecked(32)).result.fault) << body;
    }
}

TEST(MachineUnchecked, SharedMemoryEndsWhereHardwareGivesItOut) {
    // 4 bytes asked for, 128 given.
    constexpr const char* before = ".shared .b32 box[1]; mov.u32 %r1, box; ";
    const Ran ran =
        run_body(std::string(before) + "mad.lo.u32 %r2, %t, 4, %r1; st.shared.u32 [%r2], %t; ld.shared.u32 %v, [%r2];", unchecked(32));
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(ran.out[t], t);
    const Ran stopped = run_body(std::string(before) + "st.shared.u32 [%r1+128], %t;", unchecked(32));
    ASSERT_TRUE(stopped.result.fault);
    EXPECT_EQ(stopped.result.fault->kind, FindingKind::out_of_bounds);
}

}  // namespace
}  // namespace lab::machine::testing
