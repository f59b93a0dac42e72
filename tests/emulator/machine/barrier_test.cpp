// Barriers of a block: required threads, permitted absences, and findings about missing threads.
#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

Situation block_of(std::uint32_t threads) {
    Situation situation;
    situation.block = {threads, 1, 1};
    return situation;
}

TEST(MachineBarrier, WhatIsWrittenBeforeIsReadBehindByAllWarps) {
    for (const char* const barrier :
         {"bar.sync 0;", "barrier.sync 0;", "bar.sync 3;", "bar.sync 1, 160;", "barrier.sync.aligned 2, 160;", "bar.cta.sync 0;"}) {
        const Ran ran =
            run_body(std::string(".shared .b32 box[160];\nmov.u32 %r1, box; mad.lo.u32 %r2, %t, 4, %r1; mul.lo.u32 %r3, %t, 5; "
                                 "st.shared.u32 [%r2], %r3;\n") +
                         barrier + "mov.u32 %r4, 159; sub.u32 %r4, %r4, %t; mad.lo.u32 %r4, %r4, 4, %r1; ld.shared.u32 %v, [%r4];",
                     block_of(160));
        ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
        EXPECT_TRUE(ran.result.findings.empty()) << barrier << "\n" << to_text(ran.result.findings[0]);
        for (std::uint32_t t = 0; t < 160; ++t) ASSERT_EQ(ran.out[t], (159 - t) * 5);
        EXPECT_EQ(ran.counters().barriers, 5U);
    }
}

TEST(MachineBarrier, ThreadsThatHaveEndedAreNotWaitedFor) {
    // Half of each warp and the whole last warp end first.
    const Ran ran = run_body(
        "setp.gt.u32 %p1, %w, 15; @%p1 exit; setp.gt.u32 %p1, %t, 63; @%p1 exit; bar.sync 0; mov.u32 %v, 5; bar.sync 0;", block_of(96));
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    for (std::uint32_t t = 0; t < 96; ++t) EXPECT_EQ(ran.out[t], t < 64 && t % 32 < 16 ? 5U : 0xdeadbeefU);
    EXPECT_EQ(ran.counters().exited_at_barriers, 2U * 64) << "32 of the first two warps and 32 of the last, at two barriers";
}

TEST(MachineBarrier, NotReachedByAllThreadsOfAWarpNamesBothLines) {
    const Ran ran = run_body(R"(
        setp.lt.u32 %p1, %w, 16; @%p1 bra LOW;
        .loc 1 21 1
        bar.sync 0; bra.uni JOIN;
        LOW:
        .loc 1 25 1
        bar.sync 0;
        JOIN: )",
                             block_of(64));
    ASSERT_TRUE(ran.result.fault);
    EXPECT_EQ(ran.result.fault->kind, FindingKind::divergent_barrier);
    EXPECT_EQ(ran.result.fault->line() + ran.result.fault->other_line(), 46U) << to_text(*ran.result.fault);
    EXPECT_NE(to_text(*ran.result.fault).find("k.cu:21"), std::string::npos) << to_text(*ran.result.fault);
    EXPECT_NE(to_text(*ran.result.fault).find("k.cu:25"), std::string::npos) << to_text(*ran.result.fault);
}

TEST(MachineBarrier, SkippedByPartOfAWarpThatWaitsAtTheNextOne) {
    const Ran ran = run_body(R"(
        setp.lt.u32 %p1, %w, 16; @%p1 bra JOIN;
        .loc 1 31 1
        bar.sync 0;
        JOIN:
        .loc 1 33 1
        bar.sync 0;)");
    ASSERT_TRUE(ran.result.fault);
    EXPECT_EQ(ran.result.fault->kind, FindingKind::divergent_barrier);
    EXPECT_EQ(ran.result.fault->line() + ran.result.fault->other_line(), 64U) << to_text(*ran.result.fault);
}

