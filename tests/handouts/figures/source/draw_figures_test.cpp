// `lab figures` as a command.
#include <gtest/gtest.h>

#include "tests/tools/sandbox.h"

namespace lab::tools {
namespace {
namespace fs = std::filesystem;

class DrawFigures : public ::testing::Test {
protected:
    Ending lab(std::vector<std::string> words) {
        words.insert(words.begin(), {LAB_TOOL, "figures"});
        return run({words, box_.folder().string(), {{"LAB_ROOT", box_.folder().string()}}});
    }
    Sandbox box_;
};

TEST_F(DrawFigures, DrawsAllIntoTheHandouts) {
    const Ending ending = lab({});
    EXPECT_EQ(ending.status, 0) << ending.output;
    EXPECT_NE(box_.read("handouts/figures/one_dimension.svg").find("</svg>\n"), std::string::npos);
    EXPECT_TRUE(fs::exists(box_.folder() / "handouts/figures/blocked_product.svg"));
}

TEST_F(DrawFigures, DrawsThoseThatAreNamedWhereItIsTold) {
    const Ending ending = lab({"one_dimension", "--out", "drawn"});
    EXPECT_EQ(ending.status, 0) << ending.output;
    EXPECT_TRUE(fs::exists(box_.folder() / "drawn/one_dimension.svg"));
    EXPECT_FALSE(fs::exists(box_.folder() / "drawn/blocked_product.svg"));
    EXPECT_FALSE(fs::exists(box_.folder() / "handouts"));
}

TEST_F(DrawFigures, NamesThem) {
    const Ending ending = lab({"--list"});
    EXPECT_EQ(ending.status, 0);
    EXPECT_NE(ending.output.find("one_dimension\n"), std::string::npos) << ending.output;
    EXPECT_FALSE(fs::exists(box_.folder() / "handouts"));
}

TEST_F(DrawFigures, AnswersBadInputWithOneLineAndStatusTwo) {
    box_.write("file", "");
    for (const auto& [words, text] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"no_such"}, "lab: figures: no figure 'no_such'; ./lab figures --list names them\n"},
             {{"--out", "file/in"}, "lab: figures: --out file/in: "}}) {
        const Ending ending = lab(words);
        EXPECT_EQ(ending.status, 2) << text;
        EXPECT_EQ(ending.output.rfind(text, 0), 0U) << ending.output;
        EXPECT_EQ(ending.output.find('\n'), ending.output.size() - 1) << ending.output;
    }
}

}  // namespace
}  // namespace lab::tools
