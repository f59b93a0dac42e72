// Which lanes a kernel's calculations take: counted for each warp that comes by, whatever lanes of it are active.
#include "common/emulator/machine/arithmetic.h"

#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

// In 3 blocks of 2 warps, once each.
Counters counted(const std::string& body) {
    Situation situation;
    situation.grid = {3, 1, 1};
    situation.block = {64, 1, 1};
    const Ran ran = run_body(body, situation);
    EXPECT_FALSE(ran.result.fault) << ran.result.fault->text;
    return ran.counters();
}
constexpr std::uint64_t warps = 6;

TEST(Arithmetic, EachKindOfLanesIsCountedApart) {
    const Counters counters = counted(
        "mov.f32 %f1, 0f40000000; mov.f64 %fd1, 0d4000000000000000;"
        "add.f32 %f2, %f1, %f1; mul.rn.f32 %f2, %f2, %f1; fma.rn.f32 %f2, %f2, %f1, %f1;"
        "sqrt.approx.f32 %f2, %f2; sin.approx.f32 %f2, %f2;"
        "add.f64 %fd2, %fd1, %fd1; setp.lt.f64 %p1, %fd2, %fd1;"
        "add.u32 %r1, %g, 1; shl.b32 %r1, %r1, 2; cvt.rn.f32.u32 %f2, %r1; setp.lt.f32 %p2, %f2, %f1; mov.u32 %v, 0;");
    EXPECT_EQ(counters.fp32_instructions, 3 * warps);
    EXPECT_EQ(counters.special_instructions, 2 * warps);
    EXPECT_EQ(counters.fp64_instructions, 2 * warps);
}

TEST(Arithmetic, DivisionsAndExactRootsAreMadeOfSeveral) {
    const std::string start = "mov.f32 %f1, 0f40000000; mov.f64 %fd1, 0d4000000000000000; mov.u32 %v, 0;";
    const auto of = [&](const std::string& instruction) { return counted(start + instruction); };
    const Counters approximate = of("div.approx.f32 %f2, %f1, %f1;");
    EXPECT_EQ(approximate.special_instructions, warps);
    EXPECT_EQ(approximate.fp32_instructions, warps);
    const Counters exact = of("div.rn.f32 %f2, %f1, %f1;");
    EXPECT_EQ(exact.special_instructions, warps);
    EXPECT_GT(exact.fp32_instructions, of("div.full.f32 %f2, %f1, %f1;").fp32_instructions);
    EXPECT_GT(of("sqrt.rn.f32 %f2, %f1;").fp32_instructions, 0U);
    EXPECT_GT(of("div.rn.f64 %fd2, %fd1, %fd1;").fp64_instructions, 4 * warps);
    EXPECT_EQ(of("div.rn.f64 %fd2, %fd1, %fd1;").fp32_instructions, 0U);
}

TEST(Arithmetic, LoopsCountEachTurnAndBranchesOnlyWhoGoesThere) {
    const Counters counters = counted(
        "mov.f32 %f1, 0f40000000; mov.u32 %r1, 0; mov.u32 %v, 0;"
        "$again: mul.f32 %f1, %f1, %f1; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 1000; @%p1 bra $again;"
        "setp.ge.u32 %p2, %g, 64; @%p2 bra $end; add.f64 %fd1, %fd1, %fd1; $end:");
    EXPECT_EQ(counters.fp32_instructions, 1000 * warps);
    EXPECT_EQ(counters.fp64_instructions, 2U) << "the first block's two warps";
}

}  // namespace
}  // namespace lab::machine::testing
