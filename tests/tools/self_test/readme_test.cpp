#include "common/tools/self_test/readme.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "common/tools/safe_files.h"

namespace lab::tools {
namespace {

TEST(Readme, FindsTheCommandsOfShellBlocksOnly) {
    const auto commands =
        commands_in("text\n```sh\n./lab test\n\n./lab grade lab3\n```\n./no\n```cpp\nint x;\n```\n```sh\nctest -N\n```\n");
    ASSERT_EQ(commands.size(), 3U);
    EXPECT_TRUE(commands[0].is_run_elsewhere);
    EXPECT_TRUE(commands[1].may_lose_points);
    EXPECT_EQ(commands[2].line, "ctest -N");
    EXPECT_FALSE(commands[2].may_lose_points);
}

TEST(Readme, KnowsWhatGradesUnsolvedLabsAndWhatNeedsAGpu) {
    const auto commands =
        commands_in("```sh\n./lab grade --from solutions\n./lab --backend gpu grade --solutions\nctest --preset emulator -R lab3\n```\n");
    EXPECT_FALSE(commands.at(0).may_lose_points);
    EXPECT_TRUE(commands.at(1).needs_gpu);
    EXPECT_FALSE(commands.at(1).may_lose_points);
    EXPECT_TRUE(commands.at(2).may_lose_points);
}

TEST(Readme, KnowsWhatTakesMinutes) {
    EXPECT_TRUE(commands_in("```sh\ntests/gpu/on_device.sh\n```\n").at(0).takes_minutes);
    EXPECT_FALSE(commands_in("```sh\n./lab grade lab2\n```\n").at(0).takes_minutes);
}

TEST(Readme, AddsWhatMakesACommandEndAndKeepsAStudentsFiles) {
    const auto commands = commands_in("```sh\n./lab watch lab3\n./lab reset lab3\n./lab hint lab3\n./lab watch lab3 --once\n```\n");
    EXPECT_EQ(commands.at(0).added, " --once");
    EXPECT_TRUE(commands.at(0).may_lose_points);
    EXPECT_EQ(commands.at(1).added, " --dry-run");
    EXPECT_EQ(commands.at(2).added, "");
    EXPECT_FALSE(commands.at(2).may_lose_points);
    EXPECT_EQ(commands.at(3).added, "");
}

// A command that is not run is only checked for a script that parses or a subcommand that exists.
TEST(Readme, ChecksTheShapeOfCommandsThatAreNotRun) {
    EXPECT_EQ(stand_in("tests/gpu/on_device.sh"), "bash -n tests/gpu/on_device.sh");
    EXPECT_EQ(stand_in("tests/gpu/on_device.sh results 300"), "bash -n tests/gpu/on_device.sh");
    EXPECT_EQ(stand_in("./lab --backend gpu grade --solutions"), "./lab --backend emulator grade --solutions --help");
}

TEST(Readme, FindsLinksThatLeadNowhere) {
    const std::filesystem::path folder = std::string(LAB_SOURCE_FOLDER) + "/handouts";
    const auto dead =
        dead_links("[a](counters.md) [b](../README.md#two-commands) [c](no_such_file.md) [d](https://example.org/x.md)", folder);
    EXPECT_EQ(dead, std::vector<std::string>{"no_such_file.md"});
}

TEST(Readme, ThePrimersFirstProgramIsTheOneThatRuns) {
    const std::string program = read_whole(LAB_SOURCE_FOLDER "/tests/emulator/programs/first_program.cu");
    ASSERT_FALSE(program.empty());
    EXPECT_NE(read_whole(LAB_SOURCE_FOLDER "/handouts/primer.md").find("```cpp\n" + program + "```\n"), std::string::npos);
}

TEST(Readme, OursShowsTheTwoCommandsFirst) {
    const auto commands = commands_in(read_whole(LAB_SOURCE_FOLDER "/README.md"));
    ASSERT_GE(commands.size(), 2U);
    EXPECT_EQ(commands[0].line, "./lab grade --solutions");
    EXPECT_EQ(commands[1].line, "./lab test");
}

}  // namespace
}  // namespace lab::tools
