// `lab grade` from the outside, on a project of stand-ins: a Ninja that builds nothing, suites that write given reports.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "common/tools/grading_folder.h"
#include "tests/tools/stand_in_project.h"

namespace lab::tools {
namespace {

class Grade : public StandInProject {
protected:
    [[nodiscard]] Ending grade(std::vector<std::string> words) const {
        words.insert(words.begin(), "grade");
        return lab(words);
    }
};

TEST_F(Grade, EndsWithZeroOnFullPointsOnly) {
    const Ending full = grade({});
    EXPECT_EQ(full.status, 0) << full.output;
    EXPECT_SAYS(full, "10/10");
    suite("lab3", {passed("Lab3.A", 6), failed("Lab3.B", 2, "P[17] is 0, expected 3")});
    const Ending less = grade({});
    EXPECT_EQ(less.status, 1);
    EXPECT_SAYS(less, "10/12");
    EXPECT_SAYS(less, "P[17] is 0, expected 3");
    EXPECT_EQ(grade({"lab1"}).status, 0);
    EXPECT_EQ(grade({"3"}).status, 1);
}

TEST_F(Grade, BuildsBeforeItJudges) {
    (void)grade({"lab3"});
    const std::string log = box_.read("build/ninja.log");
    EXPECT_NE(log.find("lab3_runner"), std::string::npos) << log;
    EXPECT_NE(log.find("lab3_test"), std::string::npos) << log;
    EXPECT_EQ(log.find("lab1"), std::string::npos) << log;
    EXPECT_EQ(box_.read("lab3.judged"), "lab3_runner");
}

TEST_F(Grade, ShowsTheCompilersTextAndGoesOnWithTheOtherLabs) {
    box_.write("build/broken.txt", "lab1_runner\n");
    const Ending ending = grade({});
    EXPECT_EQ(ending.status, 1);
    EXPECT_SAYS(ending, "lab1: your file does not compile:\n  x.cu:3:5: error: expected ';'\n");
    EXPECT_SAYS(ending, "6/6");
    EXPECT_SAYS(ending, "0/4");
    EXPECT_SAYS(ending, "6/10");
    EXPECT_EQ(ending.output.find("FAILED: x.o"), std::string::npos) << ending.output;
}

TEST_F(Grade, GradesTheReferenceWithSolutions) {
    EXPECT_EQ(grade({"--solutions"}).status, 0);
    EXPECT_EQ(box_.read("lab3.judged"), "lab3_reference");
}

TEST_F(Grade, RemovesWhatKilledGradingsLeftAndNothingElse) {
    box_.write("build/gradings/lab3-1/.lock", "");
    box_.write("build/gradings/lab3-2/.lock", "");
    box_.write("build/gradings/lab3-3/without", "");
    const Ending ending = script("exec {held}<build/gradings/lab3-2/.lock; flock $held; $tool grade lab3; ls build/gradings");
    EXPECT_TRUE(ending.output.ends_with("lab3-2\nlab3-3\n")) << ending.output;
}

// The moment between a folder and its lock is short: many make theirs at once.
TEST(GradingFolders, OfManyAtOnceAreNotTakenForAbandonedOnes) {
    const Sandbox box;
    Project project;
    project.build = box.folder();
    Lab lab;
    lab.number = 3;
    std::vector<pid_t> processes;
    for (int i = 0; i < 6; ++i) {
        processes.push_back(::fork());
        for (int n = 0; processes.back() == 0 && n <= 300; ++n) {
            if (n == 300) ::_exit(0);
            const GradingFolder folder(project, lab);
            if (!std::filesystem::exists(folder.path() / ".lock")) ::_exit(1);
        }
    }
    for (const pid_t process : processes) {
        int status = -1;
        EXPECT_EQ(::waitpid(process, &status, 0), process);
        EXPECT_EQ(status, 0);
    }
    EXPECT_TRUE(std::filesystem::is_empty(box.folder() / "gradings"));
}

TEST_F(Grade, FailsWhenASuiteLeavesNoReport) {
    box_.program("build/bin/lab3_test", "echo 'something broke'; kill -KILL $$");
    const Ending killed = grade({"lab3"});
    EXPECT_EQ(killed.status, 1);
    EXPECT_SAYS(killed, "the suite died of signal 9 before it wrote its report:");
    EXPECT_SAYS(killed, "something broke");
    // A suite that crashes, or can't write its report, is not the student's fault.
    for (const char* const end : {"kill -SEGV $$", "exit 0", "exit 1"}) {
        box_.program("build/bin/lab3_test", end);
        const Ending ending = grade({"lab3"});
        EXPECT_EQ(ending.status, 3) << ending.output;
        EXPECT_SAYS(ending, "before it wrote its report (this is not your mistake):");
    }
}

TEST_F(Grade, TakesPointsFromTheReportNotFromTheExitStatus) {
    // The suite says success, the report says failure.
    suite("lab3", {failed("Lab3.A", 6, "wrong")});
    EXPECT_EQ(grade({"lab3"}).status, 1);
}

TEST_F(Grade, PassesSeedAndFilterOn) {
    EXPECT_EQ(grade({"lab3", "--seed", "42", "--filter", "*Width*"}).status, 0);
    EXPECT_TRUE(asked("lab3", "--seed 42")) << box_.read("lab3.asked");
    EXPECT_TRUE(asked("lab3", "--gtest_filter=*Width*")) << box_.read("lab3.asked");
}

TEST_F(Grade, WritesScoresAsJson) {
    suite("lab3", {failed("Lab3.A", 6, "wrong")});
    EXPECT_EQ(grade({"--json", "scores.json"}).status, 1);
    const nlohmann::json scores = nlohmann::json::parse(box_.read("scores.json"));
    EXPECT_EQ(scores.at("points"), 4);
    EXPECT_EQ(scores.at("of"), 10);
    EXPECT_EQ(scores.at("labs").at(1).at("tests").at(0).at("failures").at(0), "wrong");
}

TEST_F(Grade, CompilesAndJudgesASubmission) {
    box_.write("sub/lab3_shared_tiling/tiled.cu", "theirs");
    const Ending ending = grade({"--from", "sub"});
    EXPECT_EQ(ending.status, 0) << ending.output;
    EXPECT_SAYS(ending, "lab3");
    EXPECT_EQ(ending.output.find("lab1"), std::string::npos) << "lab 1 was not handed in: " << ending.output;
    EXPECT_EQ(box_.read("lab3.judged"), "theirs");
}

TEST_F(Grade, SaysInWhichSandboxASubmissionWasJudged) {
    box_.write("sub/lab3_shared_tiling/tiled.cu", "theirs");
    EXPECT_SAYS(grade({"--from", "sub", "--json", "scores.json"}), "sandbox: namespaces\n");
    EXPECT_EQ(nlohmann::json::parse(box_.read("scores.json")).at("labs").at(0).at("sandbox"), "namespaces");
    EXPECT_TRUE(asked("lab3", "--sandbox namespaces")) << box_.read("lab3.asked");
    EXPECT_SAYS_NOT(grade({"--from", "sub", "--sandbox", "never"}), "sandbox");
    EXPECT_SAYS_NOT(grade({"lab3"}), "sandbox");
    EXPECT_SAYS(grade({"lab3", "--sandbox", "always"}), "sandbox: namespaces\n");
    box_.program("build/bin/lab-confine", "[[ $2 == landlock ]] || { echo \"lab: no $2 here\"; exit 125; }");
    EXPECT_SAYS(grade({"--from", "sub", "--sandbox", "user"}), "--sandbox user: not on this machine: lab: no user here\n");
    if (::geteuid() == 0) {
        EXPECT_SAYS(grade({"--from", "sub"}), "lab: no stronger sandbox than landlock: lab: no user here\n");
    }
    box_.program("build/bin/lab-confine", "echo 'lab: no way'; exit 125");
    const Ending none = grade({"--from", "sub"});
    EXPECT_EQ(none.status, 2);
    EXPECT_SAYS(none, "lab: no sandbox for this file: lab: no way; --sandbox never grades it without one\n");
}

TEST_F(Grade, TakesNoLinksAndNoPipesForSubmissions) {
    box_.write("secret", "not handed in");
    const auto refused = [&](const std::string& make) {
        (void)script("rm -rf sub; mkdir -p sub/lab3_shared_tiling; cd sub; " + make);
        return grade({"lab3", "--from", "sub"});
    };
    EXPECT_SAYS(refused("ln -s ../../secret lab3_shared_tiling/tiled.cu"), "tiled.cu is a link: hand in the file itself");
    EXPECT_SAYS(refused("rmdir lab3_shared_tiling; mkdir ../other; echo x > ../other/tiled.cu; ln -s ../other lab3_shared_tiling"),
                "by a link: hand in the files themselves");
    EXPECT_SAYS(refused("mkfifo lab3_shared_tiling/tiled.cu"), "nothing handed in");
    EXPECT_SAYS(refused("head -c 1100000 /dev/zero > lab3_shared_tiling/tiled.cu"), "has more than 1 MiB");
}

TEST_F(Grade, SaysSoWhenANamedLabWasNotHandedIn) {
    box_.write("sub/lab3_shared_tiling/tiled.cu", "theirs");
    const Ending ending = grade({"lab1", "lab3", "--from", "sub"});
    EXPECT_EQ(ending.status, 1);
    EXPECT_SAYS(ending, "lab1: nothing handed in");
    EXPECT_SAYS(ending, "6/10");
}

// A suite that takes its time reads the program it judges at its end.
TEST_F(Grade, KeepsSubmissionsApartThatAreGradedAtTheSameTime) {
    box_.program("build/bin/lab3_test", R"(
sleep 0.3
for word; do [[ $word == --gtest_output=json:* ]] && report=${word#--gtest_output=json:}; done
[[ $(<"$2") == good ]] && points=6 || points=0
echo '{"testsuites": [{"name": "Lab3", "testsuite": [{"name": "A", "status": "RUN", "result": "COMPLETED", "points": "'$points'"}]}]}' >"$report")");
    for (const char* what : {"good", "bad", "wrong"}) box_.write(std::string(what) + ".cu", what);
    const Ending all = script(R"(
i=0
for what in good bad wrong good; do
  i=$((i + 1))
  "$tool" grade lab3 --from $what.cu --json $what$i.json >/dev/null 2>&1 &
done
wait)");
    EXPECT_EQ(all.status, 0) << all.output;
    for (const auto& [file, points] : {std::pair{"good1", 6}, {"bad2", 0}, {"wrong3", 0}, {"good4", 6}})
        EXPECT_EQ(nlohmann::json::parse(box_.read(std::string(file) + ".json")).at("points"), points) << file;
}

TEST_F(Grade, SaysOfWhatTheGraderCouldNotJudgeThatItIsUndecided) {
    nlohmann::json undecided = failed("Lab3.B", 2, "the grader could not call matvec (this is not your mistake)");
    undecided["undecided"] = "yes";
    suite("lab3", {passed("Lab3.A", 6), undecided});
    const Ending ending = grade({"lab3", "--json", "scores.json"});
    EXPECT_EQ(ending.status, 3) << ending.output;
    EXPECT_SAYS(ending, "6/8");
    EXPECT_SAYS(ending, "lab3: 2 points are undecided");
    EXPECT_EQ(nlohmann::json::parse(box_.read("scores.json")).at("undecided"), 2);
    suite("lab3", {passed("Lab3.A", 6), failed("Lab3.B", 2, "wrong")});
    EXPECT_EQ(grade({"lab3"}).status, 1);
}

TEST_F(Grade, TakesASingleFileByItsNameOrByTheLabsName) {
    box_.write("tiled.cu", "theirs");
    box_.write("other.cu", "theirs");
    EXPECT_EQ(grade({"--from", "tiled.cu"}).status, 0);
    EXPECT_EQ(grade({"lab3", "--from", "other.cu"}).status, 0);
    const Ending unclear = grade({"--from", "other.cu"});
    EXPECT_EQ(unclear.status, 2);
    EXPECT_SAYS(unclear, "can't tell which lab");
    EXPECT_EQ(grade({"lab1", "lab3", "--from", "other.cu"}).status, 2);
}

TEST_F(Grade, SaysWhatALinkersWordsMean) {
    const auto fails_to_link = [&](const std::string& words) {
        box_.program("bin/link", "echo '" + words + "' >&2; exit 1");
        return grade({"lab3", "--from", "theirs.cu", "--json", "scores.json"});
    };
    box_.write("theirs.cu", "theirs");
    const Ending lld = fails_to_link("ld.lld: error: undefined symbol: tiled(int, float const*)");
    EXPECT_EQ(lld.status, 1);
    EXPECT_SAYS(lld,
                "theirs.cu does not compile: it lacks a function that the lab calls, or has it with other parameters:\n    tiled(int, "
                "float const*)\n");
    EXPECT_SAYS(fails_to_link("/usr/bin/ld: x.o: undefined reference to `tiled(int)"), "other parameters:\n    tiled(int)\n");
    EXPECT_SAYS(fails_to_link(R"(theirs.cu:2:10: fatal error: '"'thrust/sort.h'"' file not found)"),
                "theirs.cu does not compile: theirs.cu:2: thrust is not supported by the emulator: ");
    box_.write("theirs.cu", " \n");
    EXPECT_SAYS(fails_to_link("undefined symbol: tiled(int)"), "theirs.cu does not compile: it is empty\n");
}

TEST_F(Grade, BlamesNoStudentForAFullDisk) {
    box_.write("theirs.cu", "theirs");
    box_.program("bin/link", "echo 'ld.lld: error: failed to write to the output file: No space left on device' >&2; exit 1");
    const Ending ending = grade({"lab3", "--from", "theirs.cu", "--json", "scores.json"});
    EXPECT_EQ(ending.status, 3) << ending.output;
    EXPECT_SAYS(ending, "theirs.cu could not be compiled (this is not your mistake):");
    EXPECT_SAYS(ending, "No space left on device");
}

TEST_F(Grade, SaysSoWhereScoresCannotBeWritten) {
    const Ending ending = grade({"--json", "/dev/full"});
    EXPECT_EQ(ending.status, 2);
    EXPECT_SAYS(ending, "--json /dev/full: can't write there: No space left on device");
    EXPECT_SAYS(ending, "10/10");
}

TEST_F(Grade, SaysSoWhereThePointsCannotBeShown) {
    const Ending ending = script("$tool grade lab1 > /dev/full");
    EXPECT_EQ(ending.status, 2);
    EXPECT_EQ(ending.output, "lab: the output can't be written: No space left on device\n");
}

TEST_F(Grade, NamesNearTestsWhereAFilterMatchesNone) {
    suite("lab3", {});
    box_.program("build/bin/lab3_test", R"(
for word; do [[ $word == --gtest_output=json:* ]] && report=${word#--gtest_output=json:}; [[ $word == --describe ]] && describes=1; done
tests='{"name": "A", "status": "RUN", "result": "COMPLETED", "points": "6"}'
echo '{"testsuites": [{"name": "Lab3", "testsuite": ['${describes:+$tests}']}]}' >"$report")");
    const Ending ending = grade({"lab3", "--filter", "Lab3.B"});
    EXPECT_EQ(ending.status, 2) << ending.output;
    EXPECT_SAYS(ending, "lab: --filter Lab3.B: no test has such a name; nearest: Lab3.A\n");
}

TEST_F(Grade, RefusesNumbersOfThreadsThatAreNone) {
    const Ending ending = script("LAB_THREADS=abc \"$tool\" grade lab3");
    EXPECT_EQ(ending.status, 2);
    EXPECT_SAYS(ending, "lab: LAB_THREADS=abc: give a whole number from 0 up\n");
}

TEST_F(Grade, AnswersBadInputWithOneLineAndStatusTwo) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{"lab9"}, "unknown lab 'lab9'; there are: lab1 (cpu baseline), lab3 (shared tiling)"},
        {{"--from", "nowhere"}, "--from nowhere: no such file or folder"},
        {{"lab3", "--from", "/dev/null"}, "--from /dev/null: neither a file nor a folder"},
        {{"--from", "bin"}, "holds no lab's file; expected for instance lab1_cpu_baseline/baseline.cpp"},
        {{"--solutions", "--from", "bin"}, "exclude each other"},
        {{"--json", "no/such/folder/x.json"}, "can't write there"},
        {{"--seed", "abc"}, "--seed"},
        {{"--seed", "-1"}, "--seed -1: has to be a number from 0 up"},
        {{"--seed=-7"}, "--seed -7: has to be a number from 0 up"},
        {{"--nonsense"}, "--nonsense"},
    };
    for (const auto& [words, text] : cases) {
        const Ending ending = grade(words);
        EXPECT_EQ(ending.status, 2) << text;
        EXPECT_SAYS(ending, text);
        EXPECT_EQ(std::count(ending.output.begin(), ending.output.end(), '\n'), 1) << ending.output;
    }
}

TEST_F(Grade, KeepsWhatWasDoneWhenInterrupted) {
    // As a terminal does: the signal goes to the whole group, here to the tool and then the suite.
    box_.program("build/bin/lab3_test", "kill -INT $PPID; kill -INT $$; sleep 5");
    const Ending ending = grade({});
    EXPECT_EQ(ending.status, 130) << ending.output;
    EXPECT_SAYS(ending, "4/4");
    EXPECT_SAYS(ending, "interrupted");
}

}  // namespace
}  // namespace lab::tools
