// Heads of functions, parameters, scopes, labels, calls.
#include <array>

#include "tests/emulator/ptx_text.h"

namespace lab::ptx {
namespace {

using Kind = Operand::Kind;
using SymbolKind = Operand::SymbolKind;

TEST(PtxFunctions, ParametersAreLaidOutByTheirAlignment) {
    const Module m = parse(
        head +
        ".visible .entry k(.param .u8 a, .param .u64 .ptr .global .align 16 b, .param .align 8 .b8 c[40], .param .u16 d, .param .f32 e,"
        " .param .align 16 .b8 f[16]) { ret; }");
    const Function& k = m.functions.at(0);
    ASSERT_EQ(k.parameters.size(), 6u);
    std::array<std::uint32_t, 6> offsets{}, sizes{};
    for (std::size_t i = 0; i < 6; ++i) {
        offsets[i] = k.parameters[i].offset;
        sizes[i] = k.parameters[i].size;
    }
    EXPECT_EQ(offsets, (std::array<std::uint32_t, 6>{0, 8, 16, 56, 60, 64}));
    EXPECT_EQ(sizes, (std::array<std::uint32_t, 6>{1, 8, 40, 2, 4, 16}));
    EXPECT_EQ(k.parameters[1].align, 8u);  // .ptr's alignment is that of what it points at
    EXPECT_EQ(k.parameter_bytes, 80u);
    EXPECT_TRUE(k.is_entry);
    EXPECT_FALSE(k.is_declaration);
}

TEST(PtxFunctions, LaunchBoundsAreKept) {
    const Module m = parse(head + ".entry k() .maxntid 256, 2 .minnctapersm 4 .maxnreg 32 { ret; } .entry l() .reqntid 8, 4, 2 { ret; }");
    EXPECT_EQ(m.functions.at(0).max_threads, (std::array<std::uint32_t, 3>{256, 2, 1}));
    EXPECT_EQ(m.functions.at(0).required_threads, (std::array<std::uint32_t, 3>{0, 0, 0}));
    EXPECT_EQ(m.functions.at(1).required_threads, (std::array<std::uint32_t, 3>{8, 4, 2}));
}

TEST(PtxFunctions, DeclarationAndDefinitionAreOneFunction) {
    const Module m = parse(
        head +
        ".func (.param .b32 r) f(.param .b32 a);\n.entry k() { .reg .b32 x; { .param .b32 q; .param .b32 s; call (s), f, (q); } ret; }\n"
        ".func (.param .b32 r) f(.param .b32 a) { st.param.b32 [r], 1; ret; }");
    ASSERT_EQ(m.functions.size(), 2u);
    EXPECT_EQ(m.functions[0].name, "f");
    EXPECT_FALSE(m.functions[0].is_declaration);
    EXPECT_EQ(m.functions[0].body.size(), 2u);
}

TEST(PtxFunctions, NoreturnIsKeptFromTheDeclaration) {
    const Module m = parse(head + ".extern .func die(.param .b64 a) .noreturn;");
    EXPECT_TRUE(m.functions.at(0).is_noreturn);
    EXPECT_TRUE(m.functions.at(0).is_declaration);
}

TEST(PtxFunctions, OnlyUsedRegistersOfARangeBecomeRegisters) {
    const Module m = parse_kernel("mov.u32 %r98, %r3; mov.u32 %r3, %r98; ret;");
    const Function& k = m.functions.at(0);
    ASSERT_EQ(k.registers.size(), 2u);
    EXPECT_EQ(k.registers[0].name, "%r98");
    EXPECT_EQ(k.registers[0].type, Type::b32);
    EXPECT_EQ(k.body[0].operands[0].reg, k.body[1].operands[1].reg);
    EXPECT_NE(refusal(kernel_text("mov.u32 %r99, 1;")).find("'%r99'"), std::string::npos);
    EXPECT_NE(refusal(kernel_text("mov.u32 %r01, 1;")).find("'%r01'"), std::string::npos);
}

TEST(PtxFunctions, RegistersOfInnerScopesAreOfTheirOwn) {
    const Module m = parse_kernel(".reg .b32 t; mov.b32 t, 1; { .reg .b64 t; mov.b64 t, 2; } { .reg .b64 t; mov.b64 t, 3; } mov.b32 t, 4;");
    const Function& k = m.functions.at(0);
    ASSERT_EQ(k.registers.size(), 3u);
    EXPECT_EQ(k.body[0].operands[0].reg, k.body[3].operands[0].reg);
    EXPECT_NE(k.body[1].operands[0].reg, k.body[2].operands[0].reg);
    EXPECT_EQ(k.registers[k.body[1].operands[0].reg].type, Type::b64);
    EXPECT_NE(refusal(kernel_text("{ .reg .b32 t; } mov.b32 t, 4;")).find("'t' is not declared"), std::string::npos);
}

TEST(PtxFunctions, EqualLabelsInTwoScopesStayApart) {
    const Module m = parse_kernel(
        "{ again: add.u32 %r1, %r1, 1; @%p1 bra again; }\n{ again: add.u32 %r1, %r1, 2; @%p1 bra again; @%p2 bra out; }\nout: ret;");
    const auto& body = m.functions.at(0).body;
    EXPECT_EQ(body.at(1).operands.at(0).index, 0u);
    EXPECT_EQ(body.at(3).operands.at(0).index, 2u);
    EXPECT_EQ(body.at(4).operands.at(0).index, 5u);
}

TEST(PtxFunctions, LabelAtTheEndIsTheBodysSize) {
    const Module m = parse_kernel("bra end; end:");
    EXPECT_EQ(m.functions.at(0).body.at(0).operands.at(0).kind, Kind::label);
    EXPECT_EQ(m.functions.at(0).body.at(0).operands.at(0).index, 1u);
}

TEST(PtxFunctions, ACallHasResultsCalleeArgumentsAndPrototype) {
    const Module m = parse(head +
                           ".extern .func (.param .b32 r) f(.param .b64 a, .param .b32 b); .extern .func g;\n"
                           ".entry k() { .reg .b64 %rd<3>; { .param .b64 a; .param .b32 b; .param .b32 r;\n"
                           "call.uni (r), f, (a, b); call g; call g, ();\n"
                           "proto : .callprototype (.param .b32 _) _ (.param .b64 _, .param .b32 _);\n"
                           "call (r), %rd1, (a, 7), proto; call %rd1, (a); call %rd1, proto; } }");
    const auto& body = function_named(m, "k").body;
    ASSERT_EQ(body.size(), 6u);
    const auto& direct = body[0].operands;
    ASSERT_EQ(direct.size(), 3u);
    EXPECT_EQ(direct[0].kind, Kind::list);
    ASSERT_EQ(direct[0].elements.size(), 1u);
    EXPECT_EQ(direct[0].elements[0].symbol_kind, SymbolKind::function_variable);
    EXPECT_EQ(direct[1].symbol_kind, SymbolKind::function);
    EXPECT_EQ(m.functions[direct[1].index].name, "f");
    EXPECT_EQ(direct[2].elements.size(), 2u);
    for (const std::size_t plain : {std::size_t{1}, std::size_t{2}}) {
        ASSERT_EQ(body[plain].operands.size(), 3u);
        EXPECT_TRUE(body[plain].operands[0].elements.empty());
        EXPECT_TRUE(body[plain].operands[2].elements.empty());
    }
    ASSERT_EQ(body[3].operands.size(), 4u);
    EXPECT_EQ(body[3].operands[1].kind, Kind::reg);
    EXPECT_EQ(body[3].operands[2].elements[1].bits, 7u);
    EXPECT_EQ(body[3].operands[3].symbol_kind, SymbolKind::label_table);
    EXPECT_EQ(body[4].operands.size(), 3u);
    EXPECT_EQ(body[5].operands.size(), 4u);
}

TEST(PtxFunctions, AFunctionCanCallItself) {
    const Module m = parse(head + ".func (.param .b32 r) f(.param .b32 a) { { .param .b32 x; .param .b32 y; call (y), f, (x); } ret; }");
    EXPECT_EQ(m.functions.at(0).body.at(0).operands.at(1).index, 0u);
    EXPECT_EQ(m.functions.at(0).name, "f");
}

TEST(PtxFunctions, BranchTargetsAreResolved) {
    const Module m = parse_kernel("table: .branchtargets a, b, a;\nbrx.idx %r1, table;\na: ret;\nb: ret;");
    const Function& k = m.functions.at(0);
    ASSERT_EQ(k.label_tables.size(), 1u);
    EXPECT_EQ(k.label_tables[0].targets, (std::vector<std::uint32_t>{1, 2, 1}));
    EXPECT_EQ(k.body[0].operands[1].symbol_kind, SymbolKind::label_table);
}

TEST(PtxFunctions, AnAliasMeansTheFunctionBehindIt) {
    const Module m =
        parse(head + ".func f(.param .b32 a) { ret; } .func g(.param .b32 a);\n.entry k() { .param .b32 x; call g, (x); } .alias g, f;");
    EXPECT_EQ(m.functions[function_named(m, "k").body.at(0).operands.at(1).index].name, "f");
}

TEST(PtxFunctions, GlobalVariablesInsideAFunctionBelongToTheModule) {
    const Module m = parse_kernel(".global .u32 counter; mov.u64 %rd1, counter;");
    EXPECT_EQ(m.functions.at(0).body.at(0).operands.at(1).symbol_kind, SymbolKind::module_variable);
    EXPECT_EQ(m.variables.at(0).name, "counter");
}

TEST(PtxFunctions, WrongShapesAreRefused) {
    const std::string two = ".extern .func (.param .b32 r) f(.param .b64 a, .param .b32 b);\n";
    EXPECT_NE(refusal(head + two + ".entry k() { .param .b64 a; .param .b32 r; call (r), f, (a); }").find("has 1 arguments; it takes 2"),
              std::string::npos);
    EXPECT_NE(refusal(head + two + ".entry k() { .param .b64 a; .param .b32 b; call f, (a, b); }").find("has 0 results; it takes 1"),
              std::string::npos);
    EXPECT_NE(refusal(head + ".global .u32 g; .entry k() { call g; }").find("not a function"), std::string::npos);
    EXPECT_NE(refusal(head + ".func f(.param .b32 a) { ret; } .func f(.param .b32 a) { ret; }").find("defined twice"), std::string::npos);
    EXPECT_NE(refusal(head + ".func f(.param .b32 a); .func f() { ret; }").find("other parameters"), std::string::npos);
    EXPECT_NE(refusal(kernel_text("bra nowhere;")).find("PTX line 6: there is no label 'nowhere'"), std::string::npos);
    EXPECT_NE(refusal(kernel_text("l: ret; l: ret;")).find("defined twice"), std::string::npos);
    EXPECT_NE(refusal(kernel_text("{ l: ret; } bra l;")).find("'l'"), std::string::npos);
    EXPECT_NE(refusal(kernel_text(".reg .b32 q, q;")).find("declared twice"), std::string::npos);
    EXPECT_NE(refusal(head + ".entry k(.param .b8 x[99999999]) { ret; }").find("larger than 1048576 bytes"), std::string::npos);
}

}  // namespace
}  // namespace lab::ptx
