// The check of golden messages detects each kind of difference.
#include "tests/mutants/golden.h"

#include <gtest/gtest.h>

namespace lab::mutants {
namespace {

const std::string right = "race at line 7\n  where: k at W=16\n  thread 1\n  read: handouts/lab3_shared_tiling.md, Reading a failure";

TEST(Golden, TakesAMessageOfTheRightShape) { EXPECT_EQ(misshapen(right), ""); }

TEST(Golden, SeesWhatAMessageLacks) {
    EXPECT_NE(misshapen("").find("first line"), std::string::npos);
    EXPECT_NE(misshapen("  " + right).find("first line"), std::string::npos);
    EXPECT_NE(misshapen("race\n  thread 1\n  read: handouts/a.md, B").find("where"), std::string::npos);
    EXPECT_NE(misshapen("race\n  where: k\n  read: handouts/a.md, B").find("evidence"), std::string::npos);
    EXPECT_NE(misshapen("race\n  where: k\n  thread 1").find("has to come last"), std::string::npos);
    EXPECT_NE(misshapen(right + "\n  more").find("has to come last"), std::string::npos);
    std::string long_one = "race\n  where: k\n";
    for (int line = 0; line < 23; ++line) {
        long_one += "  evidence\n";
    }
    EXPECT_NE(misshapen(long_one + "  read: handouts/a.md, B").find("26 lines"), std::string::npos);
}

TEST(Golden, LeavesOutWhatAnotherRunWouldSayOtherwise) {
    EXPECT_EQ(without_chance("W=16: 1.5e-3 ms, spread 12 %, at 0x7f12ab; seen 3 times"), "W=16: # ms, spread # %, at 0x#; seen # times\n");
    EXPECT_EQ(without_chance("it has 21 times as many instructions"), "it has # times as many instructions\n");
    EXPECT_EQ(without_chance("P[3]: expected 1.5, got 2"), "P[3]: expected 1.5, got 2\n");
}

TEST(Golden, PutsTheRowsOfAMapIntoOneLine) {
    EXPECT_EQ(with_short_maps("map (· right, × wrong):\n    ··×\n    ···\n  P[0] · 2\n"),
              "map (· right, × wrong):\n    ··×/···\n  P[0] · 2\n");
}

TEST(Golden, LeavesOutGoogleTestsPreamble) {
    EXPECT_EQ(as_students_see_it("unknown file\nFailed\nrace\n  where: k\n"), "race\n  where: k");
}

TEST(Golden, ShowsTheLinesThatDiffer) {
    EXPECT_EQ(difference("a\nb\n", "a\nb\n"), "");
    EXPECT_NE(difference("a\nb\n", "a\nc\n").find("   a\n - b\n + c\n"), std::string::npos);
    EXPECT_NE(difference("", "a\n").find(" + a\n"), std::string::npos);
}

TEST(Golden, NamesALineByItsCode) {
    const SourceFile sample{"lab3_x.cu", {"", "a;", "barrier();", "b;", "barrier();"}};
    const SourceFile solution{"tiling.cu", {"a;", "barrier();"}};
    const auto shown = [&](const std::string& text) { return with_code_for_lines(text, sample, solution); };
    EXPECT_EQ(shown("race at line 2 and line 4"), "race at line [a;] and line [b;]");
    EXPECT_EQ(shown("read at lab3_x.cu:5, thread 1"), "read at lab3_x.cu:[barrier(); #2], thread 1");
    EXPECT_EQ(shown("launched at tiling.cu:1"), "launched at lab3_x.cu:[a;]")
        << "the host's code is the solution's, where only kernels differ";
    EXPECT_EQ(with_code_for_lines("line 1", {"", {std::string(40, 'x')}}, {}), "line [" + std::string(32, 'x') + "...]");
    EXPECT_EQ(shown("other.cu:2, line 1, line 77, outline 2, row 2"), "other.cu:2, line 1, line 77, outline 2, row 2");
}

}  // namespace
}  // namespace lab::mutants
