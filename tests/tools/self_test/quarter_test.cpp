// Four neighbouring commits together test what one draws a quarter of.
#include "common/tools/self_test/quarter.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "common/tools/self_test/self_test.h"
#include "tests/tools/sandbox.h"

namespace lab::tools {
namespace {

class Quarters : public ::testing::Test {
protected:
    void git(const std::string& words) const {
        const std::string line = "unset $(git rev-parse --local-env-vars); git " + words;
        const Ending ending = run({{"bash", "-c", line},
                                   box_.folder(),
                                   {{"GIT_AUTHOR_NAME", "a"},
                                    {"GIT_AUTHOR_EMAIL", "a@example.org"},
                                    {"GIT_COMMITTER_NAME", "a"},
                                    {"GIT_COMMITTER_EMAIL", "a@example.org"}}});
        EXPECT_TRUE(ending.ok()) << ending.output;
    }
    void commit(const std::string& what) const { git("commit --quiet --allow-empty --message " + what); }
    // The line of .ci/quarter about a folder of the box.
    [[nodiscard]] std::string line_of(const std::string& folder) const {
        return run({{LAB_SOURCE_FOLDER "/.ci/quarter", (box_.folder() / folder).string()}, {}, {}}).output;
    }
    [[nodiscard]] int draw() const { return std::stoi(line_of(".")); }
    Sandbox box_;
};

TEST_F(Quarters, OfAnyFourNeighbouringCommitsAreAllFour) {
    git("init --quiet --initial-branch main");
    std::vector<int> drawn;
    for (int i = 0; i < 9; ++i) {
        commit("c" + std::to_string(i));
        drawn.push_back(draw());
        EXPECT_EQ(draw(), drawn.back()) << "the same commit draws the same quarter";
    }
    for (std::size_t i = 0; i + 4 <= drawn.size(); ++i)
        EXPECT_EQ(std::set<int>(drawn.begin() + static_cast<long>(i), drawn.begin() + static_cast<long>(i) + 4),
                  (std::set<int>{1, 2, 3, 4}));
}

TEST_F(Quarters, GoOnOverAMerge) {
    git("init --quiet --initial-branch main");
    for (const char* what : {"a", "b", "c"}) commit(what);
    std::set<int> drawn{draw()};
    git("checkout --quiet -b other HEAD~1");
    for (const char* what : {"d", "e", "f", "g"}) commit(what);
    git("checkout --quiet main");
    git("merge --quiet --no-ff --no-edit other");
    drawn.insert(draw());
    for (const char* what : {"h", "i"}) {
        commit(what);
        drawn.insert(draw());
    }
    EXPECT_EQ(drawn.size(), 4U);
}

TEST_F(Quarters, NameTheCommitTheyComeFrom) {
    EXPECT_EQ(line_of("."), "0 no commit here to draw by: all quarters\n");
    git("init --quiet one");
    git("-C one commit --quiet --allow-empty --message a");
    git("-C one commit --quiet --allow-empty --message b");
    EXPECT_NE(line_of("one").find(", number 2 of its branch\n"), std::string::npos) << line_of("one");
    git("clone --quiet --depth 1 file://\"$PWD\"/one two");
    const std::string shallow = line_of("two");
    EXPECT_NE(shallow.find(" drawn by the hash of commit "), std::string::npos) << shallow;
    EXPECT_TRUE(shallow[0] >= '1' && shallow[0] <= '4') << shallow;
}

TEST(Quarter, HasEachNameOnceAndAsManyAsTheOthers) {
    std::map<int, int> counts;
    for (int i = 0; i < 2000; ++i) {
        const std::string name = "common/a" + std::to_string(i) + ".cpp";
        EXPECT_TRUE(is_in(0, name));
        int included = 0;
        for (int quarter = 1; quarter <= 4; ++quarter) {
            included += is_in(quarter, name) ? 1 : 0;
            counts[quarter] += is_in(quarter, name) ? 1 : 0;
        }
        EXPECT_EQ(included, 1) << name;
    }
    for (const auto& [quarter, count] : counts) EXPECT_NEAR(count, 500, 100) << quarter;
}

TEST(PartTimes, StandBesideTheCounts) {
    const PartResult all = PartResult{812, 0, 0, {}, 3.4, 6.6} + PartResult{0, 2, 1, "text", 100, 150};
    EXPECT_EQ(table_row("all", all), "all             812 passed    2 failed    1 not run    103 s    157 s CPU\n");
}

}  // namespace
}  // namespace lab::tools
