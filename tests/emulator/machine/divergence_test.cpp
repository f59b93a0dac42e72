// Divergent lanes of a warp: every thread must compute the same as if it ran alone.
#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

TEST(MachineDivergence, BothSidesOfAnIfRunForTheirThreads) {
    expect_each_thread(R"(
        and.b32 %r1, %t, 1; setp.eq.s32 %p1, %r1, 0; @%p1 bra EVEN;
        add.s32 %v, %v, 7; bra.uni JOIN;
        EVEN: add.s32 %v, %v, 100;
        JOIN: add.s32 %v, %v, %t;)",
                       [](std::uint32_t t) { return (t % 2 == 0 ? 100 : 7) + t; });
}

TEST(MachineDivergence, NestedIfsRunForTheirThreads) {
    expect_each_thread(R"(
        setp.lt.u32 %p1, %w, 20; setp.lt.u32 %p2, %w, 10; and.b32 %r1, %t, 1; setp.eq.u32 %p3, %r1, 1;
        @!%p1 bra FAR;
        @%p2 bra NEAR; add.s32 %v, %v, 1; @%p3 bra ODD; add.s32 %v, %v, 2; bra.uni MEET;
        ODD: add.s32 %v, %v, 4; bra.uni MEET;
        NEAR: add.s32 %v, %v, 8;
        MEET: add.s32 %v, %v, 16; bra.uni JOIN;
        FAR: @%p3 bra JOIN; add.s32 %v, %v, 32;
        JOIN: add.s32 %v, %v, 64;)",
                       [](std::uint32_t t) {
                           const std::uint32_t lane = t % 32;
                           std::uint32_t v = 0;
                           if (lane < 20) {
                               if (lane < 10) {
                                   v += 8;
                               } else {
                                   v += 1 + (t % 2 == 1 ? 4 : 2);
                               }
                               v += 16;
                           } else if (t % 2 == 0) {
                               v += 32;
                           }
                           return v + 64;
                       });
}

TEST(MachineDivergence, EachThreadLoopsAsOftenAsItWants) {
    expect_each_thread(R"(
        mul.lo.s32 %r1, %t, 7; rem.u32 %r1, %r1, 19; mov.u32 %r2, 0;
        TOP: setp.ge.u32 %p1, %r2, %r1; @%p1 bra OUT;
        mad.lo.s32 %v, %v, 3, %r2; add.s32 %r2, %r2, 1; bra.uni TOP;
        OUT: add.s32 %v, %v, 5;)",
                       [](std::uint32_t t) {
                           std::uint32_t v = 0;
                           for (std::uint32_t i = 0; i < t * 7 % 19; ++i) v = v * 3 + i;
                           return v + 5;
                       });
}

TEST(MachineDivergence, BreakAndContinueInNestedLoops) {
    // for i < 10: if i == t % 5 continue; for j < i: if j == t % 7 break; v = 3v + j;  if v % 11 == t % 11 break
    expect_each_thread(R"(
        mov.u32 %r1, 0; rem.u32 %r3, %t, 5; rem.u32 %r4, %t, 7; rem.u32 %r5, %t, 11;
        OUTER: setp.eq.u32 %p1, %r1, %r3; @%p1 bra NEXT;
        mov.u32 %r2, 0;
        INNER: setp.ge.u32 %p2, %r2, %r1; @%p2 bra INNER_END;
        setp.eq.u32 %p3, %r2, %r4; @%p3 bra INNER_END;
        mad.lo.u32 %v, %v, 3, %r2; add.u32 %r2, %r2, 1; bra.uni INNER;
        INNER_END: rem.u32 %r6, %v, 11; setp.eq.u32 %p4, %r6, %r5; @%p4 bra OUT;
        NEXT: add.u32 %r1, %r1, 1; setp.lt.u32 %p5, %r1, 10; @%p5 bra OUTER;
        OUT: add.u32 %v, %v, %r1;)",
                       [](std::uint32_t t) {
                           std::uint32_t v = 0;
                           std::uint32_t i = 0;
                           for (; i < 10; ++i) {
                               if (i == t % 5) continue;
                               for (std::uint32_t j = 0; j < i && j != t % 7; ++j) v = v * 3 + j;
                               if (v % 11 == t % 11) break;
                           }
                           return v + i;
                       });
}

