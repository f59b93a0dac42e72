// `lab hint` from the outside, on a project of stand-ins.
#include "tests/tools/stand_in_project.h"

namespace lab::tools {
namespace {
namespace fs = std::filesystem;

class HintCommand : public StandInProject {
protected:
    HintCommand() {
        box_.write("root/tests/labs/lab3_hints.md",
                   "# Hints\n\nFor readers.\n\n"
                   "## does not compile\n\n1. Compile one.\n2. Compile two.\n3. Compile three.\n\n"
                   "## Lab3.A\n\n1. General.\n2. [when: race, shared memory] Only for races in tiles.\n3. Particular.\n   More of it.\n4. "
                   "Concrete.\n\n"
                   "## Lab3.B\n\n1. B general.\n2. B particular.\n3. B concrete.\n");
        suite("lab3", {failed("Lab3.A", 6, "P is wrong\n  where: at W=16\n  evidence"), failed("Lab3.B", 2, "B is wrong")});
    }
    [[nodiscard]] Ending hint(std::vector<std::string> words = {"lab3"}) const {
        words.insert(words.begin(), "hint");
        return lab(words);
    }
    // Whether the last hint ran the suite.
    bool graded() {
        const bool ran = fs::exists(box_.folder() / "lab3.asked");
        fs::remove(box_.folder() / "lab3.asked");
        return ran;
    }
};

TEST_F(HintCommand, GivesOneHintACallFromGeneralToParticularAndSaysHowManyRemain) {
    const Ending first = hint();
    EXPECT_EQ(first.status, 0);
    EXPECT_SAYS(first, "2 of 2 tests fail. The first is Lab3.A (correct, 6 points)");
    EXPECT_SAYS(first, "P is wrong\n      where: at W=16\n\n");
    EXPECT_SAYS(first, "  General.\n");
    EXPECT_SAYS(first, "2 more for this: ./lab hint lab3\n");
    EXPECT_SAYS_NOT(first, "Particular");
    EXPECT_SAYS_NOT(first, "evidence");

    const Ending second = hint();
    EXPECT_SAYS(second, "  Particular. More of it.\n");
    EXPECT_SAYS(second, "1 more for this");
    EXPECT_SAYS_NOT(second, "General");
    EXPECT_SAYS_NOT(second, "Concrete");

    const Ending third = hint();
    EXPECT_SAYS(third, "  Concrete.\n");
    EXPECT_SAYS(third, "the last hint for this");

    const Ending fourth = hint();
    EXPECT_EQ(fourth.status, 0);
    EXPECT_SAYS(fourth, "No hint is left for this (3 were given");
    EXPECT_SAYS_NOT(fourth, "Concrete");
}

TEST_F(HintCommand, ShowsTheSourceOfAFailureThatHasAPlace) {
    box_.write("root/labs/lab3_shared_tiling/tiled.cu", "void k() {\n    tile[i] = M[i];\n}\n");
    suite("lab3", {failed("Lab3.A", 6, "race in shared memory\n  where: tiled.cu:2 in kernel k")});
    EXPECT_SAYS(hint(),
                "    race in shared memory\n      2 | tile[i] = M[i];\n        | ~~~~~~~~~~~~~~~\n      where: tiled.cu:2 in kernel k\n");
}

TEST_F(HintCommand, ShowsTheSourceOfACompilersError) {
    box_.write("root/labs/lab3_shared_tiling/tiled.cu", "void k() {\n    tile[i] = M[i]\n}\n");
    box_.program("bin/ninja", R"(
if [[ $* == *lab3_runner* ]]; then
  echo "FAILED: tiled.o"; echo "/usr/bin/c++ tiled.cu -o tiled.o"; echo "tiled.cu:2:19: error: expected ';'"; exit 1
fi)");
    EXPECT_SAYS(hint(), "tiled.cu:2:19: error: expected ';'\n      2 | tile[i] = M[i]\n        |               ^\n");
}

TEST_F(HintCommand, KeepsHintsForOneKindOfFailureUntilThatIsMet) {
    EXPECT_SAYS_NOT(hint(), "races");
    suite("lab3", {failed("Lab3.A", 6, "race in shared memory", {"race", "global memory"})});
    box_.write("root/labs/lab3_shared_tiling/tiled.cu", "other");
    EXPECT_SAYS(hint(), "Particular.");
    suite("lab3", {failed("Lab3.A", 6, "two threads conflict", {"in a kernel", "race", "shared memory"})});
    box_.write("root/labs/lab3_shared_tiling/tiled.cu", "another");
    EXPECT_SAYS(hint(), "Only for races in tiles.");
}

TEST_F(HintCommand, ShowsThoseGivenSoFarAndNoneElse) {
    EXPECT_SAYS(hint({"lab3", "--again"}), "no hints were given so far");
    (void)hint();
    (void)hint({"lab3", "--test", "B"});
    graded();
    const Ending all = hint({"lab3", "--again"});
    EXPECT_FALSE(graded());
    EXPECT_SAYS(all, "Lab3.A\n\n  General.\n");
    EXPECT_SAYS(all, "Lab3.B\n\n  B general.\n");
    EXPECT_SAYS_NOT(all, "articular");
    const Ending one = hint({"lab3", "--again", "--test", "Lab3.B"});
    EXPECT_SAYS(one, "B general.");
    EXPECT_SAYS_NOT(one, "  General.");
    EXPECT_SAYS(hint(), "Particular.") << "looking back must not give anything";
}

// A failed test whose search found one edit.
nlohmann::json with_an_edit(nlohmann::json test) {
    const nlohmann::json edit{
        {"line", 28}, {"text", "threadIdx.x"}, {"from", "    a[threadIdx.x] = 1;"}, {"to", "    a[threadIdx.y] = 1;"}};
    test["repairs"] = {{"told", "line 28: x and y are mixed up"}, {"edits", {edit}}};
    return test;
}

TEST_F(HintCommand, NamesTheTextAtFaultAfterTwoHintsAndTheEditAfterAll) {
    suite("lab3", {with_an_edit(failed("Lab3.A", 6, "P is wrong"))});
    std::string texts;
    for (int i = 0; i < 5; ++i) texts += hint().output;
    const std::vector<std::string> order{"  General.\n",
                                         "  Particular. More of it.\n",
                                         "  Look at this text in line 28: threadIdx.x\n",
                                         "  Concrete.\n",
                                         "with this line 28: a[threadIdx.y] = 1;\n",
                                         "the last hint for this"};
    std::size_t at = 0;
    for (const std::string& text : order) {
        at = texts.find(text, at);
        ASSERT_NE(at, std::string::npos) << text << " in " << texts;
    }
    const Ending again = hint({"lab3", "--again"});
    EXPECT_SAYS(again, "Look at this text in line 28");
    EXPECT_SAYS(again, "with this line 28");
}

TEST_F(HintCommand, LeavesOutWhatACourseDoesNotTellOfTheSearch) {
    suite("lab3", {with_an_edit(failed("Lab3.A", 6, "P is wrong"))});
    EXPECT_SAYS(lab({"grade", "lab3"}), "likely cause: line 28");
    box_.write("root/course.json", R"({"search": {"line": false, "text": false}, "labs": {"lab3": {}}})");
    EXPECT_SAYS_NOT(lab({"grade", "lab3"}), "likely cause");
    std::string texts;
    for (int i = 0; i < 5; ++i) texts += hint().output;
    EXPECT_EQ(texts.find("Look at this text"), std::string::npos) << texts;
    EXPECT_NE(texts.find("with this line 28: a[threadIdx.y] = 1;"), std::string::npos) << texts;
    box_.write("root/course.json", R"({"search": {"edit": "no"}, "labs": {"lab3": {}}})");
    EXPECT_SAYS(lab({"grade", "lab3"}), "no course's settings");
}

TEST_F(HintCommand, TakesAnotherFailingTestByName) {
    const Ending other = hint({"lab3", "--test", "B"});
    EXPECT_SAYS(other, "You asked about Lab3.B");
    EXPECT_SAYS(other, "  B general.\n");
    EXPECT_SAYS(other, "2 more for this: ./lab hint lab3 --test B");
    EXPECT_SAYS(hint({"lab3", "--test", "Lab3.B"}), "B particular.");
    EXPECT_SAYS(hint(), "  General.\n");
}

TEST_F(HintCommand, KnowsAFileThatDoesNotCompile) {
    box_.write("build/broken.txt", "lab3_runner\n");
    const Ending ending = hint();
    EXPECT_EQ(ending.status, 0);
    EXPECT_SAYS(ending, "your file does not compile:\n  x.cu:3:5: error: expected ';'\n");
    EXPECT_SAYS(ending, "Compile one.");
    EXPECT_SAYS(hint(), "Compile two.");
}

TEST_F(HintCommand, SaysSoWhenAllTestsPass) {
    suite("lab3", {passed("Lab3.A", 6), passed("Lab3.B", 2)});
    const Ending ending = hint();
    EXPECT_EQ(ending.status, 0);
    EXPECT_SAYS(ending, "lab3: all 2 tests pass, 8/8 points");
    EXPECT_FALSE(fs::exists(box_.folder() / "state/hints_lab3.json"));
}

TEST_F(HintCommand, GradesAgainOnlyWhenTheFileOrTheJudgesChanged) {
    (void)hint();
    EXPECT_TRUE(graded());
    (void)hint();
    EXPECT_FALSE(graded());

    const fs::path file = box_.folder() / "root/labs/lab3_shared_tiling/tiled.cu";
    const auto time = fs::last_write_time(file);
    box_.write("root/labs/lab3_shared_tiling/tiled.cu", "changed");
    fs::last_write_time(file, time);  // the content decides
    (void)hint();
    EXPECT_TRUE(graded());

    fs::last_write_time(file, time + std::chrono::hours(1));  // touched, not changed
    (void)hint();
    EXPECT_FALSE(graded());

    box_.write("root/labs/lab3_shared_tiling/mine.h", "a header of the student's own");
    (void)hint();
    EXPECT_TRUE(graded());

    box_.write("build/bin/lab3_runner", "another program");
    (void)hint();
    EXPECT_TRUE(graded());
}

TEST_F(HintCommand, TrustsTheLastGradingOnlyIfItWasAWholeOne) {
    EXPECT_EQ(lab({"grade", "lab3"}).status, 1);
    graded();
    (void)hint();
    EXPECT_FALSE(graded()) << "the same file was graded already";
    for (const std::vector<std::string>& partly : {std::vector<std::string>{"grade", "lab3", "--filter", "Lab3.B"},
                                                   {"grade", "lab3", "--seed", "1"},
                                                   {"grade", "lab3", "--solutions"}}) {
        (void)lab(partly);
        graded();
        (void)hint();
        EXPECT_FALSE(graded()) << partly.back() << ": the verdict on the whole file still holds";
        box_.write("root/labs/lab3_shared_tiling/tiled.cu", partly.back());
        EXPECT_EQ(lab(partly).status, 1);
        graded();
        (void)hint();
        EXPECT_TRUE(graded()) << partly.back();
    }
}

TEST_F(HintCommand, RemembersNothingHalfWrittenAndRefusesWhatItCantRead) {
    (void)hint();
    const std::string before = box_.read("state/hints_lab3.json");
    EXPECT_EQ(nlohmann::json::parse(before).at("given").size(), 1U);
    // State after a crash: the old file, and the next one unfinished beside it.
    box_.write("state/hints_lab3.json.new.1", before.substr(0, 10));
    EXPECT_SAYS(hint(), "Particular.");

    box_.write("state/hints_lab3.json", "{\"given\": ");
    const Ending damaged = hint();
    EXPECT_EQ(damaged.status, 2);
    EXPECT_SAYS(damaged, "delete it to start again");
    EXPECT_EQ(std::count(damaged.output.begin(), damaged.output.end(), '\n'), 1) << damaged.output;
}

TEST_F(HintCommand, GivesNoHintThatItCantRemember) {
    box_.write("state", "a file where the folder should be");
    const Ending ending = hint();
    EXPECT_EQ(ending.status, 2);
    EXPECT_SAYS(ending, "can't write");
    EXPECT_SAYS_NOT(ending, "General.");
}

TEST_F(HintCommand, AnswersBadInputWithOneLineAndStatusTwo) {
    suite("lab3", {failed("Lab3.A", 6, "wrong"), passed("Lab3.B", 2)});
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{}, "say which lab, as in ./lab hint lab3; there are: lab1 (cpu baseline), lab3 (shared tiling)"},
        {{"lab9"}, "unknown lab 'lab9'; there are: lab1"},
        {{"lab1"}, "can't read the hints in"},
        {{"lab3", "--test", "Nothing"}, "--test Nothing: lab3 has no such test"},
        {{"lab3", "--test", "B"}, "--test Lab3.B: that test passes; those that fail: Lab3.A"},
        {{"lab3", "lab1"}, "lab1"},
    };
    for (const auto& [words, text] : cases) {
        const Ending ending = hint(words);
        EXPECT_EQ(ending.status, 2) << text;
        EXPECT_SAYS(ending, text);
        EXPECT_EQ(std::count(ending.output.begin(), ending.output.end(), '\n'), 1) << ending.output;
    }
    fs::remove(box_.folder() / "root/labs/lab3_shared_tiling/tiled.cu");
    fs::create_directory(box_.folder() / "root/labs/lab3_shared_tiling/tiled.cu");
    const Ending unreadable = hint();
    EXPECT_EQ(unreadable.status, 2);
    EXPECT_SAYS(unreadable, "can't read");
}

}  // namespace
}  // namespace lab::tools
