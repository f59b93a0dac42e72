// Device functions: arguments, results, structs, local arrays, recursion, divergence inside, pointers to functions.
#include <bit>
#include <utility>

#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

const char* const fibonacci = R"(
.func (.param .b32 result) fib(.param .b32 n);
.func (.param .b32 result) fib(.param .b32 n) {
    .reg .pred %p<3>; .reg .b32 %r<9>;
    ld.param.u32 %r1, [n]; setp.lt.u32 %p1, %r1, 2; @%p1 bra SMALL;
    { .param .b32 a; .param .b32 b; add.u32 %r2, %r1, -1; st.param.b32 [a], %r2; call.uni (b), fib, (a); ld.param.b32 %r3, [b]; }
    { .param .b32 a; .param .b32 b; add.u32 %r2, %r1, -2; st.param.b32 [a], %r2; call.uni (b), fib, (a); ld.param.b32 %r4, [b]; }
    add.u32 %r1, %r3, %r4;
    SMALL: st.param.b32 [result], %r1; ret;
}
)";

TEST(MachineCalls, RecursionGoesAsDeepAsEachThreadWants) {
    expect_each_thread(
        "rem.u32 %r1, %t, 9; .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call.uni (b), fib, (a); ld.param.b32 %v, [b];",
        [](std::uint32_t t) {
            std::uint32_t a = 0;
            std::uint32_t b = 1;
            for (std::uint32_t i = 0; i < t % 9; ++i) b = std::exchange(a, b) + b;
            return a;
        },
        fibonacci);
}

TEST(MachineCalls, EndlessRecursionIsAFaultThatSaysSo) {
    const std::string down = R"(
.func down(.param .b32 n);
.func down(.param .b32 n) {
    .reg .b32 %r<3>; .local .b32 mine[4]; .param .b32 a;
    ld.param.u32 %r1, [n]; add.u32 %r1, %r1, 1; st.local.u32 [mine], %r1; st.param.b32 [a], %r1;
    .loc 1 8 1
    call.uni down, (a);
    ret;
}
)";
    const Ran ran = run_body(".param .b32 a; st.param.b32 [a], %t; call.uni down, (a);", {}, down);
    ASSERT_TRUE(ran.result.fault);
    EXPECT_NE(to_text(*ran.result.fault).find("nested too deep"), std::string::npos) << to_text(*ran.result.fault);
    EXPECT_EQ(ran.result.fault->line(), 8U);
}

TEST(MachineCalls, StructsGoInAndComeBackByValue) {
    // struct { uint8 a; uint32 b[2]; double c; } f(struct, uint64 x)
    const std::string before = R"(
.func (.param .align 8 .b8 result[24]) rotate(.param .align 8 .b8 s[24], .param .b64 x) {
    .reg .b32 %r<9>; .reg .b64 %rd<3>; .reg .f64 %fd<3>;
    ld.param.u8 %r1, [s]; ld.param.u32 %r2, [s+4]; ld.param.u32 %r3, [s+8]; ld.param.f64 %fd1, [s+16]; ld.param.u64 %rd1, [x];
    cvt.u32.u64 %r4, %rd1; add.u32 %r1, %r1, %r4; add.f64 %fd1, %fd1, %fd1;
    st.param.u8 [result], %r1; st.param.u32 [result+4], %r3; st.param.u32 [result+8], %r2; st.param.f64 [result+16], %fd1; ret;
}
)";
    expect_each_thread(R"(
        .param .align 8 .b8 s[24]; .param .b64 x; .param .align 8 .b8 back[24];
        mul.lo.u32 %r1, %t, 3; mov.u32 %r2, 700; cvt.rn.f64.u32 %fd1, %t; cvt.u64.u32 %rd1, %w;
        st.param.u8 [s], %r1; st.param.v2.b32 [s+4], {%r2, %t}; st.param.f64 [s+16], %fd1; st.param.b64 [x], %rd1;
        call.uni (back), rotate, (s, x);
        ld.param.u8 %r3, [back]; ld.param.u32 %r4, [back+4]; ld.param.u32 %r5, [back+8]; ld.param.f64 %fd2, [back+16]; cvt.rzi.u32.f64 %r6, %fd2;
        mad.lo.u32 %v, %r3, 7, %r4; mad.lo.u32 %v, %v, 7, %r5; mad.lo.u32 %v, %v, 7, %r6;)",
                       [](std::uint32_t t) {
                           const std::uint32_t a = (t * 3 % 256 + t % 32) % 256;
                           return ((a * 7 + t) * 7 + 700) * 7 + 2 * t;
                       },
                       before);
}

