// Source locations of instructions in the student's code.
#include "tests/emulator/ptx_text.h"

namespace lab::ptx {
namespace {

const std::string files =
    ".file 1 \"/home/a/mine.cu\", 1700000000, 1234\n.file 2 \"/usr/lib/clang/19/include/vars.h\"\n.file 3 \"/home/a\" \"other.cuh\" md5 "
    "0x0123456789abcdef0123456789abcdef\n";

std::string place_of(const Module& m, std::size_t instruction) { return m.describe(m.functions.at(0).body.at(instruction).where); }

TEST(PtxPlaces, InstructionsStandWhereTheLastLocSays) {
    const Module m = parse(kernel_text("membar.gl; .loc 1 12 3\n membar.gl; membar.gl; .loc 3 7 1\n membar.gl; ret;") + files);
    EXPECT_EQ(place_of(m, 0), "mine.cu:12") << "the kernel's own line";
    EXPECT_EQ(place_of(m, 1), "mine.cu:12");
    EXPECT_EQ(place_of(m, 2), "mine.cu:12");
    EXPECT_EQ(place_of(m, 3), "other.cuh:7");
    EXPECT_EQ(m.functions.at(0).body.at(1).where.column, 3u);
    EXPECT_EQ(m.functions.at(0).where.line, 12u);
    EXPECT_EQ(m.files.at(3), "/home/a/other.cuh");
}

TEST(PtxPlaces, MovedCodeIsPlacedWhereItsResultIsUsed) {
    const Module m = parse(kernel_text(".loc 1 29 9\n bar.sync 0; .loc 1 0 9\n mov.u64 %rd1, 64; ld.global.f32 %f1, [%rd1];\n"
                                       "setp.gt.f32 %p1, %f0, %f0; .loc 1 30 1\n mov.f32 %f0, %f0;\n"
                                       ".loc 1 31 5\n add.f32 %f3, %f1, %f0; .loc 1 0 0\n st.global.f32 [%rd1], %f3;\n"
                                       ".loc 1 40 1\n @%p1 bra END; END: ret;") +
                           files);
    EXPECT_EQ(place_of(m, 0), "mine.cu:29");
    EXPECT_EQ(place_of(m, 1), "mine.cu:31") << "an address, of the load that has no line either";
    EXPECT_EQ(place_of(m, 2), "mine.cu:31");
    EXPECT_EQ(place_of(m, 3), "mine.cu:40") << "a guard uses it";
    EXPECT_EQ(place_of(m, 6), "mine.cu:31") << "without a result: as the instruction before";
}

TEST(PtxPlaces, AMovedLoadStandsBetweenTheBarrierAndTheNextRegistersLine) {
    const std::string text =
        ".loc 1 9 5\n bar.sync 0; .loc 1 13 1\n mov.u32 %r3, 5; .loc 1 16 1\n mov.u32 %r4, 5; .loc 1 0 1\n"
        "mov.u64 %rd1, 64; ld.shared.f32 %f1, [%rd1]; cvt.rzi.s32.f32 %r1, %f1; .loc 1 23 1\n add.s32 %r5, %r1, %r1; ret;";
    const auto load_of = [](const std::string& body) { return parse(kernel_text(body) + files).functions.at(0).body.at(4).where; };
    EXPECT_EQ(load_of(text).line, 13U) << "%r3 is set behind %r1 in the code that the compiler had not moved yet";
    EXPECT_EQ(load_of(text).first_line, 10U) << "no load moves over a barrier";
    const std::string without_barrier = "mov.u32 %r9, 1;" + text.substr(text.find(".loc 1 13"));
    EXPECT_EQ(load_of(without_barrier).line, 23U);
    EXPECT_EQ(load_of(without_barrier).first_line, 0U);
}

TEST(PtxPlaces, ALoadMergedFromTwoBranchesStandsInOneOfThem) {
    const auto load_of = [](const std::string& use) {
        const std::string text = ".loc 1 7 9\n setp.eq.s32 %p1, %r1, 0; .loc 1 0 0\n ld.shared.f32 %f1, [64];" + use + "ret;";
        return parse(kernel_text(text) + files).functions.at(0).body.at(1).where;
    };
    const Location by_select = load_of(".loc 1 7 9\n add.f32 %f2, %f1, %f1; .loc 1 13 1\n mov.u32 %r2, 5;");
    EXPECT_EQ(by_select.first_line, 7U) << "the condition";
    EXPECT_EQ(by_select.line, 12U) << "the next statement is on 13";
    const Location used_below = load_of(".loc 1 15 3\n add.f32 %f2, %f1, %f1;");
    EXPECT_EQ(used_below.first_line, 7U);
    EXPECT_EQ(used_below.line, 15U);
}

TEST(PtxPlaces, LibraryCodeIsPlacedAtTheCallInStudentCode) {
    const Module m = parse(kernel_text(".loc 1 5 1\n membar.gl;\n"
                                       ".loc 2 70 9, function_name $L__info_string0, inlined_at 1 9 12\n membar.gl;\n"
                                       ".loc 2 44 1, function_name $L__info_string1+4, inlined_at 2 70 9\n membar.gl; ret;") +
                           files);
    EXPECT_EQ(place_of(m, 1), "mine.cu:9");
    EXPECT_EQ(place_of(m, 2), "mine.cu:9");  // two calls deep
}

TEST(PtxPlaces, StudentsOwnInlinedFunctionIsThePlaceItself) {
    const Module m = parse(kernel_text(".loc 1 30 1, function_name $L__info_string0, inlined_at 1 9 12\n membar.gl; ret;") + files);
    EXPECT_EQ(place_of(m, 0), "mine.cu:30");
    const Location& where = m.functions.at(0).body.at(0).where;
    ASSERT_GE(where.inlined_at, 0);
    EXPECT_EQ(m.locations.at(static_cast<std::size_t>(where.inlined_at)).line, 9u);
}

TEST(PtxPlaces, LibraryCodeWithoutCallSiteTakesTheStudentsLineBeforeOrElseAfter) {
    const Module m =
        parse(kernel_text(".loc 2 70 9\n membar.gl; .loc 1 8 1\n membar.gl; .loc 2 71 1\n membar.gl; .loc 1 9 1\n ret;") + files);
    EXPECT_EQ(place_of(m, 0), "mine.cu:8");
    EXPECT_EQ(place_of(m, 1), "mine.cu:8");
    EXPECT_EQ(place_of(m, 2), "mine.cu:8");
    EXPECT_EQ(place_of(m, 3), "mine.cu:9");
}

TEST(PtxPlaces, AFunctionOfLibraryCodeAloneIsPlacedThere) {
    const Module m = parse(kernel_text(".loc 2 70 9\n ret;") + files);
    EXPECT_EQ(place_of(m, 0), "vars.h:70");
}

TEST(PtxPlaces, UnknownFilesAndDebugSectionsDoNoHarm) {
    const Module m =
        parse(kernel_text(".loc 77 70 9\n ret;") + ".section .debug_info { .b8 1 // }\n $L__x: .b64 $L__y-$L__z .b32 .debug_abbrev }\n");
    EXPECT_EQ(place_of(m, 0), "");
}

}  // namespace
}  // namespace lab::ptx
