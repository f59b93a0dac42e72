// Determinism: results, counts, races, faults and output of a launch do not depend on the number of host threads.
#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

std::string told(const Ran& ran) {
    std::string text = ran.printed;
    if (ran.result.fault) text += to_text(*ran.result.fault) + "\n";
    for (const Finding& finding : ran.result.findings) text += to_text(finding) + "\n";
    const Counters& c = ran.counters();
    for (const MemoryCounts& m :
         {c.global_load, c.global_store, c.global_atomic, c.local_load, c.local_store, c.shared_load, c.shared_store, c.shared_atomic}) {
        for (const std::uint64_t n : {m.requests, m.sectors, m.bytes, m.wavefronts, m.conflicts}) text += std::to_string(n) + " ";
    }
    for (const std::uint64_t n :
         {c.warp_instructions, c.thread_instructions, c.branches, c.divergent_branches, c.barriers, c.warps, c.blocks})
        text += std::to_string(n) + " ";
    return text;
}

// Runs it with several numbers of host threads, several times; returns the first run's results.
Ran expect_same_for_all_threads(const std::string& body, Situation situation, bool compare_memory = true, const std::string& before = "") {
    situation.host_threads = 1;
    Ran first = run_body(body, situation, before);
    for (const unsigned threads : {1U, 2U, 3U, 7U, 7U, 7U}) {
        situation.host_threads = threads;
        const Ran ran = run_body(body, situation, before);
        EXPECT_EQ(told(ran), told(first)) << threads << " threads";
        if (!compare_memory) continue;
        EXPECT_EQ(ran.out, first.out) << threads << " threads";
        EXPECT_EQ(ran.in, first.in) << threads << " threads";
    }
    return first;
}

Situation many_blocks() {
    Situation situation;
    situation.grid = {60, 1, 1};
    situation.block = {96, 1, 1};
    return situation;
}

// Blocks that take different times: the later, the shorter.
const char* const uneven =
    "mov.u32 %r40, %ctaid.x; mov.u32 %r41, 60; sub.u32 %r41, %r41, %r40; mul.lo.u32 %r41, %r41, 20; mov.u32 %r42, 0;\n"
    "WORK: add.u32 %r42, %r42, 1; setp.lt.u32 %p9, %r42, %r41; @%p9 bra WORK;\n";

TEST(Determinism, ResultsAndCountsOfUnevenBlocks) {
    const Ran ran = expect_same_for_all_threads(
        std::string(uneven) +
            ".shared .b32 box[96]; mov.u32 %r1, box; mad.lo.u32 %r2, %t, 4, %r1; st.shared.u32 [%r2], %g; bar.sync 0;\n"
            "xor.b32 %r3, %t, 1; mad.lo.u32 %r3, %r3, 4, %r1; ld.shared.u32 %v, [%r3];",
        many_blocks());
    EXPECT_FALSE(ran.result.fault);
    EXPECT_TRUE(ran.result.findings.empty());
}

TEST(Determinism, SumsOfFloatsByAtomics) {
    Situation situation = many_blocks();
    situation.in = {0x3f800000, 0};
    const Ran ran = expect_same_for_all_threads(
        std::string(uneven) +
            "cvt.rn.f32.u32 %f1, %g; rcp.rn.f32 %f1, %f1; setp.eq.u32 %p1, %g, 0; @%p1 mov.f32 %f1, 0f00000000;\n"
            "red.global.add.f32 [%in], %f1; atom.global.inc.u32 %v, [%in+4], 100000;",
        situation);
    EXPECT_FALSE(ran.result.fault);
    EXPECT_EQ(ran.in[1], 60U * 96);
}

TEST(Determinism, TheFirstBlockThatFaultsIsTold) {
    // Blocks 7, 8, 20 and 59 fault; those before take longer.
    const Ran ran = expect_same_for_all_threads(std::string(uneven) + R"(
        setp.eq.u32 %p1, %r40, 7; setp.eq.u32 %p2, %r40, 8; or.pred %p1, %p1, %p2; setp.eq.u32 %p2, %r40, 20; or.pred %p1, %p1, %p2;
        setp.eq.u32 %p2, %t, 70; and.pred %p1, %p1, %p2; mov.u64 %rd1, 0;
        .loc 1 77 1
        @%p1 st.global.u32 [%rd1], %t;)",
                                                many_blocks(), false);
    ASSERT_TRUE(ran.result.fault);
    EXPECT_EQ(ran.result.fault->kind, FindingKind::null_pointer);
    EXPECT_EQ(ran.result.fault->who().block.x, 7U);
    EXPECT_EQ(ran.result.fault->who().thread.x, 70U);
    EXPECT_EQ(ran.result.fault->line(), 77U);
    EXPECT_EQ(ran.counters().warp_instructions, 0U);
}

