// The instruction table, and the decoding of opcodes by it.
#include "common/emulator/ptx/instruction_set.h"

#include "tests/emulator/ptx_text.h"

namespace lab::ptx {
namespace {

Instruction only_instruction(const std::string& text) { return parse_kernel(text).functions.at(0).body.at(0); }

TEST(PtxInstructionSet, EachRowIsFoundByItsName) {
    for (const InstructionRow& row : instruction_rows()) {
        EXPECT_EQ(opcode_named(row.name), row.opcode) << row.name;
        EXPECT_EQ(&row_of(row.opcode), &row) << row.name;
        EXPECT_FALSE(row.description.empty()) << row.name;
    }
    for (const ModifierRow& row : modifier_rows()) {
        EXPECT_EQ(modifier_named(row.name), row.modifier) << row.name;
        EXPECT_EQ(&row_of(row.modifier), &row) << row.name;
    }
}

TEST(PtxInstructionSet, UnknownNamesStayUnknown) {
    EXPECT_EQ(opcode_named("wobble"), Opcode::unknown);
    EXPECT_EQ(modifier_named("wobble"), Modifier::unknown);
    EXPECT_EQ(row_of(Opcode::unknown).kind, InstructionKind::unknown);
    EXPECT_EQ(to_string(encoding_of("wobble.b32")), "?.b32");
    EXPECT_EQ(encoding_of("add.wobble.f32"), Opcode::add + Modifier::unknown + Modifier::f32);
}

TEST(PtxInstructionSet, OrderOfModifiersIsPartOfTheEncoding) {
    EXPECT_EQ(encoding_of("cvt.rn.f32.s32"), Opcode::cvt + Modifier::rn + Modifier::f32 + Modifier::s32);
    EXPECT_NE(encoding_of("cvt.f32.s32"), encoding_of("cvt.s32.f32"));
    EXPECT_EQ(to_string(encoding_of("mad.hi.sat.s32")), "mad.hi.sat.s32");
    EXPECT_EQ(Opcode::add + Modifier::none + Modifier::f32, Opcode::add + Modifier::f32);
    EXPECT_EQ(encoding_of("cvt.rn.f32.s32").from_last(0), Modifier::s32);
    EXPECT_EQ(encoding_of("cvt.rn.f32.s32").from_last(1), Modifier::f32);
    EXPECT_EQ(encoding_of("cvt").from_last(0), Modifier::none);
}

TEST(PtxInstructionSet, MoreModifiersThanAnyInstructionHasAreNotKnown) {
    std::string text = "add";
    for (std::size_t i = 0; i < Encoding::max_modifiers; ++i) text += ".f32";
    EXPECT_FALSE(encoding_of(text).has(Modifier::unknown));
    EXPECT_TRUE(encoding_of(text + ".f32").has(Modifier::unknown));
}

TEST(PtxInstructionSet, ReaderDecodesSpaceTypeAndElements) {
    const Instruction load = only_instruction("ld.volatile.shared::cta.L1::evict_last.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];");
    EXPECT_EQ(load.opcode(), Opcode::ld);
    EXPECT_EQ(load.space, Space::shared);
    EXPECT_EQ(load.type, Type::f32);
    EXPECT_EQ(load.elements, 4);
    EXPECT_TRUE(load.has(Modifier::volatile_));
    EXPECT_FALSE(load.has(Modifier::global));
    const Instruction convert = only_instruction("cvt.rn.f32.s32 %f1, %r1;");
    EXPECT_EQ(convert.space, Space::generic);
    EXPECT_EQ(convert.type, Type::s32) << "the last one";
    EXPECT_EQ(convert.elements, 1);
}

TEST(PtxInstructionSet, ReaderChecksTheNumberOfOperands) {
    EXPECT_NE(refusal(kernel_text("mov.u32 %r1;")).find("'mov.u32' has 1 operands; it takes 2"), std::string::npos);
    EXPECT_NE(refusal(kernel_text("shfl.sync.idx.b32 %r1, %r2, 1;")).find("it takes 4 to 6"), std::string::npos);
    EXPECT_NE(refusal(kernel_text("trap 1;")).find("it takes 0"), std::string::npos);
}

// As ncu counts them on an H200 (tests/gpu/instruction_counts.cu).
TEST(PtxInstructionSet, CostInSassDependsOnOperandsAndPrecision) {
    const auto instructions = [](const char* text, OperandClass operands, bool invariant = false) {
        return sass_cost(encoding_of(text), operands, invariant).instructions;
    };
    EXPECT_EQ(instructions("add.s32", OperandClass::integer), 1U);
    EXPECT_EQ(instructions("div.rn.f32", OperandClass::fp32), 10U);
    EXPECT_EQ(instructions("div.approx.f32", OperandClass::fp32), 5U);
    EXPECT_EQ(instructions("rcp.approx.f32", OperandClass::fp32), 4U);
    EXPECT_EQ(instructions("rcp.approx.ftz.f32", OperandClass::fp32), 1U);
    EXPECT_EQ(instructions("rem.s32", OperandClass::integer), 21U);
    EXPECT_EQ(instructions("rem.s32", OperandClass::integer, true), 12U);
    EXPECT_EQ(instructions("rem.u32", OperandClass::integer, true), 9U);
    EXPECT_EQ(instructions("mul.lo.s64", OperandClass::wide_integer), 4U);
    EXPECT_EQ(instructions("cvta.to.global.u64", OperandClass::wide_integer), 0U);
    EXPECT_EQ(sass_cost(encoding_of("fma.rn.f64"), OperandClass::fp64, false).fp64, 1U);
    EXPECT_EQ(sass_cost(encoding_of("popc.b32"), OperandClass::integer, false).special, 1U);
}

}  // namespace
}  // namespace lab::ptx
