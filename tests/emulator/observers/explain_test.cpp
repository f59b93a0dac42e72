// Text of findings besides kind and place: variable, evidence, advice.
#include <fmt/format.h>

#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

bool has(const Finding& fault, const std::string& part) { return to_text(fault).find(part) != std::string::npos; }

Situation of(std::uint32_t blocks, std::uint32_t threads) {
    Situation situation;
    situation.grid = {blocks, 1, 1};
    situation.block = {threads, 1, 1};
    situation.checks = Checks::all();
    return situation;
}

// The first finding, or an empty one.
Finding first_finding(const std::string& body, const Situation& situation) {
    const Ran ran = run_body(body, situation);
    EXPECT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    EXPECT_FALSE(ran.result.findings.empty());
    return ran.result.findings.empty() ? Finding{} : ran.result.findings[0];
}

TEST(RaceText, NamesTheVariableAndPrefersTwoWarps) {
    // Each thread reads its neighbour's word: nearly always in its own warp, and there first.
    const Finding race = first_finding(R"(
        .shared .b32 ahead[4]; .shared .b32 _ZZ1kPfE3box[64];
        mov.u32 %r1, _ZZ1kPfE3box; mad.lo.u32 %r2, %t, 4, %r1; add.u32 %r3, %t, 1; and.b32 %r3, %r3, 63; mad.lo.u32 %r3, %r3, 4, %r1;
        setp.eq.u32 %p1, %t, 0; mov.u32 %r5, ahead; @%p1 st.shared.u32 [%r5], 7;
        .loc 1 4 1
        st.shared.u32 [%r2], %t;
        .loc 1 5 1
        ld.shared.u32 %v, [%r3];)",
                                       of(1, 64));
    EXPECT_TRUE(has(race, "write by thread (0,0,0) at k.cu:4\n  read by thread (63,0,0) at k.cu:5")) << to_text(race);
    EXPECT_TRUE(has(race, "both touch byte 0 of box in shared memory, with no __syncthreads() in between; seen")) << to_text(race);
    EXPECT_EQ(to_text(race).rfind("race in shared memory at line 4 and line 5\n", 0), 0U) << to_text(race);
}

// A read without a line stands between the barrier and the line of the next register. Line 21 overwrites what it reads: in the next
// iteration if it is above the read and one loop has both.
TEST(RaceText, SaysNextIterationOnlyOfALoopAndNamesTheLinesOfAMovedRead) {
    const auto race = [](const char* read_at, const char* head, const char* foot) {
        return first_finding(fmt::format(R"(
            .shared .b32 box[64]; mov.u32 %r9, box; mad.lo.u32 %r10, %t, 4, %r9; setp.ge.u32 %p1, %t, 64;
            .loc 1 8 1
            st.shared.u32 [%r10], %t;
            .loc 1 9 1
            {}bar.sync 0;
            .loc 1 13 1
            mov.u32 %r3, 5;
            .loc 1 {} 1
            ld.shared.u32 %r1, [%r9]; mov.u32 %r2, %r1;
            .loc 1 23 1
            add.u32 %v, %r2, %r3;
            .loc 1 21 1
            st.shared.u32 [%r10], %v;
            .loc 1 30 1
            {}
            .loc 1 31 1
            bar.sync 0;)",
                                         head, read_at, foot),
                             of(1, 64));
    };
    const Finding once = race("0", "", "");
    EXPECT_EQ(to_text(once).rfind("race in shared memory at line 21 and one of lines 10 to 13\n", 0), 0U) << to_text(once);
    EXPECT_TRUE(has(once, "read by thread (32,0,0) at one of k.cu:10 to 13")) << to_text(once);
    const Finding again = race("23", "AGAIN: ", "@%p1 bra AGAIN;");
    EXPECT_TRUE(has(again, "line 21 overwrites in the next iteration what line 23 still reads")) << to_text(again);
    EXPECT_FALSE(race("23", "", "@%p1 bra KERNEL_END;").is_next_iteration);
}

TEST(RaceText, OfTwoWritesOnOneLine) {
    const Finding race = first_finding(".shared .b32 box[1];\n.loc 1 4 1\nst.shared.u32 [box], %t;", of(1, 64));
    EXPECT_EQ(to_text(race).rfind("race in shared memory at line 4, by two threads\n", 0), 0U) << to_text(race);
    EXPECT_TRUE(has(race, "two threads write the same element, and only one should")) << to_text(race);
}

TEST(RaceText, InsideAWarpLessThanABarrierIsEnough) {
    const Finding race = first_finding(".shared .b32 box[1];\n.loc 1 4 1\nst.shared.u32 [box], %t;", of(1, 32));
    EXPECT_TRUE(has(race, "with no __syncthreads() or __syncwarp() in between")) << to_text(race);
}

// Two blocks of 32 threads, or one block of 64, race for `in`.
Finding race_for_in(const std::string& body, std::uint32_t blocks) {
    Situation situation = of(blocks, 64 / blocks);
    return first_finding("mul.wide.u32 %rd1, %t, 4; add.s64 %rd1, %rd1, %in; setp.ge.u32 %p1, %g, 32;\n" + body, situation);
}