TEST(Determinism, RacesBeforeAFaultAreToldAndThoseBehindAreNot) {
    // Block 3 races, block 20 faults, block 40 races at another place.
    const Ran ran = expect_same_for_all_threads(std::string(uneven) + R"(
        .shared .b32 box[1];
        setp.eq.u32 %p1, %r40, 3; setp.eq.u32 %p2, %r40, 20; setp.eq.u32 %p3, %r40, 40; mov.u64 %rd1, 0;
        .loc 1 3 1
        @%p1 st.shared.u32 [box], %t;
        .loc 1 40 1
        @%p3 st.shared.u32 [box], %t;
        .loc 1 20 1
        @%p2 ld.global.u32 %v, [%rd1];)",
                                                many_blocks(), false);
    ASSERT_TRUE(ran.result.fault);
    EXPECT_EQ(ran.result.fault->who().block.x, 20U);
    ASSERT_EQ(ran.result.findings.size(), 1U);
    EXPECT_EQ(ran.result.findings[0].line(), 3U);
}

TEST(Determinism, EndlessLoopsStopAtTheSamePlace) {
    Situation situation = many_blocks();
    situation.max_instructions = 300'000;
    const Ran loop = expect_same_for_all_threads(std::string(uneven) + R"(
        setp.lt.u32 %p1, %r40, 5; @%p1 bra JOIN; setp.eq.u32 %p1, %r40, 9; @%p1 bra JOIN;
        .loc 1 50 1
        FOREVER: add.u32 %v, %v, 1; setp.ne.u32 %p1, %v, 0;
        .loc 1 52 1
        @%p1 bra FOREVER;
        JOIN: )",
                                                 situation, false);
    ASSERT_TRUE(loop.result.fault);
    EXPECT_EQ(loop.result.fault->kind, FindingKind::endless);
    EXPECT_EQ(loop.result.fault->who().block.x, 5U);
    EXPECT_GE(loop.result.fault->line(), 50U);
    EXPECT_LE(loop.result.fault->line(), 52U);
    // Many blocks that end, but together execute more than the limit.
    situation.max_instructions = 100'000;
    const Ran sum = expect_same_for_all_threads(uneven, situation, false);
    ASSERT_TRUE(sum.result.fault);
    EXPECT_EQ(sum.result.fault->kind, FindingKind::endless);
    EXPECT_GT(sum.result.fault->who().block.x, 5U);
}

TEST(Determinism, PrintedTextComesInTheOrderOfTheBlocks) {
    const std::string before = R"(
.extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 list);
.global .align 1 .b8 text[8] = {37, 117, 32, 37, 117, 10, 0};
)";
    Situation situation;
    situation.grid = {12, 1, 1};
    situation.block = {2, 1, 1};
    const Ran ran = expect_same_for_all_threads(R"(
        .local .align 8 .b8 list[8]; .param .b64 a; .param .b64 b; .param .b32 c;
        mov.u64 %rd1, list; cvta.local.u64 %rd2, %rd1; mov.u32 %r1, %ctaid.x; st.local.u32 [%rd1], %r1; st.local.u32 [%rd1+4], %t;
        mov.u64 %rd3, text; cvta.global.u64 %rd3, %rd3; st.param.b64 [a], %rd3; st.param.b64 [b], %rd2;
        call.uni (c), vprintf, (a, b); ld.param.b32 %v, [c];)",
                                                situation, true, before);
    ASSERT_FALSE(ran.result.fault);
    std::string expected;
    for (unsigned block = 0; block < 12; ++block) {
        for (unsigned t = 0; t < 2; ++t) expected += std::to_string(block) + " " + std::to_string(t) + "\n";
    }
    EXPECT_EQ(ran.printed, expected);
    EXPECT_EQ(ran.out, std::vector<std::uint32_t>(24, 2));
}

}  // namespace
}  // namespace lab::machine::testing
