// Special registers, clocks, printf, assert, and launches that do not end.
#include <fmt/format.h>

#include <array>
#include <cstdio>

#include "tests/emulator/machine_fixture.h"

namespace lab::machine::testing {
namespace {

TEST(MachineSpecials, IndicesInBlocksAndGridsOfThreeDimensions) {
    for (const Dim3 block : {Dim3{7, 1, 1}, Dim3{33, 1, 1}, Dim3{5, 7, 1}, Dim3{3, 5, 7}, Dim3{1, 1, 64}, Dim3{16, 16, 4}}) {
        const Dim3 grid{3, 2, 4};
        // Each thread writes its own row of 16 words.
        std::string body =
            "mov.u32 %r1, %ctaid.z; mov.u32 %r2, %nctaid.y; mov.u32 %r3, %ctaid.y; mad.lo.u32 %r1, %r1, %r2, %r3; mov.u32 %r2, %nctaid.x; "
            "mov.u32 %r3, %ctaid.x;"
            "mad.lo.u32 %r1, %r1, %r2, %r3; mov.u32 %r2, %ntid.z; mul.lo.u32 %r1, %r1, %r2; mov.u32 %r3, %tid.z; add.u32 %r1, %r1, %r3;"
            "mov.u32 %r2, %ntid.y; mov.u32 %r3, %tid.y; mad.lo.u32 %r1, %r1, %r2, %r3; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; "
            "mad.lo.u32 %r1, %r1, %r2, %r3;"
            "mul.wide.u32 %rd1, %r1, 64; add.s64 %rd1, %rd1, %out;\n";
        const char* const names[] = {"%tid.x",    "%tid.y",       "%tid.z",       "%ntid.x",     "%ntid.y", "%ntid.z",
                                     "%ctaid.x",  "%ctaid.y",     "%ctaid.z",     "%laneid",     "%warpid", "%nctaid.x",
                                     "%nctaid.y", "%lanemask_lt", "%lanemask_ge", "%lanemask_eq"};
        for (unsigned i = 0; i < 16; ++i)
            body += std::string("mov.u32 %r9, ") + names[i] + "; st.global.u32 [%rd1+" + std::to_string(4 * i) + "], %r9;\n";
        body += "exit;";
        Situation situation;
        situation.grid = grid;
        situation.block = block;
        situation.out_words = grid.count() * block.count() * 16;
        situation.host_threads = 2;
        const Ran ran = run_body(body, situation);
        ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
        std::size_t at = 0;
        for (std::uint32_t bz = 0; bz < grid.z; ++bz) {
            for (std::uint32_t by = 0; by < grid.y; ++by) {
                for (std::uint32_t bx = 0; bx < grid.x; ++bx) {
                    std::uint32_t linear = 0;
                    for (std::uint32_t z = 0; z < block.z; ++z) {
                        for (std::uint32_t y = 0; y < block.y; ++y) {
                            for (std::uint32_t x = 0; x < block.x; ++x, ++linear, at += 16) {
                                const std::uint32_t lane = linear % 32;
                                const std::uint32_t below = (1U << lane) - 1;
                                const std::array<std::uint32_t, 16> expected = {x,      y,     z,      block.x,   block.y,     block.z,
                                                                                bx,     by,    bz,     lane,      linear / 32, grid.x,
                                                                                grid.y, below, ~below, 1U << lane};
                                for (unsigned i = 0; i < 16; ++i)
                                    ASSERT_EQ(ran.out[at + i], expected[i]) << names[i] << " of thread " << linear;
                            }
                        }
                    }
                }
            }
        }
    }
}

TEST(MachineSpecials, ClocksGoOnWithEveryInstructionBetween) {
    const Ran ran = run_body(R"(
        mov.u64 %rd1, %clock64; mov.u32 %r1, %clock; add.u32 %r2, %t, 1; mul.lo.u32 %r2, %r2, 3; mov.u64 %rd2, %clock64;
        mov.u32 %r3, 0; TOP: add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 100; @%p1 bra TOP; mov.u64 %rd3, %clock64; mov.u32 %r4, %clock;
        sub.s64 %rd4, %rd2, %rd1; sub.s64 %rd5, %rd3, %rd2; setp.gt.s64 %p2, %rd4, 0; setp.gt.s64 %p3, %rd5, %rd4; sub.u32 %r5, %r4, %r1; setp.gt.u32 %p4, %r5, 300;
        selp.u32 %v, 1, 0, %p2; selp.u32 %r6, 2, 0, %p3; add.u32 %v, %v, %r6; selp.u32 %r6, 4, 0, %p4; add.u32 %v, %v, %r6;)");
    ASSERT_FALSE(ran.result.fault);
    EXPECT_EQ(ran.out, std::vector<std::uint32_t>(32, 7));
}

std::string bytes_of(const std::string& name, const std::string& text) {
    std::string list;
    for (const char c : text) list += std::to_string(static_cast<int>(static_cast<unsigned char>(c))) + ", ";
    return ".global .align 1 .b8 " + name + "[" + std::to_string(text.size() + 1) + "] = {" + list + "0};\n";
}

TEST(MachineSpecials, PrintfFormatsAsTheHosts) {
    const std::string before = ".extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 list);\n" +
                               bytes_of("words", "[%5d|%-6u|%x|%#o|%c|%s|%.3f|%10.2e|%lld|%%|%05i]\n") + bytes_of("name", "lane");
    Situation situation;
    situation.block = {3, 1, 1};
    const Ran ran = run_body(R"(
        .local .align 8 .b8 list[80]; .param .b64 a; .param .b64 b; .param .b32 c;
        mov.u64 %rd1, list; cvta.local.u64 %rd2, %rd1; mov.u64 %rd3, words; cvta.global.u64 %rd3, %rd3; mov.u64 %rd4, name; cvta.global.u64 %rd4, %rd4;
        sub.u32 %r1, 0, %t; st.local.u32 [%rd1], %r1; st.local.u32 [%rd1+4], %t; mov.u32 %r2, 255; st.local.u32 [%rd1+8], %r2; st.local.u32 [%rd1+12], %r2;
        add.u32 %r3, %t, 65; st.local.u32 [%rd1+16], %r3; st.local.u64 [%rd1+24], %rd4; cvt.rn.f64.u32 %fd1, %t; mul.f64 %fd1, %fd1, 0d3FF8000000000000;
        st.local.f64 [%rd1+32], %fd1; st.local.f64 [%rd1+40], %fd1; mov.u64 %rd5, -5000000000; st.local.u64 [%rd1+48], %rd5; st.local.u32 [%rd1+56], %r1;
        st.param.b64 [a], %rd3; st.param.b64 [b], %rd2; call.uni (c), vprintf, (a, b); ld.param.b32 %v, [c];)",
                             situation, before);
    ASSERT_FALSE(ran.result.fault) << to_text(*ran.result.fault);
    std::string expected;
    for (int t = 0; t < 3; ++t) {
        std::array<char, 200> line{};
        std::snprintf(line.data(), line.size(), "[%5d|%-6u|%x|%#o|%c|%s|%.3f|%10.2e|%lld|%%|%05i]\n", -t, static_cast<unsigned>(t), 255U,
                      255U, 65 + t, "lane", 1.5 * t, 1.5 * t, -5000000000LL, -t);
        expected += line.data();
    }
    EXPECT_EQ(ran.printed, expected);
}

TEST(MachineSpecials, AssertSaysWhatWasAsserted) {
    const std::string before =
        ".extern .func __assertfail (.param .b64 message, .param .b64 file, .param .b32 line, .param .b64 function, .param .b64 size);\n" +
        bytes_of("what", "n > 3") + bytes_of("where", "k.cu") + bytes_of("who", "void k()");
    const Ran ran = run_body(R"(
        .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
        setp.lt.u32 %p1, %t, 17; @%p1 bra KERNEL_END;
        mov.u64 %rd1, what; cvta.global.u64 %rd1, %rd1; st.param.b64 [a], %rd1; mov.u64 %rd1, where; cvta.global.u64 %rd1, %rd1; st.param.b64 [b], %rd1;
        mov.u32 %r1, 12; st.param.b32 [c], %r1; mov.u64 %rd1, who; cvta.global.u64 %rd1, %rd1; st.param.b64 [d], %rd1; mov.u64 %rd1, 1; st.param.b64 [e], %rd1;
        .loc 1 12 1
        call.uni __assertfail, (a, b, c, d, e);)",
                             {}, before);
    ASSERT_TRUE(ran.result.fault);
    EXPECT_EQ(ran.result.fault->kind, FindingKind::assertion);
    EXPECT_EQ(ran.result.fault->line(), 12U);
    EXPECT_EQ(ran.result.fault->who().thread.x, 17U);
    for (const char* const part : {"n > 3", "k.cu:12", "void k()"})
        EXPECT_NE(to_text(*ran.result.fault).find(part), std::string::npos) << to_text(*ran.result.fault);
}

