// Warp-level synchronisation across diverged lanes: waiting, participating and missing lanes.
#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

TEST(MachineWarpSync, MembersMayArriveOnDifferentPaths) {
    // One half does extra work first; the shuffle then exchanges between the halves.
    const Ran ran = run_body(R"(
        mul.lo.u32 %r1, %t, 3; setp.lt.u32 %p1, %w, 16; @%p1 bra LOW;
        add.u32 %r1, %r1, 1000;
        LOW: shfl.sync.bfly.b32 %v, %r1, 16, 31, -1;)");
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(ran.out[t], (t ^ 16) * 3 + ((t ^ 16) >= 16 ? 1000 : 0)) << t;
}

TEST(MachineWarpSync, SubsetsInDifferentBranchesShuffleAmongThemselves) {
    const Ran ran = run_body(R"(
        setp.lt.u32 %p1, %w, 8; @%p1 bra LOW;
        shfl.sync.idx.b32 %v, %t, 8, 31, 0xffffff00; bra.uni JOIN;
        LOW: shfl.sync.idx.b32 %v, %t, 7, 31, 0xff;
        JOIN: )");
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(ran.out[t], t < 8 ? 7U : 8U) << t;
}

TEST(MachineWarpSync, TilesOfOneWarpVoteForThemselvesInOneInstruction) {
    // As in cooperative groups: all lanes arrive together, each names the 8 lanes of its own tile.
    const std::string masks =
        "and.b32 %r1, %w, 24; mov.u32 %r2, 255; shl.b32 %r2, %r2, %r1; mul.lo.u32 %r3, %t, %t; and.b32 %r3, %r3, 4; setp.ne.u32 %p1, %r3, "
        "0;\n";
    const auto pred = [](std::uint32_t t) { return (t * t & 4U) != 0; };
    const Ran ballot = run_body(masks + "vote.sync.ballot.b32 %v, %p1, %r2;");
    const Ran any = run_body(masks + "setp.eq.u32 %p2, %w, 9; vote.sync.any.pred %p3, %p2, %r2; selp.u32 %v, 1, 0, %p3;");
    const Ran all = run_body(masks + "setp.lt.u32 %p2, %w, 16; vote.sync.all.pred %p3, %p2, %r2; selp.u32 %v, 1, 0, %p3;");
    const Ran sum = run_body(masks + "redux.sync.add.u32 %v, %t, %r2;");
    const Ran same = run_body(masks + "and.b32 %r4, %t, 1; match.any.sync.b32 %v, %r4, %r2;");
    for (const Ran* ran : {&ballot, &any, &all, &sum, &same}) ASSERT_FALSE(ran->result.fault) << to_text(*ran->result.fault);
    for (std::uint32_t t = 0; t < 32; ++t) {
        const std::uint32_t tile = t / 8;
        std::uint32_t votes = 0;
        std::uint32_t total = 0;
        std::uint32_t alike = 0;
        for (std::uint32_t u = tile * 8; u < tile * 8 + 8; ++u) {
            votes |= pred(u) ? 1U << u : 0;
            total += u;
            alike |= u % 2 == t % 2 ? 1U << u : 0;
        }
        EXPECT_EQ(ballot.out[t], votes) << t;
        EXPECT_EQ(any.out[t], tile == 1 ? 1U : 0U) << t;
        EXPECT_EQ(all.out[t], tile < 2 ? 1U : 0U) << t;
        EXPECT_EQ(sum.out[t], total) << t;
        EXPECT_EQ(same.out[t], alike) << t;
    }
}

TEST(MachineWarpSync, OneTileMayGoOnWhileAnotherIsStillAway) {
    // Lanes 0 to 15 name themselves and arrive first; lanes 16 to 31 arrive later, and name themselves.
    const Ran ran = run_body(R"(
        setp.lt.u32 %p1, %w, 16; selp.b32 %r2, 0xffff, 0xffff0000, %p1; mov.u32 %r3, 1;
        @%p1 bra MEET; mov.u32 %r3, 2;
        MEET: vote.sync.ballot.b32 %v, 1, %r2; add.u32 %v, %v, %r3;)");
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(ran.out[t], t < 16 ? 0xffff + 1U : 0xffff0000U + 2U) << t;
}

TEST(MachineWarpSync, SyncwarpsAtDifferentPlacesMeet) {
    // The guarantee of __syncwarp(): all named lanes have executed one, anywhere in the code. Data goes both ways.
    const Ran ran = run_body(R"(
        .shared .b32 box[32];
        mov.u32 %r1, box; mad.lo.u32 %r1, %t, 4, %r1; setp.lt.u32 %p1, %w, 16; xor.b32 %r2, %w, 16; mov.u32 %r3, box; mad.lo.u32 %r2, %r2, 4, %r3;
        @%p1 bra LOW;
        add.u32 %r4, %t, 500; st.shared.u32 [%r1], %r4; bar.warp.sync -1; ld.shared.u32 %v, [%r2]; bra.uni JOIN;
        LOW: add.u32 %r4, %t, 900; st.shared.u32 [%r1], %r4; bar.warp.sync -1; ld.shared.u32 %v, [%r2];
        JOIN: )");
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    EXPECT_TRUE(ran.result.findings.empty());
    for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(ran.out[t], t < 16 ? t + 16 + 500 : t - 16 + 900) << t;
}

