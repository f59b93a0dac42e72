// Reads of uninitialised memory: shared, local, and what a launch leaves unwritten in global memory.
#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

TEST(Initialisation, OfSharedMemoryIsLookedAtWordByWord) {
    // Thread t writes word t where t < n; then all read the neighbour's.
    for (const std::uint32_t written : {64U, 63U, 1U, 0U}) {
        Situation situation;
        situation.block = {64, 1, 1};
        situation.n = written;
        situation.checks.initialisation = true;
        const Ran ran = run_body(R"(
            .shared .align 4 .b8 box[300];
            mov.u32 %r1, box; mad.lo.u32 %r2, %t, 4, %r1; setp.lt.u32 %p1, %t, %n;
            @%p1 st.shared.u32 [%r2], %t; bar.sync 0; xor.b32 %r3, %t, 1; mad.lo.u32 %r3, %r3, 4, %r1;
            .loc 1 7 1
            ld.shared.u32 %v, [%r3];)",
                                 situation);
        ASSERT_FALSE(ran.result.fault);
        ASSERT_EQ(ran.result.findings.size(), written == 64 ? 0U : 1U);
        if (written == 64) continue;
        const Finding& finding = ran.result.findings[0];
        EXPECT_EQ(finding.kind, FindingKind::uninitialised_read);
        EXPECT_EQ(finding.line(), 7U);
        EXPECT_EQ(finding.count, 64 - written);
        EXPECT_FALSE(finding.stops);
    }
}

TEST(Initialisation, ReadsBeforeAnyWriteAreFoundInKernelsThatOnlyReadSharedMemory) {
    Situation situation;
    situation.checks.initialisation = true;
    const Ran ran = run_body(".shared .b32 box[32]; mov.u32 %r1, box; mad.lo.u32 %r2, %t, 4, %r1; ld.shared.u32 %v, [%r2];", situation);
    EXPECT_EQ(ran.result.findings.size(), 1U);
}

// Each read of a tile that nothing fills would be a finding: a block's first thousands are enough.
TEST(Initialisation, IsNotLookedAtForEverInABlock) {
    Situation situation;
    situation.block = {64, 1, 1};
    situation.n = 1000;
    situation.checks.initialisation = true;
    const Ran ran = run_body(R"(
        .shared .b32 box[64]; mov.u32 %r1, box; mad.lo.u32 %r2, %t, 4, %r1; mov.u32 %r3, 0;
        AGAIN: ld.shared.u32 %v, [%r2]; bar.sync 0; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %n; @%p1 bra AGAIN;)",
                             situation);
    ASSERT_EQ(ran.result.findings.size(), 1U);
    EXPECT_GE(ran.result.findings[0].count, 4096U);
    EXPECT_LT(ran.result.findings[0].count, 8192U);
}

TEST(Initialisation, OfLocalMemoryBelongsToEachThread) {
    // Threads below n write their array before they read it.
    for (const std::uint32_t written : {32U, 5U}) {
        Situation situation;
        situation.n = written;
        situation.checks.initialisation = true;
        const Ran ran = run_body(R"(
            .local .align 4 .b8 box[16];
            mov.u64 %rd1, box; setp.lt.u32 %p1, %t, %n; @%p1 st.local.u32 [%rd1+4], %t;
            .loc 1 9 1
            ld.local.u32 %v, [%rd1+4];)",
                                 situation);
        ASSERT_FALSE(ran.result.fault);
        ASSERT_EQ(ran.result.findings.size(), written == 32 ? 0U : 1U);
        if (written == 32) continue;
        EXPECT_EQ(ran.result.findings[0].line(), 9U);
        EXPECT_EQ(ran.result.findings[0].count, 27U);
        EXPECT_EQ(ran.result.findings[0].who().thread.x, 5U);
    }
}

TEST(Initialisation, PaddingOfAWiderReadIsNoMistake) {
    Situation situation;
    situation.checks.initialisation = true;
    const auto findings = [&](const char* store) {
        const Ran ran = run_body(std::string(".shared .align 8 .b8 box[256]; mov.u32 %r1, box; mad.lo.u32 %r2, %t, 8, %r1; ") + store +
                                     " ld.shared.u64 %rd5, [%r2]; cvt.u32.u64 %v, %rd5;",
                                 situation);
        return ran.result.findings.size();
    };
    EXPECT_EQ(findings("st.shared.u32 [%r2], %t;"), 0U);
    EXPECT_EQ(findings("st.shared.u8 [%r2+7], %h1;"), 0U);
    EXPECT_EQ(findings(""), 1U);
}

TEST(GlobalInitialisation, WhatAWarpWritesToSeveralAllocationsCounts) {
    // Even lanes write to `in`, which is as good as any other place, odd ones to `out`; then each reads what it wrote.
    Situation situation;
    situation.checks.initialisation = true;
    situation.out_written = false;
    situation.grid = {1, 1, 1};
    situation.block = {32, 1, 1};
    situation.out_words = 32;
    const Ran ran = run_body(
        "and.b32 %r1, %w, 1; setp.eq.u32 %p1, %r1, 0; mul.wide.u32 %rd1, %w, 4; add.s64 %rd2, %in, %rd1; selp.u64 %rd3, %rd2, %mine, %p1;\n"
        "st.global.u32 [%rd3], %t; @!%p1 ld.global.u32 %v, [%mine];",
        situation);
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    EXPECT_TRUE(ran.result.findings.empty());
}

// Each thread reads its own word of memory that nothing has set: a launch's first thousands are enough, whatever the number of workers.
TEST(GlobalInitialisation, IsNotLookedAtForEverInALaunch) {
    Situation situation;
    situation.grid = {4096, 1, 1};
    situation.block = {64, 1, 1};
    situation.out_words = 4096 * 64;
    situation.checks.initialisation = true;
    situation.out_written = false;
    for (const unsigned workers : {1U, 3U}) {
        situation.host_threads = workers;
        const Ran ran = run_body("ld.global.u32 %v, [%mine];", situation);
        ASSERT_EQ(ran.result.findings.size(), 1U);
        EXPECT_EQ(ran.result.findings[0].count, 16384U) << workers;
    }
}

}  // namespace
}  // namespace lab::machine::testing