TEST(MachineBarrier, DifferentOnesReachedByDifferentWarpsNamesBothLines) {
    const Ran ran = run_body(R"(
        setp.lt.u32 %p1, %t, 32; @%p1 bra LOW;
        .loc 1 41 1
        bar.sync 0; bra.uni JOIN;
        LOW:
        .loc 1 45 1
        bar.sync 0;
        JOIN: )",
                             block_of(64));
    ASSERT_TRUE(ran.result.fault);
    EXPECT_EQ(ran.result.fault->kind, FindingKind::divergent_barrier);
    EXPECT_EQ(ran.result.fault->line() + ran.result.fault->other_line(), 86U) << to_text(*ran.result.fault);
    EXPECT_EQ(ran.result.fault->who().block.x, 0U);
}

TEST(MachineBarrier, WaitingForMoreThreadsThanComeIsADeadlock) {
    const Ran ran = run_body(R"(
        setp.gt.u32 %p1, %t, 63; @%p1 bra JOIN;
        .loc 1 52 1
        bar.sync 1, 96;
        JOIN: )",
                             block_of(96));
    ASSERT_TRUE(ran.result.fault);
    EXPECT_EQ(ran.result.fault->kind, FindingKind::deadlock) << to_text(*ran.result.fault);
    EXPECT_EQ(ran.result.fault->line(), 52U);
}

TEST(MachineBarrier, NamedOnesKeepGroupsOfWarpsApart) {
    // Warps 0 and 1 synchronise at barrier 1 three times while warps 2 and 3 synchronise at barrier 2 once, each group through its own
    // data.
    const Ran ran = run_body(R"(
        .shared .b32 box[128];
        mov.u32 %r1, box; mad.lo.u32 %r2, %t, 4, %r1; xor.b32 %r3, %t, 32; mad.lo.u32 %r3, %r3, 4, %r1; mov.u32 %r4, %t;
        setp.ge.u32 %p1, %t, 64; @%p1 bra HIGH; mov.u32 %r5, 0;
        TOP: st.shared.u32 [%r2], %r4; bar.sync 1, 64; ld.shared.u32 %r6, [%r3]; bar.sync 1, 64;
        add.u32 %r4, %r4, %r6; add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 3; @%p2 bra TOP; bra.uni JOIN;
        HIGH: st.shared.u32 [%r2], %r4; bar.sync 2, 64; ld.shared.u32 %r4, [%r3];
        JOIN: mov.u32 %v, %r4;)",
                             block_of(128));
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    EXPECT_TRUE(ran.result.findings.empty()) << to_text(ran.result.findings[0]);
    for (std::uint32_t t = 0; t < 128; ++t) {
        // x' = x + y for both, three times: the sum doubles after the first.
        const std::uint32_t both = t + (t ^ 32U);
        EXPECT_EQ(ran.out[t], t < 64 ? 4 * both : t ^ 32U) << t;
    }
}

TEST(MachineBarrier, ProducersArriveAndGoOn) {
    const Ran ran = run_body(R"(
        .shared .b32 box[32];
        mov.u32 %r1, box; mad.lo.u32 %r2, %w, 4, %r1; setp.ge.u32 %p1, %t, 32; @%p1 bra CONSUME;
        mul.lo.u32 %r3, %t, 9; st.shared.u32 [%r2], %r3; bar.arrive 1, 64; mov.u32 %v, 1; bra.uni JOIN;
        CONSUME: bar.sync 1, 64; ld.shared.u32 %v, [%r2];
        JOIN: )",
                             block_of(64));
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    EXPECT_TRUE(ran.result.findings.empty()) << to_text(ran.result.findings[0]);
    for (std::uint32_t t = 0; t < 64; ++t) EXPECT_EQ(ran.out[t], t < 32 ? 1U : (t - 32) * 9) << t;
}

