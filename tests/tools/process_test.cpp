// Commands that are stopped early also stop their children.
#include "common/tools/process.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>

#include "common/tools/lines.h"
#include "tests/tools/sandbox.h"

namespace lab::tools {
namespace {

using Clock = std::chrono::steady_clock;

class Stopping : public ::testing::Test {
protected:
    // Runs a script until it has written its process's id (or a child's) to "ready".
    Ending until_ready(const std::string& body) {
        const auto is_ready = [&] { return !box_.read("ready").empty(); };
        const auto start = Clock::now();
        Ending ending = run({{"bash", "-c", body}, box_.folder().string(), {}}, {}, is_ready);
        took_ = std::chrono::duration<double>(Clock::now() - start).count();
        return ending;
    }
    // Whether the process that wrote its id is still running. A stopped one may take a moment, or wait for its parent.
    [[nodiscard]] bool lives_on() const {
        const std::string watch =
            "for _ in {1..100}; do grep -q '^State:.[^ZX]' /proc/$(cat ready)/status 2>/dev/null || exit 1; sleep 0.05; done";
        return run({{"bash", "-c", watch}, box_.folder().string(), {}}).ok();
    }

    Sandbox box_;
    double took_ = 0;
};

TEST_F(Stopping, EndsACommandAndWhatItStarted) {
    const Ending ending = until_ready("echo before; (trap 'echo told; exit' TERM; echo $BASHPID > ready; sleep 60 & wait) & wait");
    EXPECT_TRUE(ending.stopped);
    EXPECT_FALSE(ending.ok());
    EXPECT_EQ(ending.output, "before\ntold\n");
    EXPECT_FALSE(lives_on());
}

TEST_F(Stopping, LetsACommandCleanUp) {
    const Ending ending = until_ready("trap 'echo cleaned; exit 3' TERM; echo $$ > ready; sleep 60 & wait");
    EXPECT_EQ(ending.status, 3);
    EXPECT_EQ(ending.output, "cleaned\n");
}

TEST_F(Stopping, MakesACommandEndThatWillNot) {
    const Ending ending = until_ready("trap '' TERM; echo $$ > ready; while true; do sleep 0.1; done");
    EXPECT_EQ(ending.signal, 9);
    EXPECT_GE(took_, 2);
    EXPECT_LT(took_, 20);
    EXPECT_FALSE(lives_on());
}

TEST(Process, SaysThatItCouldNotStartACommand) {
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    rlimit none = before;
    none.rlim_cur = 0;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
    const Ending ending = run({{"true"}, {}, {}});
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_TRUE(ending.failed);
    EXPECT_EQ(ending.output, "lab: pipe: Too many open files");
    EXPECT_FALSE(run({{"true"}, {}, {}}).failed);
    EXPECT_FALSE(run({{"no-such-program"}, {}, {}}).failed);  // this tells something about the command
}

TEST_F(Stopping, LeavesACommandThatEndsByItselfAlone) {
    const Ending ending = run({{"bash", "-c", "echo done"}, {}, {}}, {}, [] { return false; });
    EXPECT_TRUE(ending.ok());
    EXPECT_FALSE(ending.stopped);
    EXPECT_EQ(ending.output, "done\n");
}

TEST(LastMessage, HasAllItsLinesAndNoProgress) {
    EXPECT_EQ(
        last_message("lab: 3 of 16 · lab_tools\nlab: x.cu does not compile: it lacks a function\n    launch(int)\n  is it this lab's?\n\n"),
        "x.cu does not compile: it lacks a function\n    launch(int)\n  is it this lab's?");
    EXPECT_EQ(last_message("ninja: fatal\nbash: ninja: not found\n"), "bash: ninja: not found");
    EXPECT_EQ(last_message(""), "");
}

}  // namespace
}  // namespace lab::tools
