// `lab watch` from the outside, on a project of stand-ins.
#include "tests/tools/stand_in_project.h"

namespace lab::tools {
namespace {

class Watch : public StandInProject {
protected:
    // Starts watching lab 3, does `body`, then presses Ctrl-C. `said N TEXT` waits until TEXT was said N times in all;
    // $file is the student's file.
    [[nodiscard]] Ending watching(const std::string& body) const {
        return script(R"(
file=root/labs/lab3_shared_tiling/tiled.cu
"$tool" watch lab3 >out.txt 2>&1 & watcher=$!
give_up() { echo "$1"; cat out.txt; kill -KILL $watcher; exit 99; }
said() {
  for _ in {1..200}; do (($(grep -cF -- "$2" out.txt) >= $1)) && return; sleep 0.05; done
  give_up "not said $1 times in 10 s: $2"
}
)" + body + R"(
kill -INT $watcher
for _ in {1..100}; do kill -0 $watcher 2>/dev/null || break; sleep 0.05; done
kill -0 $watcher 2>/dev/null && give_up "still there after Ctrl-C"
wait $watcher; status=$?
cat out.txt
exit $status)");
    }
    // A suite that takes a minute while "slow" exists, and prints its process id.
    void slow_suite() {
        const std::string usual = box_.read("build/bin/lab3_test");
        const std::string folder = box_.folder().string();
        box_.program("build/bin/lab3_test", "if [[ -e '" + folder + "/slow' ]]; then echo $$ > '" + folder +
                                                "/slow.pid'; sleep 60 & wait; fi\n" + usual.substr(usual.find('\n') + 1));
        box_.write("slow", "");
    }
};

TEST_F(Watch, GradesAtOnceAndAgainAtEverySave) {
    const Ending ending = watching(R"(
said 1 'waiting for you to save tiled.cu'
echo two > $file; said 2 'waiting for you'
echo three > $file; said 3 'waiting for you'
touch $file; said 4 'waiting for you')");
    EXPECT_EQ(ending.status, 0) << ending.output;
    EXPECT_SAYS(ending, "lab3: 6/6 points, 1 of 1 tests pass\n");
    EXPECT_SAYS(ending, "lab3: 6/6 points (as before), 1 of 1 tests pass\n");
    EXPECT_SAYS(ending, "no longer watching lab3");
}

TEST_F(Watch, ShowsWhatChangedSinceTheLastVerdict) {
    suite("lab3", {passed("Lab3.A", 6), failed("Lab3.B", 2, "B is wrong"), failed("Lab3.C", 1, "C is wrong")});
    const std::string before = box_.read("lab3.report");
    suite("lab3", {failed("Lab3.A", 6, "A is wrong"), passed("Lab3.B", 2), failed("Lab3.C", 1, "C is slow")});
    box_.write("after.report", box_.read("lab3.report"));
    box_.write("lab3.report", before);
    const Ending ending = watching(R"(
said 1 'waiting for you'
cp after.report lab3.report; echo two > $file; said 2 'waiting for you')");
    EXPECT_SAYS(ending, "lab3: 6/9 points, 1 of 3 tests pass\n");
    EXPECT_SAYS(ending, "lab3: 2/9 points (6 before), 1 of 3 tests pass\n");
    EXPECT_SAYS(ending, "+ passes now: Lab3.B (2 points)\n");
    EXPECT_SAYS(ending, "- fails now: Lab3.A (6 points)\n");
    EXPECT_SAYS(ending, "~ fails otherwise: Lab3.C: C is slow\n");
    EXPECT_SAYS(ending, "Lab3.A (correct, 6 points)\n      A is wrong\n");
}

TEST_F(Watch, SeesEditorsThatSaveByRenaming) {
    const Ending ending = watching(R"(
said 1 'waiting for you'
echo two > $file.tmp; mv $file.tmp $file; said 2 'waiting for you'
echo three > $file.tmp; mv $file.tmp $file; said 3 'waiting for you'
mv $file $file~; sleep 0.3; echo four > $file; said 4 'waiting for you')");
    EXPECT_EQ(ending.status, 0) << ending.output;
}

TEST_F(Watch, GradesASaveInSeveralStepsOnce) {
    const Ending ending = watching(R"(
said 1 'waiting for you'
: > $file; echo a >> $file; echo b >> $file; touch $file
said 2 'waiting for you'; sleep 0.5
echo verdicts: $(grep -c points out.txt))");
    EXPECT_SAYS(ending, "verdicts: 2\n");
}

TEST_F(Watch, LeavesARunningGradingForANewerSave) {
    slow_suite();
    const Ending ending = watching(R"(
for _ in {1..100}; do [[ -s slow.pid ]] && break; sleep 0.05; done
rm slow; echo two > $file
said 1 'saved again: starting over'; said 1 'waiting for you'
kill -0 $(cat slow.pid) 2>/dev/null && echo 'the first suite is still there')");
    EXPECT_EQ(ending.status, 0) << ending.output;
    EXPECT_SAYS(ending, "lab3: 6/6 points");
    EXPECT_SAYS_NOT(ending, "still there");
}

TEST_F(Watch, EndsCleanlyInTheMiddleOfAGrading) {
    slow_suite();
    const Ending ending = watching("for _ in {1..100}; do [[ -s slow.pid ]] && break; sleep 0.05; done");
    EXPECT_EQ(ending.status, 0) << ending.output;
    EXPECT_SAYS(ending, "no longer watching lab3");
    const std::string suite = box_.read("slow.pid");
    ASSERT_FALSE(suite.empty());
    EXPECT_NE(script("kill -0 " + suite).status, 0) << "the suite outlived its watcher";
}

TEST_F(Watch, ShowsTheCompilersTextAndComparesWithWhatCompiledLast) {
    suite("lab3", {failed("Lab3.A", 6, "A is wrong")});
    const std::string before = box_.read("lab3.report");
    suite("lab3", {passed("Lab3.A", 6)});
    box_.write("after.report", box_.read("lab3.report"));
    box_.write("lab3.report", before);
    const Ending ending = watching(R"(
said 1 'waiting for you'
echo lab3_runner > build/broken.txt; echo two > $file; said 2 'waiting for you'
rm build/broken.txt; cp after.report lab3.report; echo three > $file; said 3 'waiting for you')");
    EXPECT_SAYS(ending, "lab3: your file does not compile:\n  x.cu:3:5: error: expected ';'\n");
    EXPECT_SAYS(ending, "+ passes now: Lab3.A");
}

TEST_F(Watch, WithOnceEndsWithTheVerdict) {
    EXPECT_EQ(lab({"watch", "lab3", "--once"}).status, 0);
    suite("lab3", {failed("Lab3.A", 6, "A is wrong")});
    const Ending ending = lab({"watch", "lab3", "--once"});
    EXPECT_EQ(ending.status, 1);
    EXPECT_SAYS(ending, "A is wrong");
    EXPECT_SAYS_NOT(ending, "waiting");
}

TEST_F(Watch, AnswersBadInputWithOneLineAndStatusTwo) {
    for (const auto& [words, text] : {std::pair<std::vector<std::string>, std::string>{{"watch"}, "say which lab, as in ./lab watch lab3"},
                                      {{"watch", "lab9"}, "unknown lab 'lab9'; there are: lab1"}}) {
        const Ending ending = lab(words);
        EXPECT_EQ(ending.status, 2);
        EXPECT_SAYS(ending, text);
        EXPECT_EQ(std::count(ending.output.begin(), ending.output.end(), '\n'), 1) << ending.output;
    }
}

}  // namespace
}  // namespace lab::tools
