// The check of golden files sees each thing that it is there for.
#include "tests/mutants/golden.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

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
    EXPECT_EQ(without_chance("P[3]: expected 1.5, got 2"), "P[3]: expected 1.5, got 2\n");
}

TEST(Golden, LeavesOutGoogleTestsPreamble) {
    EXPECT_EQ(as_students_see_it("unknown file\nFailed\nrace\n  where: k\n"), "race\n  where: k");
}

TEST(Golden, ShowsTheLinesThatDiffer) {
    const auto file = std::filesystem::temp_directory_path() / ("golden-" + std::to_string(::getpid())) / "a.txt";
    EXPECT_NE(differs_from(file, "a\nb\n", false).find("a.txt is missing"), std::string::npos);
    EXPECT_EQ(differs_from(file, "a\nb\n", true), "");
    EXPECT_EQ(differs_from(file, "a\nb\n", false), "");
    EXPECT_NE(differs_from(file, "a\nc\n", false).find("   a\n - b\n + c\n"), std::string::npos);
    std::filesystem::remove_all(file.parent_path());
}

}  // namespace
}  // namespace lab::mutants
