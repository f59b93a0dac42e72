// Declarations and initial values.
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tests/emulator/ptx_text.h"

namespace lab::ptx {
namespace {

std::vector<int> bytes_of(const Variable& variable) {
    std::vector<int> result;
    for (const std::byte b : variable.initial) result.push_back(std::to_integer<int>(b));
    return result;
}

template <class T>
std::vector<T> values_of(const Variable& variable) {
    std::vector<T> result(variable.initial.size() / sizeof(T));
    std::memcpy(result.data(), variable.initial.data(), result.size() * sizeof(T));
    return result;
}

Variable declare(const std::string& text) { return parse(head + text).variables.at(0); }

TEST(PtxVariables, SharedArrayHasSpaceSizeAndAlignment) {
    const Variable v = declare(".shared .align 4 .b8 tile[1088];");
    EXPECT_EQ(v.name, "tile");
    EXPECT_EQ(v.space, Space::shared);
    EXPECT_EQ(v.type, Type::b8);
    EXPECT_EQ(v.size, 1088u);
    EXPECT_EQ(v.align, 4u);
    EXPECT_FALSE(v.is_extern);
    EXPECT_TRUE(v.initial.empty());
}

TEST(PtxVariables, OpenExternSharedArrayHasSizeZero) {
    const Variable v = declare(".extern .shared .align 16 .b8 room[];");
    EXPECT_TRUE(v.is_extern);
    EXPECT_EQ(v.size, 0u);
    EXPECT_EQ(v.align, 16u);
}

TEST(PtxVariables, AlignmentDefaultsToTheWholeVector) { EXPECT_EQ(declare(".global .v4 .f32 v;").align, 16u); }

TEST(PtxVariables, ScalarIntegersAreTruncatedToTheirType) {
    EXPECT_EQ(bytes_of(declare(".global .u16 x = -2;")), (std::vector<int>{254, 255}));
    EXPECT_EQ(bytes_of(declare(".global .u8 x = 0x1FF;")), (std::vector<int>{255}));
}

TEST(PtxVariables, NumbersMayBeDecimalHexOctalBinaryAndUnsigned) {
    EXPECT_EQ(values_of<std::uint32_t>(declare(".const .u32 x[] = {10, 0x10, 010, 0b101, 7U, 0xFFU, 0};")),
              (std::vector<std::uint32_t>{10, 16, 8, 5, 7, 255, 0}));
}

TEST(PtxVariables, LargestAndSmallest64BitIntegersAreExact) {
    EXPECT_EQ(values_of<std::uint64_t>(declare(".global .u64 x[2] = {18446744073709551615, -9223372036854775808};")),
              (std::vector<std::uint64_t>{~std::uint64_t{0}, std::uint64_t{1} << 63}));
}

TEST(PtxVariables, FloatsMayBeHexDecimalOrIntegers) {
    EXPECT_EQ(values_of<float>(declare(".const .f32 x[5] = {0f3F800000, 2.5, -0f40000000, 3, 1e-2};")),
              (std::vector<float>{1.0F, 2.5F, -2.0F, 3.0F, 1e-2F}));
    EXPECT_EQ(values_of<double>(declare(".const .f64 x[3] = {0d3FF0000000000000, -0.1, 0f40000000};")),
              (std::vector<double>{1.0, -0.1, 2.0}));
    EXPECT_EQ(values_of<float>(declare(".const .b32 x = 0fBF800000;")), (std::vector<float>{-1.0F}));
}

TEST(PtxVariables, OpenArrayTakesItsSizeFromItsValues) {
    EXPECT_EQ(declare(".global .u32 x[] = {1, 2, 3};").size, 12u);
    EXPECT_EQ(declare(".global .u32 x[][4] = {{1}, {2}};").size, 32u);
}

TEST(PtxVariables, MissingTrailingValuesAreLeftOut) {
    const Variable v = declare(".global .align 4 .b8 x[1000000] = {1, 0, 0, 0, 254};");
    EXPECT_EQ(v.size, 1000000u);
    EXPECT_EQ(bytes_of(v), (std::vector<int>{1, 0, 0, 0, 254}));
}

TEST(PtxVariables, NestedBracesFillRowByRow) {
    EXPECT_EQ(values_of<std::uint16_t>(declare(".global .u16 x[2][3] = {{1}, {4, 5, 6}};")),
              (std::vector<std::uint16_t>{1, 0, 0, 4, 5, 6}));
    EXPECT_EQ(values_of<std::uint16_t>(declare(".global .u16 x[2][3] = {1, 2, 3, 4, 5, 6};")),
              (std::vector<std::uint16_t>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(values_of<float>(declare(".global .v2 .f32 x[2] = {{1.0, 2.0}, {3.0, 4.0}};")), (std::vector<float>{1, 2, 3, 4}));
}

TEST(PtxVariables, AddressesOfNamesBecomeRelocations) {
    const Module m = parse(head + ".global .u32 a; .extern .func f; .global .u64 t[4] = {generic(a)+12, f, a-4, 7};");
    const Variable& t = variable_named(m, "t");
    ASSERT_EQ(t.relocations.size(), 3u);
    EXPECT_EQ(t.relocations[0].symbol, "a");
    EXPECT_EQ(t.relocations[0].offset, 0u);
    EXPECT_EQ(t.relocations[0].addend, 12);
    EXPECT_TRUE(t.relocations[0].generic);
    EXPECT_EQ(t.relocations[1].symbol, "f");
    EXPECT_EQ(t.relocations[1].offset, 8u);
    EXPECT_FALSE(t.relocations[1].generic);
    EXPECT_EQ(t.relocations[2].addend, -4);
    EXPECT_EQ(values_of<std::uint64_t>(t).at(3), 7u);
}

TEST(PtxVariables, MaskedBytesOfAnAddressBecomeOneRelocation) {
    const Module m =
        parse(head +
              ".global .u32 a; .global .b8 t[10] = {1, 0xFF(generic(a)+8), 0xFF00(generic(a)+8), 0xFF0000(generic(a)+8), "
              "0xFF000000(generic(a)+8), 0xFF00000000(generic(a)+8), 0xFF0000000000(generic(a)+8), 0xFF000000000000(generic(a)+8), "
              "0xFF00000000000000(generic(a)+8), 2};");
    const Variable& t = variable_named(m, "t");
    ASSERT_EQ(t.relocations.size(), 1u);
    EXPECT_EQ(t.relocations[0].offset, 1u);
    EXPECT_EQ(t.relocations[0].addend, 8);
    EXPECT_EQ(bytes_of(t).front(), 1);
    EXPECT_EQ(bytes_of(t).back(), 2);
}

TEST(PtxVariables, ADefinitionReplacesTheExternDeclaration) {
    const Module m = parse(head + ".extern .global .u32 x; .visible .global .u32 x = 5; .extern .global .u32 x;");
    ASSERT_EQ(m.variables.size(), 1u);
    EXPECT_FALSE(m.variables[0].is_extern);
    EXPECT_EQ(values_of<std::uint32_t>(m.variables[0]), (std::vector<std::uint32_t>{5}));
}

TEST(PtxVariables, SeveralNamesShareOneDeclaration) {
    const Module m = parse(head + ".global .u32 a, b[3], c = 4;");
    ASSERT_EQ(m.variables.size(), 3u);
    EXPECT_EQ(m.variables[1].size, 12u);
    EXPECT_EQ(values_of<std::uint32_t>(m.variables[2]), (std::vector<std::uint32_t>{4}));
}

TEST(PtxVariables, ManagedAttributeIsSkipped) { EXPECT_EQ(declare(".visible .global .attribute(.managed) .align 4 .u32 x;").size, 4u); }

TEST(PtxVariables, SizeIsCappedBeforeAnythingIsAllocated) {
    EXPECT_NE(refusal(head + ".shared .b8 x[99999999999999];").find("PTX line 4"), std::string::npos);
    EXPECT_NE(refusal(head + ".shared .b8 x[1000000][1000000];").find("larger than 1073741824 bytes"), std::string::npos);
    EXPECT_NE(
        refusal(head +
                ".global .b8 x[300][1000000] = {{1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, "
                "{1}, {1}, {1}, "
                "{1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, "
                "{1}, {1}, {1}, "
                "{1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}};")
            .find("64 MiB"),
        std::string::npos);
}

TEST(PtxVariables, WrongInitialValuesAreRefused) {
    EXPECT_NE(refusal(head + ".global .u32 x[2] = {1, 2, 3};").find("more values than 'x' has room for"), std::string::npos);
    EXPECT_NE(refusal(head + ".global .u32 x[2] = {{1}, {2}};").find("braces nest deeper"), std::string::npos);
    EXPECT_NE(refusal(head + ".global .u32 x[2][2] = {1, {2}};").find("starts inside the row before it"), std::string::npos);
    EXPECT_NE(refusal(head + ".global .u64 x = nobody;").find("'nobody', which is declared nowhere"), std::string::npos);
    EXPECT_NE(refusal(head + ".shared .u32 s; .global .u64 x = s;").find("shared memory"), std::string::npos);
    EXPECT_NE(refusal(head + ".shared .u32 s = 1;").find("initial value"), std::string::npos);
    EXPECT_NE(refusal(head + ".global .u32 a; .global .u16 x = a;").find("64-bit variable"), std::string::npos);
    EXPECT_NE(refusal(head + ".global .u32 a; .global .b8 x[2] = {0xFF(a), 0xFF0000(a)};").find("follow each other"), std::string::npos);
    EXPECT_NE(refusal(head + ".global .u32 a; .global .b8 x[8] = {0xFF(a)};").find("eight bytes"), std::string::npos);
    EXPECT_NE(refusal(head + ".global .u32 a; .global .b8 x[9] = {0xFF(a), 5, 0xFF00(a)};").find("from the lowest on"), std::string::npos);
    EXPECT_NE(refusal(head + ".global .u32 a; .global .b8 x[8] = {0xFF00(a)};").find("from the lowest on"), std::string::npos);
    EXPECT_NE(refusal(head + ".global .u32 a; .global .b8 x[8] = {0xFF(a), 0xFF(a), 0xFF00(a)};").find("from the lowest on"),
              std::string::npos);
    EXPECT_NE(refusal(head + ".global .u32 x = 1; .global .u32 x = 2;").find("defined twice"), std::string::npos);
    EXPECT_NE(refusal(head + ".global .u64 x = 18446744073709551616;").find("64 bits"), std::string::npos);
    EXPECT_NE(refusal(head + ".global .u32 x[] = 5;").find("'{'"), std::string::npos);
    EXPECT_NE(refusal(head + ".global .align 3 .u32 x;").find("power of two"), std::string::npos);
}

TEST(PtxVariables, ConstantsHave64KiBTogether) {
    const std::string first = head + ".const .align 4 .b8 one[65000];";
    EXPECT_EQ(parse(first + ".const .align 4 .b8 other[536];").variables.size(), 2U);
    EXPECT_EQ(parse(first + ".const .align 4 .b8 of_the_host[540] = {1};").variables.size(), 2U) << "no kernel uses it";
    EXPECT_EQ(refusal(first + ".const .align 4 .b8 other[540];"), "65540 bytes of __constant__ memory (one, other): a device has 65536");
}

}  // namespace
}  // namespace lab::ptx
