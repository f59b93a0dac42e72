// Instructions and their operands.
#include <bit>

#include "tests/emulator/ptx_text.h"

namespace lab::ptx {
namespace {

using Kind = Operand::Kind;
using SymbolKind = Operand::SymbolKind;

Instruction first(const std::string& text) { return parse_kernel(text).functions.at(0).body.at(0); }

TEST(PtxOperands, OpcodeIsSplitAtDotsOnly) {
    const Instruction i = first("ld.global.L1::evict_last.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];");
    EXPECT_EQ(i.text, "ld.global.L1::evict_last.v4.f32");
    EXPECT_EQ(i.encoding, Opcode::ld + Modifier::global + Modifier::unknown + Modifier::v4 + Modifier::f32);
    ASSERT_EQ(i.operands.size(), 2u);
    EXPECT_EQ(i.operands[0].kind, Kind::vector);
    EXPECT_EQ(i.operands[0].elements.size(), 4u);
    EXPECT_EQ(i.ptx_line, 6u);
}

TEST(PtxOperands, AddressesHaveRegisterNameOrNeither) {
    const Module m =
        parse(head +
              ".global .b32 g; .entry k(.param .u64 p) { .reg .b64 a; .reg .b32 r; .local .align 4 .b8 d[8];\n"
              "ld.u32 r, [a]; ld.u32 r, [a+8]; ld.u32 r, [a+-8]; ld.u32 r, [a-8]; ld.global.u32 r, [g+4]; ld.param.u64 a, [p+4];\n"
              "ld.u32 r, [16]; ld.local.u32 r, [d]; }");
    const auto& body = m.functions.at(0).body;
    for (const auto& [at, offset] : {std::pair{0, 0}, {1, 8}, {2, -8}, {3, -8}}) {
        const Operand& memory = body[static_cast<std::size_t>(at)].operands.at(1);
        EXPECT_EQ(memory.kind, Kind::memory);
        EXPECT_TRUE(memory.has_register);
        EXPECT_EQ(memory.offset, offset);
    }
    EXPECT_EQ(body[4].operands[1].symbol_kind, SymbolKind::module_variable);
    EXPECT_EQ(body[4].operands[1].offset, 4);
    EXPECT_EQ(body[5].operands[1].symbol_kind, SymbolKind::parameter);
    EXPECT_FALSE(body[6].operands[1].has_register);
    EXPECT_EQ(body[6].operands[1].symbol_kind, SymbolKind::none);
    EXPECT_EQ(body[6].operands[1].offset, 16);
    EXPECT_EQ(body[7].operands[1].symbol_kind, SymbolKind::function_variable);
}

TEST(PtxOperands, NumbersKeepTheirBits) {
    EXPECT_EQ(first("mov.b64 %rd1, -1;").operands[1].bits, ~std::uint64_t{0});
    EXPECT_EQ(first("mov.b64 %rd1, 0xFFFFFFFFFFFFFFFF;").operands[1].bits, ~std::uint64_t{0});
    EXPECT_EQ(first("mov.b32 %r1, -2147483648;").operands[1].bits, 0xFFFF'FFFF'8000'0000U);
    const Operand single = first("mov.f32 %f1, 0fC0000000;").operands[1];
    EXPECT_EQ(single.kind, Kind::real32);
    EXPECT_EQ(single.bits, 0xC0000000U);
    const Operand wide = first("mov.f64 %fd1, 0d3FF0000000000000;").operands[1];
    EXPECT_EQ(wide.kind, Kind::real64);
    EXPECT_EQ(std::bit_cast<double>(wide.bits), 1.0);
    EXPECT_EQ(std::bit_cast<double>(first("mov.f64 %fd1, -2.5e1;").operands[1].bits), -25.0);
}

TEST(PtxOperands, TwoResultsAreTwoOperands) {
    const Instruction setp = first("setp.lt.and.s32 %p1|%p2, %r1, 5, !%p3;");
    ASSERT_EQ(setp.operands.size(), 5u);
    EXPECT_EQ(setp.operands[1].kind, Kind::reg);
    EXPECT_TRUE(setp.operands[4].negated);
    EXPECT_EQ(first("shfl.sync.bfly.b32 %r1|%p1, %r2, 16, 31, -1;").operands.size(), 6u);
    EXPECT_EQ(first("setp.lt.s32 _|%p2, %r1, 5;").operands[0].kind, Kind::sink);
}

TEST(PtxOperands, GuardsArePredicates) {
    const Instruction plain = first("@%p1 bra l; l: ret;");
    ASSERT_TRUE(plain.guard.has_value());
    EXPECT_FALSE(plain.guard->negated);
    EXPECT_TRUE(first("@!%p1 exit;").guard->negated);
    EXPECT_FALSE(first("exit;").guard.has_value());
    EXPECT_NE(refusal(kernel_text("@%r1 exit;")).find("'%r1' is not a register declared .pred"), std::string::npos);
}

TEST(PtxOperands, SpecialRegistersAreKnown) {
    EXPECT_EQ(first("mov.u32 %r1, %tid.x;").operands[1].special, SpecialRegister::tid_x);
    EXPECT_EQ(first("mov.u32 %r1, %nctaid.z;").operands[1].special, SpecialRegister::nctaid_z);
    EXPECT_EQ(first("mov.u64 %rd1, %globaltimer;").operands[1].special, SpecialRegister::globaltimer);
    EXPECT_EQ(first("mov.u32 %r1, %lanemask_ge;").operands[1].special, SpecialRegister::lanemask_ge);
    EXPECT_EQ(first("mov.u32 %r1, WARP_SZ;").operands[1].special, SpecialRegister::warp_size);
    EXPECT_EQ(first("mov.u32 %r1, %tid.x;").operands[1].kind, Kind::special);
}

TEST(PtxOperands, AddressOfANameHasItsOffset) {
    const Module m = parse(head + ".shared .align 4 .b8 s[64]; .entry k() { .reg .b32 r; mov.u32 r, s+12; mov.u32 r, s; }");
    EXPECT_EQ(m.functions.at(0).body[0].operands[1].kind, Kind::symbol);
    EXPECT_EQ(m.functions.at(0).body[0].operands[1].offset, 12);
}

TEST(PtxOperands, VectorRegistersHaveLanes) {
    const Module m = parse_kernel(".reg .v4 .f32 v; mov.f32 v.z, %f1; st.global.v4.f32 [%rd1], v;");
    const Function& k = m.functions.at(0);
    EXPECT_EQ(k.registers[k.body[0].operands[0].reg].name, "v.z");
    ASSERT_EQ(k.body[1].operands[1].kind, Kind::vector);
    EXPECT_EQ(k.body[1].operands[1].elements[2].reg, k.body[0].operands[0].reg);
}

TEST(PtxOperands, UnknownOpcodesAreTakenAsTheyAre) {
    EXPECT_EQ(first("wobble.sync.b32 %r1, {%r2, _}, [%rd1, {%r3, %r4}], 7;").operands.size(), 4u);
    EXPECT_EQ(first("cp.async.cg.shared.global [%r1], [%rd1], 16;").operands.size(), 3u);
    EXPECT_TRUE(first("membar.gl;").operands.empty());
}

TEST(PtxOperands, CommentsAndInlineAssemblyMarksAreBlanks) {
    const Module m =
        parse_kernel("// begin inline asm\n/* two\nlines */ { .reg .b32 t; mov.u32 t, /* here */ %laneid; }\n// end inline asm\nret;");
    EXPECT_EQ(m.functions.at(0).body.at(0).ptx_line, 8u);
    EXPECT_EQ(m.functions.at(0).body.at(1).ptx_line, 10u);
}

TEST(PtxOperands, WrongCountsAreRefused) {
    EXPECT_NE(refusal(kernel_text("bra;")).find("0 operands; it takes 1"), std::string::npos);
    EXPECT_NE(refusal(kernel_text("l: bra l, l;")).find("2 operands; it takes 1"), std::string::npos);
    EXPECT_NE(refusal(kernel_text("ret %r1;")).find("1 operands; it takes 0"), std::string::npos);
    EXPECT_NE(refusal(kernel_text("setp.eq.s32 %p1, %r1;")).find("2 operands; it takes 3 to 5"), std::string::npos);
    EXPECT_NE(refusal(kernel_text("setp.eq.s32 %r2, %r1, %r1;")).find("declared .pred"), std::string::npos);
    EXPECT_NE(refusal(kernel_text("brx.idx %r1, %r2;")).find(".branchtargets"), std::string::npos);
    EXPECT_NE(refusal(kernel_text("bra 5;")).find("expected a label"), std::string::npos);
}

}  // namespace
}  // namespace lab::ptx