TEST(GlobalRaceText, SaysWhatHelps) {
    struct Case {
        std::uint32_t blocks;
        const char* body;
        const char* advice;
    };
    const Case cases[] = {
        {1, "st.global.u32 [%in], %t;",
         "with no __syncthreads() in between; two threads write the same element, and only one should; seen"},
        {1, "ld.global.u32 %r1, [%in]; add.u32 %r1, %r1, 1;\n.loc 1 9 1\nst.global.u32 [%in], %r1;",
         "to add up there, use an atomic; seen"},
        {2, "st.global.u32 [%rd1], %g;",
         "  both blocks compute the same index: blockIdx has to be part of it, in every dimension, and no thread beyond an edge may write; "
         "seen"},
        {2, "@!%p1 st.global.u32 [%rd1], %g;\n.loc 1 9 1\n@%p1 ld.global.u32 %v, [%rd1];",
         "__syncthreads() waits for one block only: read it in a second launch; seen"},
        {2, "@!%p1 st.global.u32 [%rd1], %g;\n.loc 1 9 1\natom.global.add.u32 %r2, [%rd1], %g;",
         "a plain write may undo what others have added; clear before the launch (cudaMemset); seen"},
        {2, "ld.global.u32 %r1, [%rd1]; add.u32 %r1, %r1, 1;\n.loc 1 9 1\nst.global.u32 [%rd1], %r1;",
         "let one thread write, use an atomic, or a second launch; seen"},
    };
    for (const Case& one : cases) {
        const Finding race = race_for_in(std::string(".loc 1 8 1\n") + one.body, one.blocks);
        EXPECT_TRUE(has(race, one.advice)) << one.body << "\n" << to_text(race);
    }
}

TEST(GlobalRaceText, KnowsABarrierOnALineBetween) {
    const auto has_barrier = [](const char* before, const char* between) {
        return race_for_in(fmt::format("{}\n.loc 1 8 1\n@!%p1 st.global.u32 [%rd1], %g;\n{}\n.loc 1 10 1\n@%p1 ld.global.u32 %v, [%rd1];",
                                       before, between),
                           2)
            .has_barrier_between;
    };
    EXPECT_TRUE(has_barrier("", ".loc 1 9 1\nbar.sync 0;"));
    EXPECT_FALSE(has_barrier("", ""));
    EXPECT_FALSE(has_barrier("", ".loc 1 9 1\nbar.warp.sync 0xffffffff;"));
    EXPECT_FALSE(has_barrier(".loc 1 7 1\nbar.sync 0;", ""));
    // Wherever the compiler moves an access to.
    EXPECT_FALSE(has_barrier("", ".loc 1 12 1\nbar.sync 0;"));
}

TEST(GlobalRaceText, OfAVariableThatAllBlocksUse) {
    Situation situation = of(2, 32);
    const Ran ran =
        run_body("mul.wide.u32 %rd1, %t, 4; mov.u64 %rd2, scratch; add.s64 %rd1, %rd1, %rd2;\n.loc 1 9 1\nst.global.u32 [%rd1], %g;",
                 situation, ".global .align 4 .b8 scratch[256];\n");
    ASSERT_FALSE(ran.result.findings.empty());
    EXPECT_TRUE(has(ran.result.findings[0], "both blocks use the same part of it: give each block a part of its own"))
        << to_text(ran.result.findings[0]);
}

TEST(UnwrittenText, NamesTheSharedVariable) {
    const Finding read = first_finding(R"(
        .shared .b32 ahead[4]; .shared .b32 box[64];
        mov.u32 %r1, ahead; st.shared.u32 [%r1], 7; mov.u32 %r1, box; ld.shared.u32 %v, [%r1+8];)",
                                       of(1, 1));
    EXPECT_TRUE(has(read, "bytes 8 to 11 of box in shared memory: no thread of the block has written there before")) << to_text(read);
}

// clang replaces an array whose indices are constants by a variable for each element in use, numbered by use.
TEST(UnwrittenText, NamesAVariableThatTheCompilerSplit) {
    const Finding read = first_finding(
        ".shared .b32 _ZZ1kPiE5total_$_0; .shared .b32 _ZZ1kPiE5total_$_1; ld.shared.u32 %v, [_ZZ1kPiE5total_$_1];", of(1, 1));
    EXPECT_TRUE(has(read, "\n  total in shared memory: no thread of the block has written there before")) << to_text(read);
}

TEST(UnwrittenText, NamesDynamicSharedMemory) {
    Situation situation = of(1, 1);
    situation.dynamic_shared_bytes = 64;
    const Ran ran = run_body("mov.u32 %r1, box; ld.shared.u32 %v, [%r1+8];", situation, ".extern .shared .align 4 .b8 box[];\n");
    ASSERT_EQ(ran.result.findings.size(), 1U);
    EXPECT_TRUE(has(ran.result.findings[0], "bytes 8 to 11 of box in shared memory")) << to_text(ran.result.findings[0]);
}

