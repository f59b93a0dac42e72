// Conversion: PTX ISA 9.7.9, cvt.
#include <limits>

#include "tests/emulator/instruction_cases.h"

namespace lab::machine::testing {
namespace {

TEST(InstructionConvert, IntegersExtendOrWrap) {
    expect_results("cvt.s32.s8", {{{0x80}, 0xffffff80}, {{0xabcd7f}, 0x7f}});
    expect_results("cvt.u32.u8", {{{0xabcdff}, 0xff}});
    expect_results("cvt.s64.s32", {{{0x80000000}, 0xffffffff80000000}});
    expect_results("cvt.u64.u32", {{{0x80000000}, 0x80000000}});
    expect_results("cvt.u64.s32", {{{0xffffffff}, ones64}});
    expect_results("cvt.u16.u64", {{{0x123456789}, 0x6789}});
    expect_results("cvt.u32.u64", {{{0x123456789}, 0x23456789}});
    expect_results("cvt.s8.s32", {{{0x180}, 0xffffff80}});  // the receiving register is wider: extended by the sign
    expect_results("cvt.u8.u32", {{{0x1ff}, 0xff}});
    expect_results("cvt.s16.s8", {{{0x80}, 0xff80}}, 0xffff);
}

TEST(InstructionConvert, SatClampsIntegers) {
    expect_results("cvt.sat.u8.s32", {{{0xffffffff}, 0}, {{300}, 255}, {{77}, 77}});
    expect_results("cvt.sat.s8.s32", {{{0xffffff00}, 0xffffff80}, {{300}, 127}});
    expect_results("cvt.sat.s32.u32", {{{0xffffffff}, 0x7fffffff}});
    expect_results("cvt.sat.u64.s64", {{{ones64}, 0}});
    expect_results("cvt.sat.s32.s64", {{{0x100000000}, 0x7fffffff}, {{0xffffffff00000000}, 0x80000000}});
}

TEST(InstructionConvert, FloatToIntegerRoundsItsFourWays) {
    const std::vector<float> values = {2.5F, -2.5F, 3.5F, 2.25F, -2.75F};
    const std::vector<std::pair<const char*, std::vector<int>>> expected = {
        {"rni", {2, -2, 4, 2, -3}}, {"rzi", {2, -2, 3, 2, -2}}, {"rmi", {2, -3, 3, 2, -3}}, {"rpi", {3, -2, 4, 3, -2}}};
    for (const auto& [rounding, results] : expected) {
        std::vector<Case> from32, from64, whole;
        for (std::size_t i = 0; i < values.size(); ++i) {
            from32.push_back({{bits(values[i])}, static_cast<std::uint32_t>(results[i])});
            from64.push_back({{bits(static_cast<double>(values[i]))}, static_cast<std::uint64_t>(std::int64_t{results[i]})});
            whole.push_back({{bits(values[i])}, bits(static_cast<float>(results[i]))});
        }
        const std::string name = std::string("cvt.") + rounding;
        expect_results(name + ".s32.f32", from32);
        expect_results(name + ".s64.f64", from64);
        expect_results(name + ".f32.f32", whole);
    }
}

TEST(InstructionConvert, FloatToIntegerClampsAndNanGivesZero) {
    const std::uint64_t nan = bits(std::numeric_limits<float>::quiet_NaN());
    expect_results("cvt.rzi.s32.f32", {{{nan}, 0},
                                       {{bits(3e9F)}, 0x7fffffff},
                                       {{bits(-3e9F)}, 0x80000000},
                                       {{bits(infinity)}, 0x7fffffff},
                                       {{bits(-infinity)}, 0x80000000},
                                       {{bits(2147483520.0F)}, 2147483520}});
    expect_results("cvt.rzi.u32.f32",
                   {{{bits(-1.0F)}, 0}, {{bits(5e9F)}, 0xffffffff}, {{bits(4294967040.0F)}, 4294967040}, {{bits(-0.5F)}, 0}});
    expect_results("cvt.rzi.s64.f64", {{{bits(1e19)}, 0x7fffffffffffffff}, {{bits(-1e19)}, 0x8000000000000000}});
    expect_results("cvt.rzi.u64.f32", {{{bits(2e19F)}, ones64}, {{bits(-2.0F)}, 0}, {{bits(1e19F)}, 9999999980506447872U}});
    expect_results("cvt.rzi.s16.f32", {{{bits(40000.0F)}, 0x7fff}, {{bits(-40000.0F)}, 0xffff8000}});
    expect_results("cvt.rzi.u8.f64", {{{bits(300.0)}, 255}, {{bits(-3.0)}, 0}});
    expect_results("cvt.rzi.s8.f32", {{{bits(-200.0F)}, 0xffffff80}});
    expect_results("cvt.rpi.ftz.s32.f32", {{{1}, 0}});  // a subnormal counts as zero
    expect_results("cvt.rpi.s32.f32", {{{1}, 1}});
}

TEST(InstructionConvert, IntegerToFloatRoundsToTheNearest) {
    expect_results("cvt.rn.f32.s32", {{{0xffffffff}, bits(-1.0F)}, {{0x1000001}, bits(16777216.0F)}, {{0x1000003}, bits(16777220.0F)}});
    expect_results("cvt.rn.f32.u32", {{{0xffffffff}, bits(4294967296.0F)}});
    expect_results("cvt.rn.f64.u32", {{{0xffffffff}, bits(4294967295.0)}});
    expect_results("cvt.rn.f32.u64", {{{ones64}, bits(18446744073709551616.0F)}, {{0x8000008000000001}, 0x5f000001}});
    expect_results("cvt.rn.f32.s64", {{{ones64}, bits(-1.0F)}});
    expect_results("cvt.rn.f64.s64", {{{0x20000000000001}, bits(9007199254740992.0)}});
    expect_results("cvt.rn.f32.s8", {{{0x80}, bits(-128.0F)}});
    expect_results("cvt.rn.f32.u16", {{{0xabcdffff}, bits(65535.0F)}});
}

TEST(InstructionConvert, ZeroStaysPositiveHoweverItIsRounded) {
    for (const std::string rounding : {"rz", "rm", "rp"}) {
        for (const std::string from : {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"}) {
            expect_results("cvt." + rounding + ".f32." + from, {{{0}, bits(0.0F)}, {{1}, bits(1.0F)}});
            expect_results("cvt." + rounding + ".f64." + from, {{{0}, bits(0.0)}, {{1}, bits(1.0)}});
        }
    }
}

TEST(InstructionConvert, FloatsChangeTheirWidth) {
    expect_results("cvt.f64.f32", {{{bits(1.5F)}, bits(1.5)}, {{1}, bits(0x1p-149)}});
    expect_results("cvt.ftz.f64.f32", {{{1}, bits(0.0)}});
    expect_results("cvt.rn.f32.f64", {{{bits(1.0 / 3)}, 0x3eaaaaab}, {{bits(1e300)}, bits(infinity)}, {{bits(0x1p-149)}, 1}});
    expect_results("cvt.rn.ftz.f32.f64", {{{bits(0x1p-149)}, 0}});
}

}  // namespace
}  // namespace lab::machine::testing
