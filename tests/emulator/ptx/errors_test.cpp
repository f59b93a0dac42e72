// Texts that must be rejected with one clear line.
#include <random>

#include "tests/emulator/ptx_text.h"

namespace lab::ptx {
namespace {

TEST(PtxErrors, EveryMessageIsOneLineWithItsPlace) {
    EXPECT_EQ(refusal(kernel_text("mov.u32 %r1, %r2\nret;")), "PTX line 7: expected ';' or ',' after the operands of 'mov.u32', not 'ret'");
    EXPECT_EQ(refusal(kernel_text("\n\nmov.u32 %r1, nobody;")),
              "PTX line 8: the name 'nobody' is not declared here; names must be declared before they are used");
    EXPECT_EQ(refusal(""), "PTX line 1: expected a .version directive: every PTX file starts with one, but the text ends here");
    EXPECT_EQ(refusal("int main() {}"), "PTX line 1: expected a .version directive: every PTX file starts with one, not 'int'");
}

TEST(PtxErrors, TextThatEndsTooEarlyIsRefused) {
    EXPECT_NE(refusal(head + ".entry k() { ret;").find("PTX line 4: the body of 'k' is never closed"), std::string::npos);
    EXPECT_NE(refusal(head + ".section .debug_str { .b8 1").find("never closed"), std::string::npos);
    EXPECT_NE(refusal(head + "/* so").find("never closed"), std::string::npos);
    EXPECT_NE(refusal(head + ".file 1 \"a.cu\n").find("string"), std::string::npos);
    EXPECT_NE(refusal(".version 7.0").find(".target"), std::string::npos);
}

TEST(PtxErrors, WhatIsUnprintableOrLongIsNotShown) {
    const std::string message = refusal(head + std::string(500, 'x') + "\n");
    EXPECT_LT(message.size(), 160u);
    EXPECT_EQ(refusal(head + "\x01").find('\x01'), std::string::npos);
    EXPECT_NE(refusal(head + std::string(1, '\0') + "x").find("this is not PTX"), std::string::npos);
}

TEST(PtxErrors, ThirtyTwoBitAddressesAreRefused) {
    EXPECT_NE(refusal(".version 7.0 .target sm_70 .address_size 32").find("64-bit addresses"), std::string::npos);
}

TEST(PtxErrors, DeepNestingIsRefusedNotFollowed) {
    EXPECT_NE(refusal(kernel_text(std::string(100000, '{'))).find("deeper than 64"), std::string::npos);
    EXPECT_NE(refusal(kernel_text("mov.b32 %r1, " + std::string(100000, '{'))).find("deeper than 8"), std::string::npos);
    EXPECT_NE(refusal(head + ".global .b32 x[1] = " + std::string(100000, '{')).find("braces nest"), std::string::npos);
}

TEST(PtxErrors, TrailingNulsOfAnEmbeddedTextAreIgnored) {
    EXPECT_EQ(parse(kernel_text("ret;") + std::string(3, '\0')).functions.size(), 1u);
}

TEST(PtxErrors, NamesInOtherScriptsAreNames) {
    EXPECT_EQ(parse(head + ".global .u32 gr\xC3\xB6\xC3\x9F\x65;").variables.at(0).name, "gr\xC3\xB6\xC3\x9F\x65");
}

// Parsing time is linear: twice the text must not take four times as long. A quadratic parser would need minutes here.
TEST(PtxErrors, ManyLabelsScopesAndRegistersAreNoQuadraticBurden) {
    std::string text;
    for (int i = 0; i < 100000; ++i) {
        const std::string n = std::to_string(i);
        text.append("l").append(n).append(": { .reg .b32 t; .param .b32 q").append(n);
        text.append("; mov.b32 t, 1; @%p1 bra l").append(std::to_string(99999 - i)).append("; }\n");
    }
    EXPECT_EQ(parse_kernel(text).functions.at(0).body.size(), 200000u);
}

// Random changes of bytes: the result is a module or an Error.
TEST(PtxErrors, DamagedTextsGiveAModuleOrAnError) {
    const auto seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const std::string good = kernel_text(
        ".shared .align 4 .b8 s[64]; ld.param.u64 %rd1, [p+0]; setp.lt.s32 %p1|%p2, %r1, 0x10; @!%p1 bra l; { .reg .b32 t; mov.b32 t, s; "
        "}\n"
        "l: st.global.v2.f32 [%rd1+-8], {%f1, 0f3F800000}; @%p2 ret; bra l;");
    const std::string alphabet = "{}()[]<>,;:=@!|+-.%$_0123456789abcdefrpx \n\"/*\x80";
    int refused = 0;
    for (int round = 0; round < 20000; ++round) {
        std::string text = good;
        for (unsigned change = 0; change <= random() % 3; ++change) text[random() % text.size()] = alphabet[random() % alphabet.size()];
        try {
            static_cast<void>(parse(text));
        } catch (const Error& error) {
            ++refused;
            const std::string message = error.what();
            ASSERT_EQ(message.find('\n'), std::string::npos) << message;
            ASSERT_TRUE(message.starts_with("PTX")) << message;
        }
    }
    EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace lab::ptx
