// Whole runs of `lab class` on a project of stand-ins: what is graded, kept, and gone on with.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <optional>
#include <random>
#include <thread>

#include "common/classroom/exports/exports.h"
#include "common/process/subprocess.h"
#include "tests/classroom/verdicts_in.h"
#include "tests/tools/stand_in_project.h"

namespace lab::classroom {
namespace {

namespace fs = std::filesystem;

class ClassRun : public tools::StandInProject {
protected:
    // The suite of lab 3 fails a submission with "wrong" in its text, dies of one with "die", and takes its time for one with "slow".
    ClassRun() {
        const auto report = [](const nlohmann::json& test) {
            return nlohmann::json{{"testsuites", {{{"name", "Lab3"}, {"testsuite", {test}}}}}}.dump();
        };
        box_.write("passed.report", report(passed("Lab3.A", 6)));
        box_.write("failed.report", report(failed("Lab3.A", 6, "it is wrong\n  where: here")));
        box_.program("build/bin/lab3_test", R"(
cd ')" + box_.folder().string() + R"('
for word; do [[ $word == --gtest_output=json:* ]] && report=${word#--gtest_output=json:}; done
[[ $1 == --runner ]] && text=$(<"$2")
[[ $text != *die* ]] || kill -SEGV $$
[[ $text != *slow* ]] || sleep 0.3
[[ $text != *endless* ]] || sleep 300
echo x >> graded.log
if [[ $text == *wrong* ]]; then cp failed.report "$report"; else cp passed.report "$report"; fi)");
    }
    void hand_in(const std::string& student, const std::string& text) const { box_.write("class/" + student + "/tiled.cu", text); }
    // Points of lab 3 by student, "-" for none yet, "?" for undecided.
    [[nodiscard]] std::string points(const std::string& database = "class.db") const {
        std::string text;
        for (const Graded& each : all_in(box_.folder() / database)) {
            const bool is_undecided = each.verdict && exports::is_undecided(each.verdict->score);
            const std::string shown = each.verdict ? std::to_string(static_cast<int>(each.verdict->score.earned())) : "-";
            text += each.student + " " + (is_undecided ? "?" : shown) + "\n";
        }
        return text;
    }
    [[nodiscard]] std::size_t suites_run() const { return box_.read("graded.log").size() / 2; }
};

TEST_F(ClassRun, GradesEachTextOnce) {
    hand_in("ada", "right");
    hand_in("grace", "wrong");
    hand_in("kay", "right");
    const tools::Ending ending = lab({"class", "class"});
    EXPECT_EQ(ending.status, 0) << ending.output;
    EXPECT_EQ(points(), "ada 6\ngrace 0\nkay 6\n");
    EXPECT_EQ(suites_run(), 2);
    const tools::Ending more = lab({"class", "class"});
    EXPECT_EQ(suites_run(), 2) << more.output;
    EXPECT_SAYS(lab({"class", "show", "grace"}), "it is wrong");
    EXPECT_SAYS(lab({"class", "stats"}), "67 % of 3 pass A\n         1 it is wrong\n");
}

TEST_F(ClassRun, GradesAChangedTextAndWhatIsAskedForAgain) {
    hand_in("ada", "right");
    hand_in("grace", "wrong");
    (void)lab({"class", "class"});
    hand_in("grace", "now right");
    (void)lab({"class", "class"});
    EXPECT_EQ(points(), "ada 6\ngrace 6\n");
    EXPECT_EQ(suites_run(), 3);
    EXPECT_SAYS(lab({"class", "again", "--student", "ada"}), "1 verdicts are made again");
    EXPECT_EQ(suites_run(), 4);
    EXPECT_SAYS(lab({"class", "again", "--failed"}), "0 verdicts are made again");
    EXPECT_EQ(suites_run(), 4);
}

TEST_F(ClassRun, AGradersDeathIsUndecidedAndTheRunGoesOn) {
    hand_in("ada", "die");
    hand_in("grace", "right");
    EXPECT_EQ(lab({"class", "class", "--jobs", "1"}).status, 3);
    EXPECT_EQ(points(), "ada ?\ngrace 6\n");
}

TEST_F(ClassRun, WhatIsNotJudgedInTimeIsUndecided) {
    hand_in("ada", "endless");
    hand_in("grace", "right");
    const auto begin = std::chrono::steady_clock::now();
    const tools::Ending ending = lab({"class", "class", "--jobs", "1", "--within", "1"});
    EXPECT_EQ(ending.status, 3) << ending.output;
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
    EXPECT_EQ(points(), "ada ?\ngrace ?\n");
    EXPECT_SAYS(lab({"class", "show", "grace"}), "the 1 s of this run were over (this is not the student's mistake)");
}

TEST_F(ClassRun, EveryLabIsARowIfItIsAskedFor) {
    hand_in("ada", "right");
    box_.write("class/kay/notes.txt", "nothing yet");
    const tools::Ending ending = lab({"class", "class", "--labs", "lab3", "--every-lab"});
    EXPECT_EQ(ending.status, 0) << ending.output;
    EXPECT_EQ(points(), "ada 6\nkay 0\n");
    EXPECT_SAYS(lab({"class", "show", "kay"}), "tiled.cu was not handed in");
}

TEST_F(ClassRun, BadInputIsOneLine) {
    EXPECT_EQ(lab({"class"}).output, "lab: a FOLDER of submissions is required (see ./lab class --help)\n");
    EXPECT_EQ(lab({"class", "nowhere"}).output, "lab: nowhere: no such folder\n");
    EXPECT_EQ(lab({"class", "status"}).output, "lab: --results class.db: no such file\n");
    box_.write("text.db", "this is no database, but it is longer than the header of one would be, so that SQLite looks at it closely");
    hand_in("ada", "right");
    EXPECT_SAYS(lab({"class", "class", "--results", "text.db"}), "lab: --results text.db: file is not a database\n");
    (void)lab({"class", "class", "--seed", "7"});
    EXPECT_SAYS(lab({"class", "class", "--seed", "8"}),
                "lab: --seed 8: this class is graded with seed 7; another seed needs other --results\n");
    EXPECT_SAYS(lab({"class", "show", "adda"}), "lab: no student 'adda' in class.db; nearest: ada\n");
    (void)script("printf 'PRAGMA user_version = 99;' | sqlite3 class.db");
    EXPECT_SAYS(lab({"class", "status"}), "was written by a newer version of the project (tables 99, here 2); update the project\n");
}

TEST_F(ClassRun, TwoRunsOnOneDatabaseExcludeEachOther) {
    hand_in("ada", "right");
    const tools::Ending ending = script("exec {file}>class.db.lock; flock $file; $tool class class");
    EXPECT_EQ(ending.status, 2);
    EXPECT_SAYS(ending, "another class run writes there; wait for it, or give another file\n");
}

// Rows of a database, times aside.
std::string content_of(const fs::path& database) {
    std::string text;
    for (const Graded& each : all_in(database)) {
        text += each.student + " " + each.lab + " " + each.origin + " " + each.hash;
        if (each.verdict) text += " " + std::to_string(each.verdict->score.earned()) + " " + each.verdict->score.trouble;
        for (const tools::TestScore& test : each.verdict->score.tests) {
            text += " " + test.name;
            for (const std::string& failure : test.failures) text += " " + failure;
        }
        text += "\n";
    }
    return text;
}

TEST_F(ClassRun, KilledAtRandomMomentsItEndsWithTheSameResults) {
    constexpr int submissions = 100, kills = 50;
    for (int i = 0; i < submissions; ++i) hand_in("student" + std::to_string(i), (i % 3 == 0 ? "wrong " : "right ") + std::to_string(i));
    ASSERT_EQ(lab({"class", "class", "--results", "undisturbed.db", "--seed", "1"}).status, 0);
    const std::size_t once = suites_run();
    EXPECT_EQ(once, submissions);
    std::random_device device;
    const unsigned seed = device();
    RecordProperty("seed", std::to_string(seed));
    std::mt19937 random(seed);
    for (int i = 0; i < kills; ++i) {
        const int ms = std::uniform_int_distribution<int>(20, 250)(random);
        (void)script("timeout --signal=KILL " + std::to_string(ms / 1000.0) + " $tool class class --seed 1");
    }
    EXPECT_EQ(lab({"class", "class", "--seed", "1"}).status, 0);
    EXPECT_EQ(content_of(box_.folder() / "class.db"), content_of(box_.folder() / "undisturbed.db")) << "seed " << seed;
    EXPECT_TRUE(fs::is_empty(box_.folder() / "build/gradings"));
}

TEST_F(ClassRun, AsksSlurmForAGpuOnlyInTheGpusBuild) {
    hand_in("ada", "right");
    EXPECT_SAYS(lab({"class", "class", "--slurm", "--gres", "gpu:1"}),
                "lab: --gres: times are measured by the GPU's build alone: ./lab --backend gpu class ...\n");
    EXPECT_SAYS(lab({"class", "class", "--gres", "gpu:1"}), "--gres requires --slurm");
}

class ClassOnSlurm : public ClassRun {
protected:
    // A script like script(), beside a Slurm of its own with two nodes. Nothing where Slurm is not installed.
    [[nodiscard]] std::optional<tools::Ending> on_slurm(const std::string& body) const {
        box_.write("body.sh", body);
        const std::string with =
            "export tool; '" LAB_SOURCE_FOLDER "/tests/classroom/own_slurm.sh' '" + box_.folder().string() + "/slurm' timeout 120 ";
        tools::Ending ending = script(with + "bash body.sh");
        return ending.status == 77 ? std::nullopt : std::optional(std::move(ending));
    }
};

TEST_F(ClassOnSlurm, GradesTheSameThoughATaskIsKilledAndANodesDaemonStopped) {
    for (int i = 0; i < 60; ++i) hand_in("student" + std::to_string(i), (i % 3 == 0 ? "slow wrong " : "slow right ") + std::to_string(i));
    fs::create_directories(box_.folder() / "class/link");
    fs::create_symlink("/etc/passwd", box_.folder() / "class/link/tiled.cu");
    ASSERT_EQ(lab({"class", "class", "--results", "undisturbed.db", "--seed", "1"}).status, 0);
    const auto ending = on_slurm(R"sh(
$tool class class --seed 1 --slurm --tasks 10 & run=$!
until [[ $(squeue -h -t R | wc -l) -ge 4 ]]; do kill -0 $run || exit 9; sleep 0.1; done
kill -KILL "$(pgrep -f 'class task .*class.db.slurm' | head -n 1)"
kill -KILL "$(<slurm/node2.pid)"
wait $run
)sh");
    if (!ending) GTEST_SKIP() << "Slurm is not installed";
    EXPECT_EQ(ending->status, 0) << ending->output;
    EXPECT_EQ(content_of(box_.folder() / "class.db"), content_of(box_.folder() / "undisturbed.db")) << ending->output;
    EXPECT_FALSE(fs::exists(box_.folder() / "class.db.slurm"));
}

TEST_F(ClassOnSlurm, GoesOnAfterItsOwnDeath) {
    for (int i = 0; i < 24; ++i) hand_in("student" + std::to_string(i), "slow right " + std::to_string(i));
    const auto ending = on_slurm(R"sh(
touch graded.log
$tool class class --seed 1 --slurm --tasks 4 & run=$!
until [[ $(wc -c <graded.log) -ge 8 ]]; do kill -0 $run || exit 9; sleep 0.1; done
kill -KILL $run
$tool class class --seed 1 --slurm --tasks 4
)sh");
    if (!ending) GTEST_SKIP() << "Slurm is not installed";
    EXPECT_EQ(ending->status, 0) << ending->output;
    EXPECT_EQ(points().find_first_of("-?"), std::string::npos) << points();
    EXPECT_LT(suites_run(), 24 + 8);  // again only what was being graded
}

TEST_F(ClassOnSlurm, SaysWhatSlurmRefuses) {
    hand_in("ada", "right");
    const auto ending = on_slurm("$tool class class --slurm --partition none");
    if (!ending) GTEST_SKIP() << "Slurm is not installed";
    EXPECT_EQ(ending->status, 2);
    EXPECT_SAYS(*ending, "lab: --slurm: sbatch: error: ");
    EXPECT_SAYS(*ending, "Invalid partition name specified");
}

}  // namespace
}  // namespace lab::classroom