TEST(MachineSpecials, EndlessLoopIsStoppedInTheThreadsThatLoop) {
    Situation situation;
    situation.block = {128, 1, 1};
    situation.max_instructions = 500'000;
    const Ran ran = run_body(R"(
        setp.ne.u32 %p1, %t, 75; @%p1 bra KERNEL_END;
        .loc 1 15 1
        FOREVER: add.u32 %v, %v, 1; bra.uni FOREVER;)",
                             situation);
    ASSERT_TRUE(ran.result.fault);
    EXPECT_EQ(ran.result.fault->kind, FindingKind::endless);
    EXPECT_EQ(ran.result.fault->line(), 15U) << to_text(*ran.result.fault);
    EXPECT_EQ(ran.result.fault->who().thread.x, 75U);
    EXPECT_NE(to_text(*ran.result.fault).find("500000"), std::string::npos) << to_text(*ran.result.fault);
}

// Blocks that pass a word on: each waits for its own to be set, and sets that of the next or of the previous block.
constexpr const char* chain = R"(
    mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd1, %r1, 4; add.s64 %rd1, %rd1, %in; setp.eq.u32 %p1, %r1, {}; @%p1 bra GO;
    .loc 1 16 1
    POLL: {}; setp.eq.u32 %p2, %r2, 0; @%p2 bra POLL;
    .loc 1 17 1
    GO: st.volatile.global.u32 [%rd1{}], 1;)";

