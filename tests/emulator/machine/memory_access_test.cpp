// Loads, stores and atomics in all spaces: widths, vectors, and generic addresses that differ from lane to lane.
#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

TEST(MachineMemory, NegativeAddressesInA32BitRegisterMeetTheirOffset) {
    // As compilers write a[i - 1] at the start of shared memory.
    expect_each_thread(R"(
        .shared .b32 box[300];
        mov.u32 %r1, box; mad.lo.u32 %r1, %t, 4, %r1; add.u32 %r1, %r1, -8; mul.lo.u32 %r2, %t, 3; st.shared.u32 [%r1+8], %r2; ld.shared.u32 %v, [%r1+8];)",
                       [](std::uint32_t t) { return t * 3; });
}

TEST(MachineMemory, NarrowLoadsExtendAndNarrowStoresCut) {
    expect_each_thread(
        R"(
        .shared .align 8 .b8 box[2100];
        mov.u32 %r1, box; mad.lo.u32 %r1, %t, 8, %r1; mad.lo.u32 %r2, %t, 77, -5000; st.shared.u64 [%r1], 0;
        st.shared.u8 [%r1], %r2; st.shared.u16 [%r1+2], %r2; ld.shared.s8 %r3, [%r1]; ld.shared.u8 %r4, [%r1]; ld.shared.s16 %r5, [%r1+2]; ld.shared.u16 %r6, [%r1+2];
        ld.shared.s8 %rd1, [%r1]; cvt.u32.u64 %r7, %rd1; ld.shared.s32 %rd2, [%r1]; shr.s64 %rd2, %rd2, 40; cvt.u32.u64 %r8, %rd2;
        mov.u32 %v, %r3; mad.lo.u32 %v, %v, 3, %r4; mad.lo.u32 %v, %v, 3, %r5; mad.lo.u32 %v, %v, 3, %r6; mad.lo.u32 %v, %v, 3, %r7; mad.lo.u32 %v, %v, 3, %r8;)",
        [](std::uint32_t t) {
            const auto x = static_cast<std::int32_t>(t * 77) - 5000;
            const std::int32_t s8 = static_cast<std::int8_t>(x);  // NOLINT(bugprone-signed-char-misuse): sign extension is the point
            const std::int32_t s16 = static_cast<std::int16_t>(x);
            const std::int32_t word = (s16 * 65536) | (s8 & 255);
            const std::int64_t high = static_cast<std::int64_t>(word) >> 40;
            std::uint32_t v = static_cast<std::uint32_t>(s8);
            for (const std::int64_t part : {std::int64_t{s8 & 255}, std::int64_t{s16}, std::int64_t{s16 & 65535}, std::int64_t{s8}, high})
                v = v * 3 + static_cast<std::uint32_t>(part);
            return v;
        });
}

// Neighbouring lanes at adjacent addresses are copied together: in two spans, in more than are kept, and where lanes are inactive.
TEST(MachineMemory, RowsOfABlockAndGapsAreCopiedRight) {
    for (const char* const row : {"25", "11", "7", "3", "1"}) {
        for (const char* const active :
             {"setp.lt.u32 %p1, %t, 20000;", "setp.ne.u32 %p1, %t, 7;", "and.b32 %r9, %t, 3; setp.ne.u32 %p1, %r9, 2;"}) {
            const std::uint32_t side = static_cast<std::uint32_t>(std::stoul(row));
            expect_each_thread(std::string(R"(
                .shared .b32 box[4100];
                mov.u32 %r1, box; div.u32 %r2, %t, )") +
                                   row + R"(; mad.lo.u32 %r3, %r2, 5, %t; and.b32 %r3, %r3, 4095; mad.lo.u32 %r1, %r3, 4, %r1;
                st.shared.u32 [%r1], 5; mad.lo.u32 %r4, %t, 7, 1; mov.u32 %v, 9; )" +
                                   active + R"(
                @%p1 st.shared.u32 [%r1], %r4; @%p1 ld.shared.u32 %v, [%r1]; ld.shared.u32 %r5, [%r1]; mad.lo.u32 %v, %v, 3, %r5;)",
                               [&](std::uint32_t t) {
                                   const bool is_active = active[5] == 'l' || (active[5] == 'n' ? t != 7 : t % 4 != 2);
                                   EXPECT_LT(t + t / side * 5, 4096U);
                                   return is_active ? (t * 7 + 1) * 4 : 9 * 3 + 5U;
                               });
        }
    }
}

