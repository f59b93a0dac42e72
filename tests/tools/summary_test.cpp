#include <gtest/gtest.h>
#include <sys/utsname.h>

#include "common/tools/score_text.h"
#include "tests/tools/stand_in_project.h"

namespace lab::tools {
namespace {

TestScore test_score(const std::string& name, double points, const std::vector<std::string>& failures = {}) {
    TestScore test;
    test.name = name;
    test.points = points;
    test.failures = failures;
    test.earned = test.passed() ? points : 0;
    return test;
}

LabScore lab3_with(const std::vector<TestScore>& tests) {
    LabScore lab;
    lab.lab = "lab3";
    lab.title = "shared tiling";
    lab.backend = "emulator (h100)";
    lab.tests = tests;
    return lab;
}

TEST(Summary, HasARowForEachLabAndEachFailure) {
    LabScore lab1 = lab3_with({test_score("Lab1.A", 2.5)});
    lab1.lab = "lab1";
    lab1.title = "CPU baseline";
    EXPECT_EQ(markdown_summary({lab1, lab3_with({test_score("Lab3.A", 6), test_score("Lab3.B", 4, {"too slow\n  1.4 times", "second"})})}),
              "## 8.5/12.5 points\n\n"
              "| lab | points | tests passed |\n| --- | ---: | ---: |\n"
              "| lab1 CPU baseline | 2.5/2.5 | 1 of 1 |\n| lab3 shared tiling | 6/10 | 1 of 2 |\n\n"
              "| lab | test | points | why |\n| --- | --- | ---: | --- |\n"
              "| lab3 | Lab3.B | 0/4 | too slow |\n\n"
              "Graded on: emulator \\(h100\\)\n");
}

TEST(Summary, HasNoTableOfFailuresWhereNothingFailed) {
    EXPECT_EQ(markdown_summary({lab3_with({test_score("Lab3.A", 6)})}).find("why"), std::string::npos);
}

TEST(Summary, NeitherTextNorCodeFormsMarkdownOrHtml) {
    const std::string text = markdown_summary({lab3_with({test_score("Lab3.B", 4, {"a[i] | <img src=x> & `b` *c* $d$\x1b[31m"})})});
    EXPECT_NE(text.find("| a\\[i\\] \\| &lt;img src=x\\> &amp; \\`b\\` \\*c\\* \\$d\\$ \\[31m |\n"), std::string::npos) << text;
}

TEST(Summary, ShowsTheCompilersFirstLineWhereNothingCompiles) {
    LabScore lab = lab3_with({});
    lab.trouble = "your file does not compile:\n  x.cu:3:5: error: expected ';'\n  more";
    const std::string text = markdown_summary({lab});
    EXPECT_NE(text.find("| lab3 | | | your file does not compile: x.cu:3:5: error: expected ';' |\n"), std::string::npos) << text;
}

TEST(Summary, TellsUndecidedFromLostAndLeavesOutWhatNeverRan) {
    TestScore undecided = test_score("Lab3.A", 6, {"the grader failed"});
    undecided.is_undecided = true;
    TestScore never = test_score("Lab3.B", 4);
    never.has_run = false;
    never.earned = 0;
    const std::string text = markdown_summary({lab3_with({undecided, never})});
    EXPECT_NE(text.find("| lab3 | Lab3.A | undecided | the grader failed |\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("Lab3.B"), std::string::npos) << text;
    EXPECT_NE(text.find("| 0/10 | 0 of 2 |"), std::string::npos) << text;
}

class SummaryOfGrade : public StandInProject {};

TEST_F(SummaryOfGrade, IsWrittenWhereTheOptionSays) {
    suite("lab3", {failed("Lab3.A", 6, "wrong")});
    const Ending ending = lab({"grade", "--summary", "summary.md"});
    EXPECT_EQ(ending.status, 1) << ending.output;
    EXPECT_EQ(box_.read("summary.md").find("## 4/10 points\n"), 0U) << box_.read("summary.md");
    EXPECT_NE(box_.read("summary.md").find("| lab3 | Lab3.A | 0/6 | wrong |\n"), std::string::npos) << box_.read("summary.md");
    const Ending nowhere = lab({"grade", "--summary", "no/such/folder/summary.md"});
    EXPECT_EQ(nowhere.status, 2);
    EXPECT_EQ(nowhere.output.find("lab: --summary no/such/folder/summary.md: can't write there"), 0U) << nowhere.output;
}

TEST_F(SummaryOfGrade, StandsBesideVersionAndArchitectureInTheJson) {
    EXPECT_EQ(lab({"grade", "--json", "scores.json"}).status, 0);
    const nlohmann::json json = nlohmann::json::parse(box_.read("scores.json"));
    EXPECT_EQ(json.at("version"), LAB_VERSION);
    utsname machine{};
    ASSERT_EQ(uname(&machine), 0);
    EXPECT_EQ(json.at("architecture"), machine.machine);
}

}  // namespace
}  // namespace lab::tools
