// Text that fits a terminal, and when it is coloured.
#include "common/tools/terminal.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace lab::tools {
namespace {

TEST(Terminal, LeavesLinesThatFit) {
    EXPECT_EQ(folded("a b c\n\n  d   e\n", 20), "a b c\n\n  d   e\n");
    EXPECT_EQ(folded("no newline", 20), "no newline");
    EXPECT_EQ(folded("", 20), "");
}

TEST(Terminal, FoldsAtSpacesAndIndentsWhatFollows) {
    EXPECT_EQ(folded("  where: one two three four five\nnext\n", 20), "  where: one two\n    three four five\nnext\n");
}

TEST(Terminal, GoesOnBelowTheLastColumnOfARow) {
    EXPECT_EQ(folded("  --json OUT    write all of the figures there\n", 40),
              "  --json OUT    write all of the figures\n                there\n");
}

TEST(Terminal, KeepsAWordThatIsLongerThanALine) {
    EXPECT_EQ(folded("in /a/very/long/path/to/a/file now\n", 20), "in\n  /a/very/long/path/to/a/file\n  now\n");
}

TEST(Terminal, CountsCharactersAndNoColours) {
    EXPECT_EQ(shown_length("××·"), 3U);
    EXPECT_EQ(shown_length("\x1b[1;31mred\x1b[0m"), 3U);
    EXPECT_EQ(folded("×× ×× ××\n", 8), "×× ×× ××\n");
}

class Colours : public testing::Test {
protected:
    void SetUp() override { unset(); }
    void TearDown() override { unset(); }
    static void unset() {
        unsetenv("LAB_COLOR");
        unsetenv("NO_COLOR");
        unsetenv("COLUMNS");
    }
    // A pipe, as in every run of these tests by CTest.
    static Terminal pipe() {
        std::FILE* const file = std::tmpfile();
        const Terminal terminal = terminal_of(file);
        std::fclose(file);
        return terminal;
    }
};

TEST_F(Colours, WidthOfAPipeIsThatOfColumns) {
    setenv("COLUMNS", "200", 1);
    EXPECT_EQ(pipe().width, 200U);
    setenv("COLUMNS", "many", 1);
    EXPECT_EQ(pipe().width, 40U) << "the least";
}

TEST_F(Colours, AreNoneInAPipeUnlessAskedFor) {
    EXPECT_FALSE(pipe().has_colour);
    EXPECT_EQ(pipe().width, 80U);
    EXPECT_EQ(pipe().paint(Colour::red, "a"), "a");
    setenv("LAB_COLOR", "always", 1);
    EXPECT_TRUE(pipe().has_colour);
    setenv("NO_COLOR", "1", 1);
    EXPECT_TRUE(pipe().has_colour) << "the option is the nearer wish";
    EXPECT_EQ(pipe().paint(Colour::red, "a"), "\x1b[1;31ma\x1b[0m");
}

}  // namespace
}  // namespace lab::tools