TEST(MachineCalls, ThreadsLeaveAFunctionAtDifferentTimesAndMeetBehindIt) {
    const std::string before = R"(
.func (.param .b32 result) half(.param .b32 n) {
    .reg .pred %p<3>; .reg .b32 %r<9>;
    ld.param.u32 %r1, [n]; mov.u32 %r2, 0;
    TOP: setp.eq.u32 %p1, %r1, 0; @!%p1 bra GO; st.param.b32 [result], %r2; ret;
    GO: shr.u32 %r1, %r1, 1; add.u32 %r2, %r2, 1; bra.uni TOP;
}
)";
    const Ran ran = run_body(R"(
        .param .b32 a; .param .b32 b; st.param.b32 [a], %t; call.uni (b), half, (a); ld.param.b32 %r1, [b];
        activemask.b32 %r2; popc.b32 %r2, %r2; mad.lo.u32 %v, %r2, 100, %r1;)",
                             {}, before);
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(ran.out[t], 3200U + static_cast<std::uint32_t>(std::bit_width(t))) << t;
}

TEST(MachineCalls, ExitInAFunctionEndsTheThread) {
    const std::string before =
        ".func stop(.param .b32 n) { .reg .pred %p<3>; .reg .b32 %r<3>; ld.param.u32 %r1, [n]; setp.gt.u32 %p1, %r1, 9; @%p1 exit; ret; "
        "}\n";
    const Ran ran = run_body(".param .b32 a; st.param.b32 [a], %t; call.uni stop, (a); mov.u32 %v, 6; bar.sync 0;", {}, before);
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(ran.out[t], t > 9 ? 0xdeadbeefU : 6U) << t;
}

TEST(MachineCalls, BarriersInsideAFunctionAreTheBlocks) {
    const std::string before = R"(
.shared .b32 box[64];
.func (.param .b32 result) swap(.param .b32 n) {
    .reg .b32 %r<9>;
    ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; mov.u32 %r3, box; mad.lo.u32 %r4, %r2, 4, %r3; st.shared.u32 [%r4], %r1; bar.sync 0;
    xor.b32 %r2, %r2, 32; mad.lo.u32 %r4, %r2, 4, %r3; ld.shared.u32 %r1, [%r4]; st.param.b32 [result], %r1; bar.sync 0; ret;
}
)";
    Situation situation;
    situation.block = {64, 1, 1};
    const Ran ran = run_body(
        ".param .b32 a; .param .b32 b; mul.lo.u32 %r1, %t, 3; st.param.b32 [a], %r1; call.uni (b), swap, (a); ld.param.b32 %v, [b];",
        situation, before);
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    EXPECT_TRUE(ran.result.findings.empty());
    for (std::uint32_t t = 0; t < 64; ++t) EXPECT_EQ(ran.out[t], (t ^ 32U) * 3);
}

TEST(MachineCalls, PointersToFunctionsDifferFromLaneToLane) {
    const std::string before = R"(
.func (.param .b32 result) twice(.param .b32 n) { .reg .b32 %r<3>; ld.param.u32 %r1, [n]; add.u32 %r1, %r1, %r1; st.param.b32 [result], %r1; ret; }
.func (.param .b32 result) square(.param .b32 n) { .reg .b32 %r<3>; ld.param.u32 %r1, [n]; mul.lo.u32 %r1, %r1, %r1; st.param.b32 [result], %r1; ret; }
.global .align 8 .u64 table[2] = {twice, square};
)";
    expect_each_thread(R"(
        rem.u32 %r1, %t, 2; mul.wide.u32 %rd1, %r1, 8; mov.u64 %rd2, table; add.s64 %rd1, %rd1, %rd2; ld.global.u64 %rd3, [%rd1];
        .param .b32 a; .param .b32 b; st.param.b32 [a], %t;
        kind: .callprototype (.param .b32 _) _ (.param .b32 _);
        call (b), %rd3, (a), kind; ld.param.b32 %v, [b];)",
                       [](std::uint32_t t) { return t % 2 == 0 ? 2 * t : t * t; }, before);
}

}  // namespace
}  // namespace lab::machine::testing