TEST(MachineDivergence, ThreadsMayEndAnywhere) {
    expect_each_thread(R"(
        setp.eq.u32 %p1, %w, 3; mov.u32 %r1, 11; @%p1 st.global.u32 [%mine], %r1; @%p1 exit;
        mov.u32 %r2, 0;
        TOP: setp.ge.u32 %p2, %r2, %w; @%p2 bra OUT;
        setp.eq.u32 %p3, %r2, 9; @!%p3 bra GO; mov.u32 %r1, 22; st.global.u32 [%mine], %r1; ret;
        GO: add.u32 %v, %v, %r2; add.u32 %r2, %r2, 1; bra.uni TOP;
        OUT: add.u32 %v, %v, 1000;)",
                       [](std::uint32_t t) {
                           const std::uint32_t lane = t % 32;
                           if (lane == 3) return 11U;
                           if (lane > 9) return 22U;
                           return lane * (lane - 1) / 2 * (lane != 0 ? 1U : 0U) + 1000;
                       });
}

TEST(MachineDivergence, SwitchGoesToEachThreadsCase) {
    expect_each_thread(R"(
        rem.u32 %r1, %t, 4;
        ways: .branchtargets CASE0, CASE1, CASE2, CASE1;
        brx.idx %r1, ways;
        CASE0: add.u32 %v, %v, 1; bra.uni JOIN;
        CASE1: add.u32 %v, %v, 10;
        CASE2: add.u32 %v, %v, 100;
        JOIN: add.u32 %v, %v, %t;)",
                       [](std::uint32_t t) {
                           const std::uint32_t way = t % 4;
                           return t + (way == 0 ? 1 : way == 2 ? 100 : 110);
                       });
}

TEST(MachineDivergence, SwitchOnDifferentNumbersForOneTargetDoesNotDiverge) {
    Situation situation;
    const Ran ran = run_body(R"(
        and.b32 %r1, %t, 1;
        ways: .branchtargets SAME, SAME, OTHER;
        brx.idx %r1, ways;
        OTHER: mov.u32 %v, 5; bra.uni JOIN;
        SAME: mov.u32 %v, 6;
        JOIN: )",
                             situation);
    ASSERT_FALSE(ran.result.fault);
    EXPECT_EQ(ran.out, std::vector<std::uint32_t>(32, 6));
    EXPECT_EQ(ran.counters().divergent_branches, 0U);
}

TEST(MachineDivergence, LoopWithTwoEntriesIsRightForEveryThread) {
    // Irreducible: half of the threads enter in the middle of the loop.
    expect_each_thread(R"(
        and.b32 %r1, %t, 1; setp.eq.u32 %p1, %r1, 1; rem.u32 %r2, %t, 6; @%p1 bra MIDDLE;
        TOP: mad.lo.u32 %v, %v, 2, 1;
        MIDDLE: mad.lo.u32 %v, %v, 3, 2; setp.eq.u32 %p2, %r2, 0; sub.u32 %r2, %r2, 1; @!%p2 bra TOP;
        add.u32 %v, %v, 9;)",
                       [](std::uint32_t t) {
                           std::uint32_t v = 0;
                           bool middle = t % 2 == 1;
                           for (std::uint32_t left = t % 6;; --left) {
                               if (!middle) v = v * 2 + 1;
                               middle = false;
                               v = v * 3 + 2;
                               if (left == 0) break;
                           }
                           return v + 9;
                       });
}

