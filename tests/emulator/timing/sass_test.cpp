// SASS instructions of PTX, and the lanes that they take: counted for each warp, whatever lanes of it are active.
#include "common/emulator/timing/sass.h"

#include "tests/emulator/machine_fixture.h"

namespace lab::timing {

using namespace machine::testing;
using machine::Counters;
namespace {

// In 3 blocks of 2 warps, once each.
Counters counted(const std::string& body) {
    Situation situation;
    situation.grid = {3, 1, 1};
    situation.block = {64, 1, 1};
    const Ran ran = run_body(body, situation);
    EXPECT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    return ran.counters();
}
constexpr std::uint64_t warps = 6;

TEST(MachineCode, EachKindOfLanesIsCountedApart) {
    const Counters counters = counted(
        "mov.f32 %f1, 0f40000000; mov.f64 %fd1, 0d4000000000000000;"
        "add.f32 %f2, %f1, %f1; mul.rn.f32 %f2, %f2, %f1; fma.rn.f32 %f2, %f2, %f1, %f1;"
        "sqrt.approx.ftz.f32 %f2, %f2; ex2.approx.ftz.f32 %f2, %f2;"
        "add.f64 %fd2, %fd1, %fd1; setp.lt.f64 %p1, %fd2, %fd1;"
        "add.u32 %r1, %g, 1; shl.b32 %r1, %r1, 2; cvt.rn.f32.u32 %f2, %r1; setp.lt.f32 %p2, %f2, %f1; mov.u32 %v, 0;");
    EXPECT_EQ(counters.fp32_instructions, 3 * warps);
    EXPECT_EQ(counters.special_instructions, 3 * warps) << "a conversion between integers and floating point as well";
    EXPECT_EQ(counters.fp64_instructions, 2 * warps);
}

TEST(MachineCode, DivisionsAndExactRootsAreMadeOfSeveral) {
    const std::string start = "mov.f32 %f1, 0f40000000; mov.f64 %fd1, 0d4000000000000000; mov.u32 %v, 0;";
    const auto of = [&](const std::string& instruction) { return counted(start + instruction); };
    const Counters approximate = of("div.approx.f32 %f2, %f1, %f1;");
    EXPECT_EQ(approximate.special_instructions, warps);
    const Counters exact = of("div.rn.f32 %f2, %f1, %f1;");
    EXPECT_GT(exact.fp32_instructions, approximate.fp32_instructions);
    EXPECT_GT(exact.fp32_instructions, of("div.full.f32 %f2, %f1, %f1;").fp32_instructions);
    EXPECT_GT(of("sqrt.rn.f32 %f2, %f1;").fp32_instructions, 0U);
    EXPECT_GT(of("div.rn.f64 %fd2, %fd1, %fd1;").fp64_instructions, 4 * warps);
    EXPECT_EQ(of("div.rn.f64 %fd2, %fd1, %fd1;").fp32_instructions, 0U);
}

// SASS instructions beyond those of an addition.
std::uint64_t more_than_one(const std::string& instruction) {
    const std::string start = "mov.f32 %f1, 0f40000000; mov.u32 %v, 0; add.u32 %r1, %g, 1;";
    return (counted(start + instruction).sass_instructions - counted(start + "add.u32 %r3, %r1, %r1;").sass_instructions) / warps;
}

// An address from an index: one instruction, IMAD.WIDE.
TEST(MachineCode, AProductAndWhatItIsAddedToAreOne) {
    EXPECT_EQ(more_than_one("mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;"), 0U);
    EXPECT_EQ(more_than_one("mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd1;"), 1U) << "not what comes from elsewhere";
    EXPECT_EQ(more_than_one("mul.wide.u32 %rd2, %r1, 4; mov.u64 %rd2, %rd1; add.s64 %rd3, %rd1, %rd2;"), 2U) << "nor what was set since";
}

// As ncu counts them on an H200 (tests/gpu/instruction_counts.cu).
TEST(MachineCode, WhatIsOneInstructionOfPtxMayBeMany) {
    EXPECT_EQ(more_than_one("sub.u32 %r3, %r1, 5;"), 0U);
    EXPECT_EQ(more_than_one("div.rn.f32 %f2, %f1, %f1;"), 9U);
    EXPECT_EQ(more_than_one("ex2.approx.f32 %f2, %f1;"), 3U);
    EXPECT_EQ(more_than_one("ex2.approx.ftz.f32 %f2, %f1;"), 0U);
    EXPECT_EQ(more_than_one("rem.s32 %r3, %r1, %r1;"), 20U);
    EXPECT_EQ(more_than_one("mul.lo.s64 %rd2, %rd1, %rd1;"), 3U);
}

TEST(MachineCode, ADivisorThatStaysIsLookedAtOnce) {
    const auto loop = [](const std::string& divisor) {
        return counted(
                   "mov.u32 %v, 0; mov.u32 %r1, 0; add.u32 %r4, %g, 3; mov.u32 %r5, 7;"
                   "$again: add.u32 %r5, %r5, 1; rem.u32 %r3, %r1, " +
                   divisor + "; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r3, 0; @%p1 bra $again;")
            .sass_instructions;
    };
    EXPECT_EQ((loop("%r5") - loop("%r4")) / warps, 8U);
}

TEST(MachineCode, AddressesOfOneSpaceAndConstantsAtHandCostNothing) {
    EXPECT_EQ(counted("mov.u32 %v, 0; cvta.to.global.u64 %rd1, %rd1;").sass_instructions, counted("mov.u32 %v, 0;").sass_instructions);
}

TEST(MachineCode, LoopsCountEachIterationAndBranchesOnlyWhoGoesThere) {
    const Counters counters = counted(
        "mov.f32 %f1, 0f40000000; mov.u32 %r1, 0; mov.u32 %v, 0;"
        "$again: mul.f32 %f1, %f1, %f1; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 1000; @%p1 bra $again;"
        "setp.ge.u32 %p2, %g, 64; @%p2 bra $end; add.f64 %fd1, %fd1, %fd1; $end:");
    EXPECT_EQ(counters.fp32_instructions, 1000 * warps);
    EXPECT_EQ(counters.fp64_instructions, 2U) << "the first block's two warps";
}

}  // namespace
}  // namespace lab::timing