TEST(MachineSpecials, ABlockThatWaitsForOneThatHasNotStartedIsStopped) {
    Situation situation;
    situation.grid = {16, 1, 1};
    situation.block = {1, 1, 1};
    for (const char* const poll : {"ld.volatile.global.u32 %r2, [%rd1+4]", "atom.global.add.u32 %r2, [%rd1+4], 0",
                                   "atom.global.cas.b32 %r2, [%rd1+4], 1, 1", "atom.global.exch.b32 %r2, [%rd1+4], 0"}) {
        for (const bool waits_for_next : {false, true}) {
            for (const bool reversed : {false, true}) {
                situation.order = reversed ? Order::reversed : Order::forward;
                situation.host_threads = reversed ? 3 : 1;
                const Ran ran =
                    run_body(fmt::format(fmt::runtime(chain), waits_for_next ? 15 : 0, poll, waits_for_next ? "" : "+8"), situation);
                ASSERT_EQ(ran.result.fault.has_value(), reversed != waits_for_next) << poll;
                if (!ran.result.fault) continue;
                const std::string text = to_text(*ran.result.fault);
                EXPECT_EQ(ran.result.fault->kind, FindingKind::endless) << text;
                EXPECT_EQ(ran.result.fault->line(), 16U) << text;
                EXPECT_EQ(ran.result.fault->who().block.x, reversed ? 15U : 0U) << text;
                EXPECT_NE(text.find("a block waits for one that has not started"), std::string::npos) << text;
                EXPECT_NE(text.find(reversed ? "reversed order" : "cooperative"), std::string::npos) << text;
            }
        }
    }
}

TEST(MachineSpecials, ABlockThatIsSlowIsNotTakenForOneThatWaits) {
    Situation situation;
    situation.grid = {4, 1, 1};
    situation.host_threads = 2;
    situation.max_instructions = 200'000'000;
    // The first block's million iterations touch no memory, or add to one word; the others poll meanwhile, or do the same.
    const std::string iterations = "mov.u32 %r3, 0; MORE: add.u32 %r3, %r3, 1; {} setp.lt.u32 %p2, %r3, 1000000; @%p2 bra MORE;\n";
    for (const char* const each : {"", "red.global.add.u32 [%in+80], 1;"}) {
        const std::string work = fmt::format(fmt::runtime(iterations), each);
        const Ran after = run_body("mov.u32 %r9, %ctaid.x; setp.ne.u32 %p1, %r9, 0; @%p1 bra OTHERS;\n" + work + "OTHERS:\n" +
                                       fmt::format(fmt::runtime(chain), 0, "ld.volatile.global.u32 %r2, [%rd1+4]", "+8"),
                                   situation);
        EXPECT_FALSE(after.result.fault) << to_text(*after.result.fault);
        situation.host_threads = 1;
        const Ran all = run_body(work + "ld.volatile.global.u32 %r2, [%in];", situation);
        EXPECT_FALSE(all.result.fault) << to_text(*all.result.fault);
    }
}

TEST(MachineSpecials, MovPacksAndUnpacksLowPartsFirst) {
    const auto result = [](const std::string& body) { return run_body(body).out.at(0); };
    const std::string halves = "mov.b16 %h1, 0x1111; mov.b16 %h2, 0x2222; mov.b16 %h3, 0x3333; mov.b16 %h4, 0x4444;";
    EXPECT_EQ(result(halves + "mov.b32 %v, {%h1, %h2};"), 0x22221111U);
    EXPECT_EQ(result(halves + "mov.b64 %rd1, {%h1, %h2, %h3, %h4}; shr.u64 %rd1, %rd1, 32; cvt.u32.u64 %v, %rd1;"), 0x44443333U);
    const std::string words = "mov.u32 %r1, 0x89abcdef; mov.u32 %r2, 0x01234567; mov.b64 %rd1, {%r1, %r2};";
    EXPECT_EQ(result(words + "mov.b64 {%v, _}, %rd1;"), 0x89abcdefU);
    EXPECT_EQ(result(words + "mov.b64 {_, %v}, %rd1;"), 0x01234567U);
    EXPECT_EQ(result("mov.u32 %r1, 0x56781234; mov.b32 {%h1, %h2}, %r1; cvt.u32.u16 %v, %h2;"), 0x5678U);
}

}  // namespace
}  // namespace lab::machine::testing