TEST(MachineDivergence, ThreadsMeetAgainBehindAnIf) {
    // After the join, the vote sees all threads: the lanes have reconverged.
    const Ran ran = run_body(R"(
        setp.lt.u32 %p1, %w, 5; @%p1 bra LOW; add.u32 %r1, %r1, 1; bra.uni JOIN;
        LOW: add.u32 %r1, %r1, 2;
        JOIN: activemask.b32 %v;)");
    ASSERT_FALSE(ran.result.fault);
    EXPECT_EQ(ran.out, std::vector<std::uint32_t>(32, 0xffffffffU));
    EXPECT_EQ(ran.counters().divergent_branches, 1U);
}

TEST(MachineDivergence, GuardsHoldForEveryKindOfInstruction) {
    // Each guarded instruction must leave the results of the other threads alone.
    expect_each_thread(R"(
        .shared .align 16 .b32 box[260];
        .local .align 16 .b32 mine[4];
        setp.lt.u32 %p1, %w, 7; and.b32 %r1, %t, 1; setp.eq.u32 %p2, %r1, 0;
        mov.u32 %r2, 1; mov.u64 %rd1, 1; mov.f32 %f1, 0f3F800000; mov.u32 %r9, box; mad.lo.u32 %r9, %t, 4, %r9;
        mov.u32 %r3, 77; st.shared.u32 [%r9], %r3; st.local.u32 [mine], %r3;
        @%p1 add.u32 %r2, %r2, 4;
        @!%p1 add.s64 %rd1, %rd1, 8;
        @%p2 fma.rn.f32 %f1, %f1, %f1, %f1;
        @%p1 st.shared.u32 [%r9], %t;
        @!%p2 st.local.u32 [mine], %t;
        mov.u32 %r4, 5; mov.u32 %r5, 6; mov.u32 %r6, 0; mov.u32 %r7, 0;
        @%p2 ld.shared.u32 %r4, [%r9];
        @%p1 ld.local.u32 %r5, [mine];
        @!%p1 selp.u32 %r6, 3, 4, %p2;
        @%p2 setp.gt.u32 %p1, %w, 3;
        @%p1 mov.u32 %r7, %w;
        @%p2 atom.shared.add.u32 %r6, [%r9], 9;
        ld.shared.u32 %r8, [%r9];
        cvt.u32.u64 %r10, %rd1; cvt.rzi.u32.f32 %r11, %f1;
        mov.u32 %v, %r2; mad.lo.u32 %v, %v, 31, %r4; mad.lo.u32 %v, %v, 31, %r5; mad.lo.u32 %v, %v, 31, %r6; mad.lo.u32 %v, %v, 31, %r7;
        mad.lo.u32 %v, %v, 31, %r8; mad.lo.u32 %v, %v, 31, %r10; mad.lo.u32 %v, %v, 31, %r11;)",
                       [](std::uint32_t t) {
                           const std::uint32_t w = t % 32;
                           bool p1 = w < 7;
                           const bool p2 = t % 2 == 0;
                           const std::uint32_t r2 = p1 ? 5 : 1;
                           const std::uint32_t r10 = p1 ? 1 : 9;
                           const std::uint32_t r11 = p2 ? 2 : 1;
                           std::uint32_t box = p1 ? t : 77;
                           const std::uint32_t mine = p2 ? 77 : t;
                           const std::uint32_t r4 = p2 ? box : 5;
                           const std::uint32_t r5 = p1 ? mine : 6;
                           std::uint32_t r6 = p1 ? 0 : p2 ? 3 : 4;
                           if (p2) p1 = w > 3;
                           const std::uint32_t r7 = p1 ? w : 0;
                           if (p2) {
                               r6 = box;
                               box += 9;
                           }
                           std::uint32_t v = r2;
                           for (const std::uint32_t part : {r4, r5, r6, r7, box, r10, r11}) v = v * 31 + part;
                           return v;
                       });
}

}  // namespace
}  // namespace lab::machine::testing
