// Logic, shifts and bit fields: known answers, and PTX ISA 9.7.1's and 9.7.8's pseudo-code, bit by bit, on random operands.
#include <random>

#include "tests/emulator/instruction_cases.h"

namespace lab::machine::testing {
namespace {

TEST(InstructionLogic, OperatesOnAllBits) {
    expect_results("and.b32", {{{0xff00ff00, 0x0ff00ff0}, 0x0f000f00}});
    expect_results("or.b64", {{{0xff00000000000000, 1}, 0xff00000000000001}});
    expect_results("xor.b16", {{{0xffff, 0x0f0f}, 0xf0f0}}, low16);
    expect_results("not.b16", {{{0x0f0f}, 0xf0f0}}, low16);
    expect_results("not.b64", {{{0}, ones64}});
    expect_results("cnot.b32", {{{0}, 1}, {{7}, 0}});
}

TEST(InstructionLogic, PredicatesAreCombinedLaneByLane) {
    expect_results("and.pred", {{{0, 0}, 0}, {{0, 1}, 0}, {{1, 0}, 0}, {{1, 1}, 1}});
    expect_results("or.pred", {{{0, 0}, 0}, {{0, 1}, 1}, {{1, 0}, 1}, {{1, 1}, 1}});
    expect_results("xor.pred", {{{0, 0}, 0}, {{0, 1}, 1}, {{1, 0}, 1}, {{1, 1}, 0}});
    expect_results("not.pred", {{{0}, 1}, {{1}, 0}});
    expect_results("mov.pred", {{{0}, 0}, {{1}, 1}});
}

TEST(InstructionLogic, Lop3ComputesEveryFunctionOfItsTable) {
    // 9.7.8 lop3: the table is the function applied to a = 0xF0, b = 0xCC, c = 0xAA; one table a run, as it is an immediate.
    const std::uint64_t a = 0xf0f0f0f0, b = 0xcccccccc, c = 0xaaaaaaaa;
    for (std::uint64_t table = 0; table < 256; ++table) expect_results("lop3.b32", {{{a, b, c, table}, table * 0x01010101}});
}

TEST(InstructionShift, AmountsClampToTheWidth) {
    expect_results("shl.b32", {{{1, 31}, 0x80000000}, {{1, 32}, 0}, {{1, 0xffffffff}, 0}, {{3, 4}, 48}});
    expect_results("shl.b16", {{{1, 15}, 0x8000}, {{1, 16}, 0}, {{1, 33}, 0}}, low16);
    expect_results("shl.b64", {{{1, 63}, 0x8000000000000000}, {{1, 64}, 0}});
    expect_results("shr.u32", {{{0x80000000, 31}, 1}, {{0x80000000, 32}, 0}});
    expect_results("shr.s32", {{{0x80000000, 31}, 0xffffffff}, {{0x80000000, 40}, 0xffffffff}, {{0x40000000, 40}, 0}});
    expect_results("shr.s16", {{{0x8000, 20}, 0xffff}, {{0x8000, 3}, 0xf000}}, low16);
    expect_results("shr.u16", {{{0x8000, 3}, 0x1000}}, low16);
    expect_results("shr.s64", {{{0x8000000000000000, 100}, ones64}});
    expect_results("shr.b64", {{{0x8000000000000000, 63}, 1}, {{0x8000000000000000, 64}, 0}});
}

TEST(InstructionShift, FunnelsJoinTwoRegisters) {
    const std::uint64_t low = 0x89abcdef, high = 0x01234567;
    expect_results("shf.l.wrap.b32", {{{low, high, 4}, 0x12345678}, {{low, high, 32}, high}, {{low, high, 0}, high}});
    expect_results("shf.l.clamp.b32", {{{low, high, 4}, 0x12345678}, {{low, high, 32}, low}, {{low, high, 77}, low}});
    expect_results("shf.r.wrap.b32", {{{low, high, 4}, 0x789abcde}, {{low, high, 32}, low}});
    expect_results("shf.r.clamp.b32", {{{low, high, 4}, 0x789abcde}, {{low, high, 32}, high}, {{low, high, 77}, high}});
}

TEST(InstructionPermute, PicksBytesBySelectorOrMode) {
    const std::uint64_t a = 0x83828180, b = 0x07060504;
    expect_results("prmt.b32", {{{a, b, 0x3210}, a}, {{a, b, 0x7654}, b}, {{a, b, 0x0123}, 0x80818283}, {{a, b, 0xfc98}, 0x0000ffff}});
    expect_results("prmt.b32.f4e", {{{a, b, 1}, 0x04838281}});
    expect_results("prmt.b32.b4e", {{{a, b, 0}, 0x05060780}, {{a, b, 1}, 0x06078081}});
    expect_results("prmt.b32.rc8", {{{a, b, 2}, 0x82828282}});
    expect_results("prmt.b32.ecl", {{{a, b, 2}, 0x83828282}, {{a, b, 0}, 0x83828180}});
    expect_results("prmt.b32.ecr", {{{a, b, 2}, 0x82828180}, {{a, b, 0}, 0x80808080}});
    expect_results("prmt.b32.rc16", {{{a, b, 0}, 0x81808180}, {{a, b, 1}, 0x83828382}});
}

TEST(InstructionBits, CountsAndFinds) {
    expect_results("popc.b32", {{{0}, 0}, {{0xffffffff}, 32}, {{0x10100}, 2}});
    expect_results("popc.b64", {{{ones64}, 64}, {{0x100000000}, 1}});
    expect_results("clz.b32", {{{0}, 32}, {{1}, 31}, {{0x80000000}, 0}});
    expect_results("clz.b64", {{{0}, 64}, {{1}, 63}});
    expect_results("brev.b32", {{{1}, 0x80000000}, {{0x12345678}, 0x1e6a2c48}});
    expect_results("brev.b64", {{{1}, 0x8000000000000000}, {{0x80000000}, 0x100000000}});
    expect_results("bfind.u32", {{{0}, 0xffffffff}, {{1}, 0}, {{0x80000000}, 31}});
    expect_results("bfind.s32", {{{0xffffffff}, 0xffffffff}, {{0xfffffffe}, 0}, {{0x40000000}, 30}});
    expect_results("bfind.shiftamt.u32", {{{1}, 31}, {{0x80000000}, 0}, {{0}, 0xffffffff}});
    expect_results("bfind.u64", {{{0x100000000}, 32}});
    expect_results("fns.b32", {{{0b10110, 0, 1}, 1},
                               {{0b10110, 0, 3}, 4},
                               {{0b10110, 0, 4}, 0xffffffff},
                               {{0b10110, 3, 0xffffffff}, 2},
                               {{0b10110, 2, 0}, 2},
                               {{0b10110, 3, 0}, 0xffffffff},
                               {{0b10110, 2, 1}, 2}});
    expect_results("bmsk.clamp.b32", {{{4, 8}, 0xff0}, {{32, 8}, 0}, {{0, 64}, 0xffffffff}});
    expect_results("bmsk.wrap.b32", {{{36, 8}, 0xff0}, {{4, 32}, 0}});
    expect_results("szext.wrap.s32", {{{0x9a, 8}, 0xffffff9a}, {{0x9a, 40}, 0xffffff9a}});
    expect_results("szext.clamp.s32", {{{0x8000009a, 40}, 0x8000009a}});
    expect_results("szext.clamp.u32", {{{0xffffffff, 8}, 0xff}, {{0xffffffff, 0}, 0}});
}

bool bit(std::uint64_t value, unsigned i) { return ((value >> i) & 1U) != 0; }

// 9.7.1 bfe.
std::uint64_t reference_extract(std::uint64_t a, unsigned start, unsigned size, unsigned width, bool is_signed) {
    const unsigned position = start & 0xffU, length = size & 0xffU, top = width - 1;
    const bool sign = is_signed && length != 0 && bit(a, std::min(position + length - 1, top));
    std::uint64_t d = 0;
    for (unsigned i = 0; i <= top; ++i) {
        const bool value = i < length && position + i <= top ? bit(a, position + i) : sign;
        d |= std::uint64_t{value} << i;
    }
    return d;
}
// 9.7.1 bfi.
std::uint64_t reference_insert(std::uint64_t a, std::uint64_t b, unsigned start, unsigned size, unsigned width) {
    const unsigned position = start & 0xffU, length = size & 0xffU, top = width - 1;
    std::uint64_t f = b;
    for (unsigned i = 0; i < length && position + i <= top; ++i) {
        f = (f & ~(std::uint64_t{1} << (position + i))) | std::uint64_t{bit(a, i)} << (position + i);
    }
    return f;
}

TEST(InstructionBits, FieldsFollowTheIsasPseudoCode) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    for (const unsigned width : {32U, 64U}) {
        const std::uint64_t mask = width == 32 ? 0xffffffffU : ones64;
        std::vector<Case> of_unsigned, of_signed, inserted;
        for (int i = 0; i < 3000; ++i) {
            const std::uint64_t a = random() & mask, b = random() & mask;
            const auto start = static_cast<unsigned>(random() % (i % 4 == 0 ? 1024 : width + 2));
            const auto size = static_cast<unsigned>(random() % (i % 4 == 1 ? 1024 : width + 2));
            of_unsigned.push_back({{a, start, size}, reference_extract(a, start, size, width, false)});
            of_signed.push_back({{a, start, size}, reference_extract(a, start, size, width, true)});
            inserted.push_back({{a, b, start, size}, reference_insert(a, b, start, size, width)});
        }
        const std::string suffix = std::to_string(width);
        expect_results("bfe.u" + suffix, of_unsigned);
        expect_results("bfe.s" + suffix, of_signed);
        expect_results("bfi.b" + suffix, inserted);
    }
}

TEST(InstructionMove, KeepsBits) {
    expect_results("mov.f32", {{{0x7fa00001}, 0x7fa00001}});  // a signalling NaN keeps its bits
    expect_results("mov.b64", {{{0x0123456789abcdef}, 0x0123456789abcdef}});
}

}  // namespace
}  // namespace lab::machine::testing