TEST(MachineMemory, OfLanesThatStoreToOneAddressTheLastOnesValueStays) {
    const Ran ran = run_body(R"(
        .shared .b32 box[16]; mov.u32 %r1, box; rem.u32 %r2, %t, 16; mad.lo.u32 %r1, %r2, 4, %r1; st.shared.u32 [%r1], %t; ld.shared.u32 %v, [%r1];)",
                             Situation{});
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(ran.out[t], t % 16 + 16);
}

TEST(MachineMemory, VectorsKeepTheOrderOfTheirElements) {
    expect_each_thread(R"(
        .local .align 16 .b8 mine[32];
        mov.u32 %r1, 1; mov.u32 %r2, 2; add.u32 %r3, %t, 3; mov.u32 %r4, 4; st.local.v4.u32 [mine], {%r1, %r2, %r3, %r4};
        ld.local.v2.u64 {%rd1, %rd2}, [mine]; st.local.v2.u64 [mine+16], {%rd2, %rd1}; ld.local.v4.u32 {%r5, %r6, %r7, %r8}, [mine+16];
        ld.local.v4.u8 {%r9, %r10, %r11, %r12}, [mine+16];
        mad.lo.u32 %v, %r5, 1000, %r6; mad.lo.u32 %v, %v, 10, %r7; mad.lo.u32 %v, %v, 10, %r8; mad.lo.u32 %v, %v, 10, %r9; add.u32 %v, %v, %r10;)",
                       [](std::uint32_t t) {
                           const std::uint32_t v = (((t + 3) * 1000 + 4) * 10 + 1) * 10 + 2;
                           return v * 10 + (t + 3) % 256 + (t + 3) / 256;
                       });
}

TEST(MachineMemory, ALoadMayOverwriteItsOwnAddress) {
    Situation situation;
    situation.in.assign(64, 0);
    const Ran ran = run_body(R"(
        .shared .b32 box[64]; mov.u32 %r1, box; mad.lo.u32 %r1, %t, 4, %r1; xor.b32 %r2, %t, 5; mov.u32 %r3, box; mad.lo.u32 %r2, %r2, 4, %r3;
        st.shared.u32 [%r1], %r2; st.shared.u32 [%r1+128], %t; bar.sync 0;
        ld.shared.u32 %r4, [%r1]; ld.shared.u32 %r1, [%r1]; ld.shared.u32 %v, [%r1+128];)",
                             situation);
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(ran.out[t], t ^ 5U);
}

TEST(MachineMemory, GenericAddressesOfFourSpacesInOneInstruction) {
    // Lane by lane: global, shared, local, and kernel parameters (for the load).
    const Ran ran = run_body(R"(
        .shared .align 8 .b32 box[32]; .local .align 8 .b32 mine[2];
        mov.u32 %r1, box; mad.lo.u32 %r1, %t, 4, %r1; cvt.u64.u32 %rd1, %r1; cvta.shared.u64 %rd1, %rd1;
        mov.u64 %rd2, mine; cvta.local.u64 %rd2, %rd2; mul.wide.u32 %rd3, %t, 4; add.s64 %rd3, %rd3, %in; mov.b64 %rd4, k_n; cvta.param.u64 %rd4, %rd4;
        rem.u32 %r2, %t, 3; setp.eq.u32 %p1, %r2, 0; setp.eq.u32 %p2, %r2, 1;
        selp.b64 %rd5, %rd1, %rd2, %p1; selp.b64 %rd5, %rd3, %rd5, %p2;
        mul.lo.u32 %r3, %t, 9; st.u32 [%rd5], %r3; setp.eq.u32 %p3, %t, 20; selp.b64 %rd5, %rd4, %rd5, %p3; ld.u32 %v, [%rd5];
        isspacep.shared %p4, %rd5; isspacep.local %p5, %rd5; isspacep.global %p6, %rd5;
        selp.u32 %r4, 1000, 0, %p4; add.u32 %v, %v, %r4; selp.u32 %r4, 2000, 0, %p5; add.u32 %v, %v, %r4; selp.u32 %r4, 4000, 0, %p6; add.u32 %v, %v, %r4;)",
                             {.n = 55});
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    for (std::uint32_t t = 0; t < 32; ++t) {
        const std::uint32_t space = t == 20 ? 0 : t % 3 == 0 ? 1000 : t % 3 == 1 ? 4000 : 2000;
        EXPECT_EQ(ran.out[t], (t == 20 ? 55 : t * 9) + space) << t;
    }
    EXPECT_EQ(ran.counters().shared_store.requests, 1U);
    EXPECT_EQ(ran.counters().local_store.requests, 1U);
    EXPECT_EQ(ran.counters().global_store.requests, 2U);  // and the result
}