// Two instructions of one line, as in an unrolled loop, are one mistake, seen as often as both together; another variable is another one.
TEST(Findings, AreOneForEachSourceLineAndVariable) {
    struct Case {
        const char* start;
        const char* once;
        const char* again;
        std::uint32_t threads;
        std::uint64_t count;
    };
    const Case cases[] = {
        {".local .b32 mine[4]; mov.u64 %rd1, mine;", "ld.local.u32 %r1, [%rd1];", "ld.local.u32 %r2, [%rd1+4];", 32, 64},
        {".shared .b32 box[4]; mov.u32 %r5, box;", "ld.shared.u32 %r1, [%r5];", "ld.shared.u32 %r2, [%r5+4];", 32, 64},
        {"", "ld.global.u32 %r1, [%mine];", "ld.global.u32 %r2, [%mine];", 32, 64},
        {"mov.u64 %rd1, spare;", "st.global.u32 [%rd1], %t;", "st.global.u32 [%rd1+4], %t;", 2, 2},
        {".shared .b32 box[4]; mov.u32 %r5, box;", "st.shared.u32 [%r5], %t;", "st.shared.u32 [%r5+4], %t;", 2, 2},
    };
    for (const Case& one : cases) {
        Situation situation = of(1, one.threads);
        situation.out_written = false;
        const auto findings = [&](const std::string& between) {
            return run_body(one.start + std::string("\n.loc 1 9 1\n") + one.once + between + one.again, situation, ".global .b32 spare[2];")
                .result.findings;
        };
        const auto merged = findings("");
        ASSERT_EQ(merged.size(), 1U) << one.once;
        EXPECT_EQ(merged[0].count, one.count) << to_text(merged[0]);
        EXPECT_EQ(findings("\n.loc 1 10 1\n").size(), 2U) << one.once;
    }
    const Ran two =
        run_body(".shared .b32 box[1]; .shared .b32 bag[1];\n.loc 1 9 1\nld.shared.u32 %r1, [box]; ld.shared.u32 %r2, [bag];", of(1, 1));
    EXPECT_EQ(two.result.findings.size(), 2U);
}

TEST(BarrierText, TellsWaitingElsewhereFromGoingElsewhere) {
    const std::string start = "setp.lt.u32 %p1, %w, 16; @%p1 bra LOW;\n.loc 1 21 1\nbar.sync 0; bra.uni JOIN;\nLOW:\n.loc 1 25 1\n";
    const Ran waits = run_body(start + "bar.sync 0;\nJOIN: ");
    ASSERT_TRUE(waits.result.fault);
    EXPECT_TRUE(has(*waits.result.fault, " waits at another __syncthreads(), at k.cu:2")) << to_text(*waits.result.fault);
    const Ran goes = run_body(start + "bar.warp.sync 0xffffffff;\nJOIN: ");
    ASSERT_TRUE(goes.result.fault);
    EXPECT_TRUE(has(*goes.result.fault, " went another way and is at k.cu:2")) << to_text(*goes.result.fault);
    EXPECT_TRUE(has(*waits.result.fault, "\n  all threads of a block have to reach the same __syncthreads()"))
        << to_text(*waits.result.fault);
    EXPECT_FALSE(has(*waits.result.fault, "by thread")) << to_text(*waits.result.fault);
}

TEST(MaskText, ShowsTheMaskAndTheLane) {
    Situation situation = of(1, 32);
    const Ran left_out = run_body("bar.warp.sync 0xffff;", situation);
    ASSERT_TRUE(left_out.result.fault);
    EXPECT_TRUE(has(*left_out.result.fault, "\n  __syncwarp with mask 0x0000ffff; thread (16,0,0) is lane 16"))
        << to_text(*left_out.result.fault);
    situation.checks.lockstep = false;
    situation.block = {20, 1, 1};
    const Ran absent = run_body("shfl.sync.down.b32 %v, %t, 4, 31, -1;", situation);
    ASSERT_TRUE(absent.result.fault);
    EXPECT_TRUE(has(*absent.result.fault, "do not exist")) << to_text(*absent.result.fault);
    EXPECT_TRUE(has(*absent.result.fault, "\n  __shfl_down_sync with mask 0xffffffff; thread (16,0,0) is lane 16"))
        << to_text(*absent.result.fault);
}

TEST(FaultText, OfWideAccessesAndOfTheFirstByteBeyond) {
    const Ran wide = run_body("ld.global.v2.u32 {%r1, %r2}, [%in+4];");
    ASSERT_TRUE(wide.result.fault);
    EXPECT_TRUE(has(*wide.result.fault, "\n  2 elements of 4 bytes at once: a wide access (as by float2, float4) or a part of one"))
        << to_text(*wide.result.fault);
    const Ran beyond = run_body(".shared .b32 box[4]; mov.u32 %r1, box; ld.shared.u32 %v, [%r1+16];");
    ASSERT_TRUE(beyond.result.fault);
    EXPECT_TRUE(has(*beyond.result.fault, "offset 16: directly past the end of the block's 16 bytes of shared memory"))
        << to_text(*beyond.result.fault);
}

}  // namespace
}  // namespace lab::machine::testing