TEST(MachineBarrier, ReductionsCountAllThreadsOfTheBlock) {
    const auto run = [](const std::string& text) {
        const Ran ran = run_body("rem.u32 %r1, %t, 3; setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p4, %t, 70; setp.lt.u32 %p5, %t, 999;\n" + text,
                                 block_of(75));
        EXPECT_FALSE(ran.result.fault);
        for (const std::uint32_t value : ran.out) EXPECT_EQ(value, ran.out[0]);
        return ran.out[0];
    };
    EXPECT_EQ(run("bar.red.popc.u32 %v, 0, %p1;"), 25U);
    EXPECT_EQ(run("bar.red.popc.u32 %v, 0, !%p1;"), 50U);
    EXPECT_EQ(run("barrier.red.popc.u32 %v, 1, 96, %p4;"), 1U);
    const std::string as_number = " selp.u32 %v, 1, 0, %p2;";
    EXPECT_EQ(run("bar.red.and.pred %p2, 0, %p5;" + as_number), 1U);
    EXPECT_EQ(run("bar.red.and.pred %p2, 0, %p1;" + as_number), 0U);
    EXPECT_EQ(run("bar.red.or.pred %p2, 0, %p4;" + as_number), 1U);
    EXPECT_EQ(run("bar.red.or.pred %p2, 0, !%p5;" + as_number), 0U);
}

TEST(MachineBarrier, WarpsThatSpinLetOthersRun) {
    // Warp 0 waits for a flag that the last warp sets, through shared and through global memory.
    for (const char* const space : {"shared", "global"}) {
        const std::string where = space;
        Situation situation = block_of(96);
        situation.checks.races = false;
        const Ran ran = run_body(
            ".shared .b32 flag[1];\n" +
                std::string(where == "shared" ? "mov.u32 %r9, flag; cvt.u64.u32 %rd9, %r9;\n" : "mov.u64 %rd9, %in;\n") +
                "setp.lt.u32 %p3, %t, 64; mov.u32 %r2, 0; setp.ne.u32 %p4, %t, 0; @%p4 bra READY; st." + where + ".u32 [%rd9], %r2;\n" +
                "READY: bar.sync 0; @%p3 bra WAIT; mov.u32 %r1, 42; st.volatile." + where + ".u32 [%rd9], %r1; bra.uni JOIN;\n" +
                "WAIT: ld.volatile." + where + ".u32 %v, [%rd9]; setp.ne.u32 %p1, %v, 42; @%p1 bra WAIT;\nJOIN: ",
            situation);
        ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
        for (std::uint32_t t = 0; t < 96; ++t) ASSERT_EQ(ran.out[t], t < 64 ? 42U : 0U) << space << " " << t;
    }
}

TEST(MachineBarrier, LanesThatSpinLetTheLockHolderOfTheirWarpRun) {
    // while (atomicCAS(lock, 0, 1) != 0); ++*counter; atomicExch(lock, 0): works since compute capability 7.0.
    Situation situation = block_of(40);
    situation.max_instructions = 400'000'000;
    situation.in = {0, 0};
    const Ran ran = run_body(R"(
        TRY: atom.global.cas.b32 %r1, [%in], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra TRY;
        ld.volatile.global.u32 %v, [%in+4]; add.u32 %r2, %v, 1; st.volatile.global.u32 [%in+4], %r2; membar.gl;
        atom.global.exch.b32 %r3, [%in], 0;)",
                             situation);
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    EXPECT_EQ(ran.in[1], 40U);
}

TEST(MachineBarrier, LanesThatComputeForLongInAGuardLeaveNoEmptyPathBehind) {
    // for (i = 0; i < 400000; ++i) if (lane < 3) v += in[0]; __syncthreads(). The two sides of the guard are scheduled alternately.
    Situation situation = block_of(40);
    situation.in = {1};
    const Ran ran = run_body(R"(
        mov.u32 %r1, 0; and.b32 %r2, %t, 31; setp.ge.u32 %p1, %r2, 3; mov.u32 %v, 0;
        TOP: @%p1 bra SKIP; ld.global.u32 %r3, [%in]; add.u32 %v, %v, %r3; xor.b32 %r3, %r3, %v; xor.b32 %r3, %r3, %v;
        SKIP: add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 400000; @%p2 bra TOP;
        bar.sync 0;)",
                             situation);
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    for (std::uint32_t t = 0; t < 40; ++t) ASSERT_EQ(ran.out[t], t % 32 < 3 ? 400000U : 0U) << t;
}

}  // namespace
}  // namespace lab::machine::testing
