// Integer arithmetic: known answers from the text of PTX ISA 9.7.1 and 9.7.2, and wide arithmetic of the host as reference.
#include <random>

#include "tests/emulator/instruction_cases.h"

namespace lab::machine::testing {
namespace {

constexpr std::uint64_t min32 = 0x80000000U;
constexpr std::uint64_t min64 = 0x8000000000000000U;

TEST(InstructionInteger, AdditionWraps) {
    expect_results("add.s32", {{{1, 2}, 3}, {{0x7fffffff, 1}, min32}, {{0xffffffff, 0xffffffff}, 0xfffffffe}});
    expect_results("add.u16", {{{0xffff, 1}, 0}, {{0x1234, 0x1111}, 0x2345}}, low16);
    expect_results("add.s64", {{{ones64, 1}, 0}, {{0xffffffff, 1}, 0x100000000}});
    expect_results("sub.u32", {{{0, 1}, 0xffffffff}, {{5, 3}, 2}});
}

TEST(InstructionInteger, SaturatingFormsClampToTheType) {
    expect_results("add.sat.s32", {{{0x7fffffff, 1}, 0x7fffffff}, {{min32, 0xffffffff}, min32}, {{1, 2}, 3}});
    expect_results("sub.sat.s32", {{{min32, 1}, min32}, {{0, min32}, 0x7fffffff}, {{1, 2}, 0xffffffff}});
    expect_results("mad.hi.sat.s32", {{{0x7fffffff, 0x7fffffff, 0x7fffffff}, 0x7fffffff}});
}

TEST(InstructionInteger, ProductsGiveTheirLowHighOrWholeResult) {
    expect_results("mul.lo.s32", {{{0xffffffff, 5}, 0xfffffffb}, {{0x10000, 0x10000}, 0}});
    expect_results("mul.hi.u32", {{{0xffffffff, 0xffffffff}, 0xfffffffe}});
    expect_results("mul.hi.s32", {{{0xffffffff, 0xffffffff}, 0}, {{min32, 2}, 0xffffffff}});
    expect_results("mul.wide.s32", {{{0xffffffff, 2}, 0xfffffffffffffffe}});
    expect_results("mul.wide.u32", {{{0xffffffff, 2}, 0x1fffffffe}});
    expect_results("mul.wide.s16", {{{0xffff, 2}, 0xfffffffe}});
    expect_results("mul.wide.u16", {{{0xffff, 0xffff}, 0xfffe0001}});
    expect_results("mul.lo.u16", {{{0xffff, 0xffff}, 1}}, low16);
    expect_results("mul.hi.s64", {{{ones64, ones64}, 0}, {{min64, 2}, ones64}});
    expect_results("mul.hi.u64", {{{ones64, ones64}, 0xfffffffffffffffe}});
    expect_results("mad.lo.s32", {{{3, 4, 5}, 17}, {{0xffffffff, 3, 1}, 0xfffffffe}});
    expect_results("mad.wide.u32", {{{0xffffffff, 0xffffffff, 1}, 0xfffffffe00000002}});
    expect_results("mad.hi.u32", {{{min32, 4, 1}, 3}});
}

TEST(InstructionInteger, Mul24UsesTheLow24BitsOnly) {
    expect_results("mul24.lo.u32", {{{0xff000003, 5}, 15}});
    expect_results("mul24.lo.s32", {{{0x00ffffff, 3}, 0xfffffffd}});
    expect_results("mul24.hi.u32", {{{0x00ffffff, 0x00ffffff}, 0xfffffe00}});  // bits 47 to 16
    expect_results("mad24.lo.s32", {{{0x00ffffff, 3, 4}, 1}});
}

TEST(InstructionInteger, DivisionTruncatesAndNeverTraps) {
    expect_results("div.s32", {{{0xfffffff9, 2}, 0xfffffffd}, {{min32, 0xffffffff}, min32}, {{7, 0}, 0xffffffff}, {{0, 3}, 0}});
    expect_results("rem.s32", {{{0xfffffff9, 2}, 0xffffffff}, {{min32, 0xffffffff}, 0}, {{7, 0xfffffffe}, 1}});
    expect_results("div.u32", {{{0xffffffff, 1}, 0xffffffff}, {{0xffffffff, 2}, 0x7fffffff}, {{1, 0}, 0xffffffff}});
    expect_results("div.s64", {{{min64, ones64}, min64}, {{7, 0}, ones64}, {{0xfffffffffffffff9, 2}, 0xfffffffffffffffd}});
    expect_results("rem.s64", {{{min64, ones64}, 0}, {{0xfffffffffffffff9, 2}, ones64}});
    expect_results("div.u64", {{{ones64, 3}, 0x5555555555555555}});
    expect_results("div.s16", {{{0x8000, 0xffff}, 0x8000}, {{0xfff9, 2}, 0xfffd}}, low16);
    expect_results("rem.u16", {{{0xffff, 10}, 5}}, low16);
}

TEST(InstructionInteger, DivisionEqualsTheHostsForRandomOperands) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::vector<Case> unsigned_quotients, signed_quotients, signed_rests;
    for (int i = 0; i < 4000; ++i) {
        const auto a = static_cast<std::uint32_t>(random());
        auto b = static_cast<std::uint32_t>(random()) >> (random() % 32);
        if (i % 3 == 0 && b != 0) b = a / b;  // quotients next to an integer
        if (b == 0) b = 1;
        const auto sa = static_cast<std::int32_t>(a);
        const auto sb = static_cast<std::int32_t>(b);
        unsigned_quotients.push_back({{a, b}, a / b});
        if (sa == std::numeric_limits<std::int32_t>::min() && sb == -1) continue;
        signed_quotients.push_back({{a, b}, static_cast<std::uint32_t>(sa / sb)});
        signed_rests.push_back({{a, b}, static_cast<std::uint32_t>(sa % sb)});
    }
    expect_results("div.u32", unsigned_quotients);
    expect_results("div.s32", signed_quotients);
    expect_results("rem.s32", signed_rests);
}

TEST(InstructionInteger, OrderDependsOnTheSign) {
    expect_results("min.s32", {{{0xffffffff, 1}, 0xffffffff}});
    expect_results("min.u32", {{{0xffffffff, 1}, 1}});
    expect_results("max.s16", {{{0xffff, 1}, 1}}, low16);
    expect_results("max.u16", {{{0xffff, 1}, 0xffff}}, low16);
    expect_results("max.s64", {{{ones64, 1}, 1}});
    expect_results("max.u64", {{{ones64, 1}, ones64}});
    expect_results("abs.s32", {{{0xfffffffb}, 5}, {{min32}, min32}, {{5}, 5}});
    expect_results("neg.s64", {{{1}, ones64}, {{min64}, min64}});
    expect_results("sad.u32", {{{1, 4, 10}, 13}, {{4, 1, 10}, 13}});
    expect_results("sad.s32", {{{0xffffffff, 1, 0}, 2}});
}

TEST(InstructionInteger, PackedFormsWorkOnEachPart) {
    expect_results("dp4a.u32.u32", {{{0x01020304, 0x01010101, 100}, 110}, {{0xff, 0xff, 0}, 65025}});
    expect_results("dp4a.s32.s32", {{{0xff, 0xff, 0}, 1}, {{0xff, 2, 0}, 0xfffffffe}});
    expect_results("dp4a.u32.s32", {{{0xff, 0xff, 0}, 0xffffff01}});
    expect_results("dp2a.lo.u32.u32", {{{0x00020003, 0x05060708, 1}, 1 + 3 * 8 + 2 * 7}});
    expect_results("dp2a.hi.u32.u32", {{{0x00020003, 0x05060708, 1}, 1 + 3 * 6 + 2 * 5}});
    expect_results("add.u16x2", {{{0xffff0001, 0x00010002}, 0x00000003}});
    expect_results("max.s16x2", {{{0xffff0001, 0x00010002}, 0x00010002}});
    expect_results("vabsdiff4.u32.u32.u32", {{{0x01050002, 0x03020002, 0}, 0x02030000}});
    expect_results("vabsdiff4.u32.u32.u32.add", {{{0x01050002, 0x03020002, 10}, 15}});
}

// The carry is a register of the frame, which the sequence passes on.
std::uint64_t run_with_carry(OneWarp& one, const std::string& opcode, std::uint64_t a, std::uint64_t b, std::uint64_t c = 0,
                             Mask active = all_lanes) {
    const Definition* definition = Table::instance().find(ptx::encoding_of(opcode));
    EXPECT_NE(definition, nullptr) << opcode;
    if (definition == nullptr) return 0;
    EXPECT_TRUE(definition->uses_carry);
    const std::uint64_t sources[] = {a, b, c};
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        for (unsigned i = 0; i < definition->source_count; ++i) one.set(i + 1, definition->sources[i], lane, sources[i]);
    }
    Op op;
    op.dst = OneWarp::slot(0);
    op.a = OneWarp::slot(1);
    op.b = OneWarp::slot(2);
    op.c = OneWarp::slot(3);
    op.extra = OneWarp::slot(5);
    one.warp().set_mask(active);
    EXPECT_TRUE(run_one(*definition, op, one.warp(), active == all_lanes));
    return one.get(0, definition->result, 9);
}
Mask carry_of(OneWarp& one) { return predicate(one.warp(), OneWarp::slot(5)); }

