// Comparison and selection: PTX ISA 9.7.6.
#include <limits>

#include "tests/emulator/instruction_cases.h"

namespace lab::machine::testing {
namespace {

// The three relations of a to b: below, the same, above.
void expect_relation(const std::string& name, const std::string& type, std::uint64_t low, std::uint64_t high, bool below, bool same,
                     bool above) {
    expect_results("setp." + name + type, {{{low, high}, below}, {{low, low}, same}, {{high, high}, same}, {{high, low}, above}});
}
void expect_all_relations(const std::string& type, std::uint64_t low, std::uint64_t high) {
    SCOPED_TRACE(type);
    expect_relation("eq", type, low, high, false, true, false);
    expect_relation("ne", type, low, high, true, false, true);
    expect_relation("lt", type, low, high, true, false, false);
    expect_relation("le", type, low, high, true, true, false);
    expect_relation("gt", type, low, high, false, false, true);
    expect_relation("ge", type, low, high, false, true, true);
}

TEST(InstructionSetp, OrdersEveryTypeByItsSignAndWidth) {
    expect_all_relations(".s16", 0xffff, 1);
    expect_all_relations(".u16", 1, 0xffff);
    expect_all_relations(".s32", 0xffffffff, 1);
    expect_all_relations(".u32", 1, 0xffffffff);
    expect_all_relations(".s64", ones64, 1);
    expect_all_relations(".u64", 1, ones64);
    expect_all_relations(".f32", bits(-1.0F), bits(0.5F));
    expect_all_relations(".f64", bits(-1.0), bits(0.5));
    expect_relation("lo", ".u32", 1, 0xffffffff, true, false, false);
    expect_relation("ls", ".u32", 1, 0xffffffff, true, true, false);
    expect_relation("hi", ".u64", 1, ones64, false, false, true);
    expect_relation("hs", ".u16", 1, 0xffff, false, true, true);
    expect_relation("eq", ".b16", 1, 0xffff, false, true, false);
    expect_relation("ne", ".b64", 1, ones64, true, false, true);
}

TEST(InstructionSetp, SixteenBitTypesIgnoreTheRegistersUpperHalf) {
    expect_results("setp.eq.s16", {{{0x00010005, 0xabcd0005}, 1}});
    expect_results("setp.lt.u16", {{{0xffff0001, 0x00000002}, 1}});
}

TEST(InstructionSetp, NanMakesOrderedFalseAndUnorderedTrue) {
    const std::uint64_t nan = bits(std::numeric_limits<float>::quiet_NaN()), one = bits(1.0F);
    for (const char* name : {"eq", "ne", "lt", "le", "gt", "ge", "num"}) {
        expect_results(std::string("setp.") + name + ".f32", {{{nan, one}, 0}, {{one, nan}, 0}, {{nan, nan}, 0}});
    }
    for (const char* name : {"equ", "neu", "ltu", "leu", "gtu", "geu", "nan"}) {
        expect_results(std::string("setp.") + name + ".f32", {{{nan, one}, 1}, {{one, nan}, 1}, {{nan, nan}, 1}});
    }
    const std::uint64_t two = bits(2.0F);
    expect_results("setp.ltu.f32", {{{one, two}, 1}, {{two, one}, 0}, {{one, one}, 0}});
    expect_results("setp.geu.f32", {{{one, two}, 0}, {{two, one}, 1}, {{one, one}, 1}});
    expect_results("setp.equ.f32", {{{one, two}, 0}, {{one, one}, 1}});
    expect_results("setp.neu.f64", {{{bits(1.0), bits(2.0)}, 1}, {{bits(1.0), bits(1.0)}, 0}});
    expect_results("setp.num.f64", {{{bits(1.0), bits(2.0)}, 1}});
    expect_results("setp.nan.f32", {{{one, two}, 0}});
    expect_results("setp.eq.f32", {{{0, 0x80000000}, 1}});
}

TEST(InstructionSet, WritesAllOnesOrOnePointZero) {
    expect_results("set.lt.u32.s32", {{{0xffffffff, 0}, 0xffffffff}, {{0, 0}, 0}});
    expect_results("set.gt.f32.f64", {{{bits(2.0), bits(1.0)}, bits(1.0F)}, {{bits(1.0), bits(2.0)}, 0}});
    expect_results("set.eq.s32.b64", {{{ones64, ones64}, 0xffffffff}});
    expect_results("set.gt.ftz.u32.f32", {{{1, 0}, 0}});
}

TEST(InstructionSelp, TakesTheFirstWhereThePredicateHolds) {
    expect_results("selp.b32", {{{1, 2, 1}, 1}, {{1, 2, 0}, 2}, {{7, 9, 1}, 7}});
    expect_results("selp.f64", {{{bits(1.0), bits(2.0), 0}, bits(2.0)}, {{bits(1.0), bits(2.0), 1}, bits(1.0)}});
    expect_results("selp.u16", {{{1, 0, 1}, 1}, {{1, 0, 0}, 0}}, 0xffff);
    expect_results("slct.u32.s32", {{{1, 2, 0}, 1}, {{1, 2, 0xffffffff}, 2}});
    const std::uint64_t nan = bits(std::numeric_limits<float>::quiet_NaN());
    expect_results("slct.f32.f32", {{{1, 2, 0x80000000}, 1}, {{1, 2, bits(-1.0F)}, 2}, {{1, 2, nan}, 2}, {{1, 2, 0x80000001}, 2}});
    expect_results("slct.ftz.f32.f32", {{{1, 2, 0x80000001}, 1}});
}

}  // namespace
}  // namespace lab::machine::testing
