// Floating point: PTX ISA 9.7.3's rules on rounding, subnormals, saturation, NaN and signed zeros.
#include <cfenv>
#include <cmath>
#include <limits>

#include "tests/emulator/instruction_cases.h"

namespace lab::machine::testing {
namespace {

constexpr float nan32 = std::numeric_limits<float>::quiet_NaN();
constexpr double nan64 = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t smallest = 1;  // the smallest subnormal float
constexpr std::uint64_t smallest_normal = 0x00800000;
constexpr std::uint64_t minus_zero = 0x80000000;

TEST(InstructionFloat, ArithmeticRoundsToTheNearestEven) {
    expect_results("add.f32", {{{bits(1.5F), bits(2.25F)}, bits(3.75F)}, {{bits(1.0F), bits(0x1p-24F)}, bits(1.0F)}});
    expect_results("add.rn.f32", {{{bits(0x1.000002p0F), bits(0x1p-24F)}, bits(0x1.000004p0F)}});
    expect_results("sub.f64", {{{bits(1.0), bits(0.75)}, bits(0.25)}});
    expect_results("mul.rn.f64", {{{bits(3.0), bits(-0.5)}, bits(-1.5)}});
    expect_results("div.rn.f32", {{{bits(1.0F), bits(3.0F)}, 0x3eaaaaab}, {{bits(1.0F), bits(0.0F)}, bits(infinity)}});
    expect_results("sqrt.rn.f32", {{{bits(2.0F)}, 0x3fb504f3}, {{minus_zero}, minus_zero}});
    expect_results("sqrt.rn.f64", {{{bits(2.0)}, 0x3ff6a09e667f3bcd}});
    expect_results("rcp.rn.f64", {{{bits(3.0)}, 0x3fd5555555555555}});
}

TEST(InstructionFloat, FmaRoundsOnce) {
    // (1 + 2^-23)^2 - (1 + 2^-22) = 2^-46, which a rounded product would lose.
    const float x = 0x1.000002p0F;
    expect_results("fma.rn.f32",
                   {{{bits(x), bits(x), bits(-0x1.000004p0F)}, bits(0x1p-46F)}, {{bits(2.0F), bits(3.0F), bits(4.0F)}, bits(10.0F)}});
    const double y = 0x1.0000000000001p0;
    expect_results("fma.rn.f64", {{{bits(y), bits(y), bits(-0x1.0000000000002p0)}, bits(0x1p-104)}});
    expect_results("mul.f32", {{{bits(x), bits(x)}, bits(0x1.000004p0F)}});  // separate instructions aren't fused
}

TEST(InstructionFloat, DirectedRoundingGoesItsWay) {
    const std::uint64_t one = bits(1.0F), minus_one = bits(-1.0F), three = bits(3.0F);
    expect_results("div.rz.f32", {{{one, three}, 0x3eaaaaaa}, {{minus_one, three}, 0xbeaaaaaa}});
    expect_results("div.rm.f32", {{{one, three}, 0x3eaaaaaa}, {{minus_one, three}, 0xbeaaaaab}});
    expect_results("div.rp.f32", {{{one, three}, 0x3eaaaaab}, {{minus_one, three}, 0xbeaaaaaa}});
    const std::uint64_t tiny = bits(0x1p-60F);
    expect_results("add.rp.f32", {{{one, tiny}, 0x3f800001}});
    expect_results("add.rm.f32", {{{one, tiny}, one}, {{minus_one, bits(-0x1p-60F)}, 0xbf800001}});
    expect_results("add.rz.f32", {{{minus_one, bits(-0x1p-60F)}, minus_one}});
    expect_results("sub.rm.f32", {{{one, one}, minus_zero}});  // an exact zero is -0 when rounding down
    expect_results("mul.rp.f64", {{{bits(0x1.0000000000001p0), bits(0x1.0000000000001p0)}, bits(0x1.0000000000003p0)}});
    expect_results("fma.rz.f64", {{{bits(1.0), bits(1.0), bits(0x1p-80)}, bits(1.0)}});
    expect_results("fma.rp.f32", {{{one, one, tiny}, 0x3f800001}});
    expect_results("sqrt.rz.f32", {{{bits(2.0F)}, 0x3fb504f3}, {{three}, 0x3fddb3d7}});
    expect_results("sqrt.rp.f64", {{{bits(2.0)}, 0x3ff6a09e667f3bcd}});
    expect_results("sqrt.rm.f64", {{{bits(2.0)}, 0x3ff6a09e667f3bcc}});
    expect_results("rcp.rp.f32", {{{three}, 0x3eaaaaab}});
    expect_results("cvt.rz.f32.f64", {{{bits(1.0 / 3)}, 0x3eaaaaaa}});
    expect_results("cvt.rp.f32.f64", {{{bits(1.0 + 0x1p-40)}, 0x3f800001}});
    expect_results("cvt.rm.f32.s64", {{{0x1000001}, bits(16777216.0F)}, {{0xfffffffffeffffff}, bits(-16777218.0F)}});
    expect_results("cvt.rp.f32.u32", {{{0x1000001}, bits(16777218.0F)}, {{0xffffffff}, bits(4294967296.0F)}});
    expect_results("cvt.rz.f32.u64", {{{~std::uint64_t{0}}, 0x5f7fffff}});
    expect_results("cvt.rz.f64.u64", {{{~std::uint64_t{0}}, 0x43efffffffffffff}});
    EXPECT_EQ(std::fegetround(), FE_TONEAREST) << "an instruction left its rounding mode behind";
}

// Handlers may call the next op's handler: the mode must be back before that.
TEST(InstructionFloat, DirectedRoundingEndsWithItsInstruction) {
    OneWarp one;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        one.set(1, OperandType::bits32, lane, bits(1.0F));
        one.set(2, OperandType::bits32, lane, bits(0x1p-60F));
    }
    const Handler stop = [](const Op*, Warp&) -> const Op* { return nullptr; };
    Op ops[3];
    for (unsigned i = 0; i < 2; ++i) {
        const Definition* definition = Table::instance().find(ptx::encoding_of(i == 0 ? "add.rp.f32" : "add.rn.f32"));
        ASSERT_NE(definition, nullptr);
        ops[i].run[0] = definition->run[0];
        ops[i].dst = OneWarp::slot(5 + i);
        ops[i].a = OneWarp::slot(1);
        ops[i].b = OneWarp::slot(2);
    }
    ops[2].run[0] = stop;
    for (const Op* op = ops; op != nullptr && op != &ops[2];) op = op->run[0](op, one.warp());
    EXPECT_EQ(one.get(5, OperandType::bits32, 0), 0x3f800001U);
    EXPECT_EQ(one.get(6, OperandType::bits32, 0), 0x3f800000U) << "the next instruction still rounded up";
}

TEST(InstructionFloat, FtzFlushesInputsAndResultsKeepingTheSign) {
    expect_results("add.f32", {{{smallest, smallest}, 2}});
    expect_results("add.ftz.f32",
                   {{{smallest, smallest}, 0}, {{smallest | minus_zero, minus_zero}, minus_zero}, {{smallest_normal, 0}, smallest_normal}});
    expect_results("mul.ftz.f32", {{{smallest_normal, bits(0.5F)}, 0}});
    expect_results("mul.f32", {{{smallest_normal, bits(0.5F)}, 0x00400000}});
    expect_results("fma.rn.ftz.f32", {{{smallest, bits(1e30F), bits(1.0F)}, bits(1.0F)}});
    expect_results("neg.ftz.f32", {{{smallest}, minus_zero}});
    expect_results("setp.gt.ftz.f32", {{{smallest, 0}, 0}, {{smallest_normal, 0}, 1}});
    expect_results("setp.gt.f32", {{{smallest, 0}, 1}});
}

TEST(InstructionFloat, SatClampsToTheUnitIntervalAndNanToZero) {
    expect_results("add.sat.f32", {{{bits(0.75F), bits(0.75F)}, bits(1.0F)},
                                   {{bits(-2.0F), bits(1.0F)}, 0},
                                   {{bits(nan32), 0}, 0},
                                   {{bits(0.25F), bits(0.25F)}, bits(0.5F)}});
    expect_results("fma.rn.ftz.sat.f32", {{{bits(2.0F), bits(2.0F), 0}, bits(1.0F)}});
    expect_results("cvt.sat.f32.f32", {{{bits(7.0F)}, bits(1.0F)}, {{bits(-7.0F)}, 0}, {{bits(nan32)}, 0}});
}

TEST(InstructionFloat, MinAndMaxPreferNumbersAndOrderZeros) {
    expect_results("min.f32", {{{bits(1.0F), bits(2.0F)}, bits(1.0F)},
                               {{bits(nan32), bits(2.0F)}, bits(2.0F)},
                               {{bits(2.0F), bits(nan32)}, bits(2.0F)},
                               {{0, minus_zero}, minus_zero},
                               {{minus_zero, 0}, minus_zero},
                               {{bits(-infinity), bits(nan32)}, bits(-infinity)}});
    expect_results(
        "max.f32",
        {{{bits(1.0F), bits(2.0F)}, bits(2.0F)}, {{bits(nan32), bits(2.0F)}, bits(2.0F)}, {{0, minus_zero}, 0}, {{minus_zero, 0}, 0}});
    expect_results("min.f64", {{{bits(nan64), bits(-3.0)}, bits(-3.0)}});
    expect_results("max.f64", {{{bits(-0.0), bits(0.0)}, bits(0.0)}});
    for (const char* opcode : {"min.NaN.f32", "max.NaN.f32"}) {
        const Definition* definition = Table::instance().find(ptx::encoding_of(opcode));
        ASSERT_NE(definition, nullptr);
        OneWarp one;
        one.set(1, OperandType::bits32, 0, bits(1.0F));
        one.set(2, OperandType::bits32, 0, bits(nan32));
        Op op;
        op.a = OneWarp::slot(1);
        op.b = OneWarp::slot(2);
        EXPECT_TRUE(run_one(*definition, op, one.warp(), true));
        EXPECT_TRUE(std::isnan(lanes_of<float>(one.warp(), 0)[0])) << opcode;
    }
}

TEST(InstructionFloat, SignsAreBits) {
    expect_results("neg.f32", {{{bits(1.0F)}, bits(-1.0F)}, {{0}, minus_zero}});
    expect_results("abs.f32", {{{bits(-infinity)}, bits(infinity)}, {{minus_zero}, 0}});
    expect_results("abs.f64", {{{bits(-1.5)}, bits(1.5)}});
    expect_results("copysign.f32", {{{bits(-1.0F), bits(3.0F)}, bits(-3.0F)}});  // the sign of the first on the second
    expect_results("copysign.f64", {{{bits(2.0), bits(-3.0)}, bits(3.0)}});
}

TEST(InstructionFloat, TestpSortsNumbers) {
    const std::uint64_t one = bits(1.0F), inf = bits(infinity), nan = bits(nan32);
    expect_results("testp.finite.f32", {{{one}, 1}, {{inf}, 0}, {{nan}, 0}, {{smallest}, 1}});
    expect_results("testp.infinite.f32", {{{one}, 0}, {{inf}, 1}, {{nan}, 0}});
    expect_results("testp.number.f32", {{{one}, 1}, {{inf}, 1}, {{nan}, 0}});
    expect_results("testp.notanumber.f32", {{{one}, 0}, {{nan}, 1}});
    expect_results("testp.normal.f32", {{{one}, 1}, {{smallest}, 0}, {{0}, 0}, {{inf}, 0}});
    expect_results("testp.subnormal.f64", {{{1}, 1}, {{bits(1.0)}, 0}, {{0}, 0}});
}

TEST(InstructionFloat, ApproximationsKeepTheIsasSpecialValues) {
    expect_results("ex2.approx.ftz.f32",
                   {{{bits(-infinity)}, 0}, {{0}, bits(1.0F)}, {{bits(infinity)}, bits(infinity)}, {{bits(3.0F)}, bits(8.0F)}});
    expect_results("lg2.approx.f32", {{{0}, bits(-infinity)}, {{bits(8.0F)}, bits(3.0F)}});
    expect_results("rsqrt.approx.f32",
                   {{{bits(4.0F)}, bits(0.5F)}, {{0}, bits(infinity)}, {{minus_zero}, bits(-infinity)}, {{bits(infinity)}, 0}});
    expect_results("rcp.approx.ftz.f32", {{{bits(4.0F)}, bits(0.25F)}, {{minus_zero}, bits(-infinity)}, {{smallest}, bits(infinity)}});
    expect_results("sin.approx.f32", {{{0}, 0}, {{minus_zero}, minus_zero}});
    expect_results("cos.approx.f32", {{{0}, bits(1.0F)}});
    expect_results("tanh.approx.f32", {{{bits(infinity)}, bits(1.0F)}, {{bits(-infinity)}, bits(-1.0F)}});
    expect_results("div.full.f32", {{{bits(6.0F), bits(3.0F)}, bits(2.0F)}});
    expect_results("rcp.approx.ftz.f64", {{{bits(4.0)}, bits(0.25)}, {{bits(3.0)}, 0x3fd5555500000000}});
}

TEST(InstructionHalf, ComputesAndRoundsToElevenBits) {
    const std::uint64_t one = 0x3c00, three = 0x4200, low16 = 0xffff;
    expect_results("add.f16", {{{one, three}, 0x4400}, {{0x7bff, 0x7bff}, 0x7c00}}, low16);
    expect_results("fma.rn.f16x2", {{{0x3c004200, 0x42004200, 0x3c003c00}, 0x44004900}});  // {1*3+1, 3*3+1}
    expect_results("cvt.rn.f16.f32",
                   {{{bits(1.0F)}, one},
                    {{bits(65504.0F)}, 0x7bff},
                    {{bits(65520.0F)}, 0x7c00},
                    {{bits(-0x1p-24F)}, 0x8001},
                    {{bits(0x1p-25F)}, 0},
                    {{bits(0x1.8p-25F)}, 1},
                    {{bits(0x1.ffep-1F)}, one},
                    {{bits(nan32)}, 0x7fff},
                    {{bits(1.0F + 0x1p-11F)}, one},
                    {{bits(1.0F + 0x1.8p-10F)}, 0x3c02}},
                   low16);
    expect_results("cvt.f32.f16",
                   {{{one}, bits(1.0F)}, {{0x0001}, bits(0x1p-24F)}, {{0xfc00}, bits(-infinity)}, {{0x7bff}, bits(65504.0F)}});
    expect_results("cvt.rzi.s32.f16", {{{0xc580}, 0xfffffffb}});  // -5.5
    expect_results("setp.lt.f16", {{{one, three}, 1}, {{three, one}, 0}});
}

}  // namespace
}  // namespace lab::machine::testing