TEST(InstructionCarry, AddsNumbersOf96Bits) {
    OneWarp one;
    EXPECT_EQ(run_with_carry(one, "add.cc.u32", 0xffffffff, 1), 0U);
    EXPECT_EQ(carry_of(one), all_lanes);
    EXPECT_EQ(run_with_carry(one, "addc.cc.u32", 0xffffffff, 0), 0U);
    EXPECT_EQ(carry_of(one), all_lanes);
    EXPECT_EQ(run_with_carry(one, "addc.u32", 3, 4), 8U);
    EXPECT_EQ(carry_of(one), all_lanes) << "addc without .cc leaves the flag";
    EXPECT_EQ(run_with_carry(one, "addc.cc.u32", 0xffffffff, 0xffffffff), 0xffffffffU);
    EXPECT_EQ(carry_of(one), all_lanes);
    EXPECT_EQ(run_with_carry(one, "add.cc.u32", 1, 1), 2U);
    EXPECT_EQ(carry_of(one), 0U);
}

TEST(InstructionCarry, SubtractsWithBorrow) {
    OneWarp one;
    EXPECT_EQ(run_with_carry(one, "sub.cc.u32", 0, 1), 0xffffffffU);
    EXPECT_EQ(run_with_carry(one, "subc.cc.u32", 0, 0), 0xffffffffU);
    EXPECT_EQ(run_with_carry(one, "subc.u32", 5, 1), 3U);
    EXPECT_EQ(run_with_carry(one, "sub.cc.s64", 5, 3), 2U);
    EXPECT_EQ(carry_of(one), 0U);
}