TEST(MachineWarpSync, LanesThatHaveEndedAreNotWaitedFor) {
    // They exit before the others arrive ...
    const Ran before = run_body("setp.gt.u32 %p1, %w, 20; @%p1 exit; shfl.sync.idx.b32 %v, %t, 3, 31, -1;");
    ASSERT_FALSE(before.result.fault) << to_text(*before.result.fault);
    for (std::uint32_t t = 0; t < 21; ++t) EXPECT_EQ(before.out[t], 3U);
    // ... or while the others wait already.
    for (const char* const way : {"setp.gt.u32 %p1, %w, 20;", "setp.lt.u32 %p1, %w, 20;"}) {
        const Ran during = run_body(std::string(way) + R"(
            mov.u32 %v, 9; @%p1 bra AWAY; bar.warp.sync -1; mov.u32 %v, 4; bra.uni JOIN;
            AWAY: add.u32 %v, %v, 1; st.global.u32 [%mine], %v; exit;
            JOIN: )");
        ASSERT_FALSE(during.result.fault) << to_text(*during.result.fault);
        for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(during.out[t], (way[5] == 'g' ? t > 20 : t < 20) ? 10U : 4U) << t;
    }
}

TEST(MachineWarpSync, LastWarpsMissingThreadsAreNotWaitedFor) {
    Situation situation;
    situation.block = {45, 1, 1};
    const Ran ran = run_body("vote.sync.ballot.b32 %v, 1, -1;", situation);
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    for (std::uint32_t t = 0; t < 45; ++t) EXPECT_EQ(ran.out[t], t < 32 ? 0xffffffffU : 0x1fffU) << t;
}

TEST(MachineWarpSync, AnAbsentMemberIsAFaultThatNamesBothPlaces) {
    const Ran ran = run_body(R"(
        .loc 1 3 1
        setp.lt.u32 %p1, %w, 16; @%p1 bra LOW;
        .loc 1 5 1
        bar.sync 0; bra.uni JOIN;
        LOW:
        .loc 1 8 1
        shfl.sync.bfly.b32 %v, %t, 16, 31, -1;
        JOIN: )");
    ASSERT_TRUE(ran.result.fault);
    const Finding& fault = *ran.result.fault;
    EXPECT_EQ(fault.kind, FindingKind::divergent_barrier);
    EXPECT_EQ(std::min(fault.line(), fault.other_line()), 5U) << to_text(fault);
    EXPECT_EQ(std::max(fault.line(), fault.other_line()), 8U) << to_text(fault);
    EXPECT_NE(to_text(fault).find("k.cu:8"), std::string::npos) << to_text(fault);
}

TEST(MachineWarpSync, ACallerThatItsOwnMaskLeavesOutIsAFault) {
    const Ran ran = run_body(".loc 1 3 1\nbar.warp.sync 0xffff;");
    ASSERT_TRUE(ran.result.fault);
    EXPECT_EQ(ran.result.fault->kind, FindingKind::absent_lanes);
    EXPECT_EQ(ran.result.fault->line(), 3U);
    EXPECT_EQ(ran.result.fault->who().thread.x, 16U);
}

TEST(MachineWarpSync, AShuffleFromAThreadThatHasEndedIsAFaultUnlessWarpsAreTakenToRunInLockstep) {
    Situation situation;
    situation.n = 20;  // threads from 20 on end first
    const char* body = "setp.ge.u32 %p1, %t, %n; @%p1 exit; shfl.sync.down.b32 %v, %t, 4, 31, -1;";
    EXPECT_FALSE(run_body(body, situation).result.fault);
    situation.checks.lockstep = false;
    const Ran ran = run_body(body, situation);
    ASSERT_TRUE(ran.result.fault);
    EXPECT_EQ(ran.result.fault->kind, FindingKind::absent_lanes);
    EXPECT_EQ(ran.result.fault->who().thread.x, 16U);
    situation.n = 32;
    EXPECT_FALSE(run_body(body, situation).result.fault);
}

TEST(MachineWarpSync, VotesInALoopThatLanesLeaveAtDifferentTimes) {
    // In each round the remaining lanes name one another, as given by activemask, and count themselves.
    const Ran ran = run_body(R"(
        rem.u32 %r1, %t, 5; mov.u32 %r2, 0;
        TOP: setp.gt.u32 %p1, %r2, %r1; @%p1 bra OUT;
        activemask.b32 %r3; vote.sync.ballot.b32 %r4, 1, %r3; popc.b32 %r5, %r4; mad.lo.u32 %v, %v, 33, %r5;
        add.u32 %r2, %r2, 1; bra.uni TOP;
        OUT: )");
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    for (std::uint32_t t = 0; t < 32; ++t) {
        std::uint32_t v = 0;
        for (std::uint32_t round = 0; round <= t % 5; ++round) {
            std::uint32_t there = 0;
            for (std::uint32_t u = 0; u < 32; ++u) there += u % 5 >= round ? 1 : 0;
            v = v * 33 + there;
        }
        EXPECT_EQ(ran.out[t], v) << t;
    }
}

}  // namespace
}  // namespace lab::machine::testing