// A word of every thread lies beside the same word of the others: a line, however far apart a thread's own words are.
TEST(MachineMemory, LocalMemoryMovesALineForAWordOfAllThreads) {
    const auto counted = [](const std::string& offset, const std::string& store = "st.local.u32 [%rd1], %t;") {
        const Ran ran = run_body(".local .align 16 .b8 mine[256]; mov.u64 %rd1, mine; " + offset +
                                 " cvt.u64.u32 %rd2, %r1; add.s64 %rd1, %rd1, %rd2; " + store);
        EXPECT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
        return ran.counters().local_store;
    };
    const MemoryCounts same = counted("mov.u32 %r1, 64;");
    EXPECT_EQ(same.sectors, 4U);
    EXPECT_EQ(same.lines, 1U);
    EXPECT_EQ(same.transactions, 1U);
    const MemoryCounts some = counted("mov.u32 %r1, 64; setp.lt.u32 %p1, %t, 9;", "@%p1 st.local.u32 [%rd1], %t;");
    EXPECT_EQ(some.sectors, 2U) << "lanes 0 to 7 share one, and lane 8 has another";
    EXPECT_EQ(some.lines, 1U);
    const MemoryCounts wide = counted("mov.u32 %r1, 64;", "st.local.u64 [%rd1], %rd1;");
    EXPECT_EQ(wide.sectors, 8U);
    EXPECT_EQ(wide.lines, 2U);
    const MemoryCounts two = counted("and.b32 %r1, %t, 1; shl.b32 %r1, %r1, 2;");
    EXPECT_EQ(two.sectors, 8U);
    EXPECT_EQ(two.lines, 2U);
    const MemoryCounts all = counted("shl.b32 %r1, %t, 2;");
    EXPECT_EQ(all.sectors, 32U);
    EXPECT_EQ(all.lines, 32U);
    EXPECT_EQ(all.transactions, 8U) << "four lines are looked up at a time, and no two words lie in one bank";
}

TEST(MachineMemory, AtomicsGiveEachLaneItsOwnOldValue) {
    for (const char* const space : {".shared", ".global", ""}) {
        const std::string where = space;
        const std::string address = where == ".shared" ? "mov.u32 %r1, box; cvt.u64.u32 %rd1, %r1;"
                                    : where.empty()    ? "mov.u32 %r1, box; cvt.u64.u32 %rd1, %r1; cvta.shared.u64 %rd1, %rd1;"
                                                       : "mov.u64 %rd1, %in;";
        const std::string store = where.empty() ? "st.u32" : "st" + where + ".u32";
        const Ran ran = run_body(".shared .b32 box[2];" + address + "mov.u32 %r2, 100; setp.eq.u32 %p1, %t, 0; @%p1 " + store +
                                 " [%rd1], %r2; bar.sync 0;" + "atom" + where + ".add.u32 %v, [%rd1], 3;");
        ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
        for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(ran.out[t], 100 + 3 * t) << space;
    }
}

TEST(MachineMemory, SharedMemoryOfABlockIsItsOwnAndStartsAfresh) {
    Situation situation;
    situation.grid = {9, 1, 1};
    const Ran ran = run_body(
        ".shared .b32 box[32]; mov.u32 %r1, box; mad.lo.u32 %r1, %t, 4, %r1; ld.shared.u32 %v, [%r1]; st.shared.u32 [%r1], %g;", situation);
    ASSERT_FALSE(ran.result.fault);
    for (const std::uint32_t value : ran.out) EXPECT_EQ(value, ran.out[0]);
    EXPECT_NE(ran.out[0], 0U);
}

}  // namespace
}  // namespace lab::machine::testing