TEST(InstructionCarry, MultipliesNumbersOf64Bits) {
    // (2^64 - 1) * (2^32 - 1), in 32-bit parts.
    OneWarp one;
    const std::uint64_t high_of_low = run_with_carry(one, "mad.hi.cc.u32", 0xffffffff, 0xffffffff, 0);
    EXPECT_EQ(high_of_low, 0xfffffffeU);
    EXPECT_EQ(run_with_carry(one, "mad.lo.cc.u32", 0xffffffff, 0xffffffff, high_of_low), 0xffffffffU);
    EXPECT_EQ(carry_of(one), 0U);
    EXPECT_EQ(run_with_carry(one, "mad.lo.cc.u32", 0xffffffff, 0xffffffff, 0xffffffff), 0U);
    EXPECT_EQ(run_with_carry(one, "madc.hi.u32", 0xffffffff, 0xffffffff, 0), 0xffffffffU);
}

TEST(InstructionCarry, LeavesInactiveLanesAlone) {
    OneWarp one;
    run_with_carry(one, "add.cc.u32", 1, 1);
    run_with_carry(one, "add.cc.u32", 0xffffffff, 7, 0, 0x0000ffff);
    EXPECT_EQ(carry_of(one), 0x0000ffffU);
    EXPECT_EQ(one.get(0, OperandType::bits32, 3), 6U);
    EXPECT_EQ(one.get(0, OperandType::bits32, 20), 2U);
}

}  // namespace
}  // namespace lab::machine::testing
