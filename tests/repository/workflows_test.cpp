// Files and commands of the workflows exist, and their steps can be tried here.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "common/tools/process.h"
#include "tests/repository/repository.h"
#include "tests/tools/sandbox.h"

namespace lab::repository {
namespace {
namespace fs = std::filesystem;
using tools::Ending;

constexpr const char* tests_workflow = ".github/workflows/tests.yml";
constexpr const char* grade_example = ".github/examples/grade.yml";

Ending try_workflow(const std::vector<std::string>& words) {
    tools::Command command{{".github/try_workflow.sh"}, LAB_SOURCE_FOLDER, {}};
    command.words.insert(command.words.end(), words.begin(), words.end());
    return tools::run(command);
}

// The commands of each step, in order.
std::vector<std::string> steps_of(const std::string& file) {
    std::vector<std::string> steps;
    const Ending list = try_workflow({file});
    EXPECT_EQ(list.status, 0) << list.output;
    for (std::size_t i = 1; i <= lines_of(list.output).size(); ++i)
        steps.push_back(try_workflow({file, "--print", std::to_string(i)}).output);
    return steps;
}

std::string all_steps_of(const std::string& file) {
    std::string all;
    for (const std::string& step : steps_of(file)) all += step;
    return all;
}

class EachWorkflow : public ::testing::TestWithParam<const char*> {};

TEST_P(EachWorkflow, HasNoStepThatTheScriptMisses) {
    const std::vector<std::string> lines = lines_of(text_of(GetParam()));
    const auto runs =
        std::count_if(lines.begin(), lines.end(), [](const std::string& line) { return line.find(" run: ") != std::string::npos; });
    EXPECT_GT(runs, 0);
    EXPECT_EQ(static_cast<std::size_t>(runs), steps_of(GetParam()).size());
}

TEST_P(EachWorkflow, HasStepsThatParse) {
    const tools::Sandbox box;
    for (const std::string& step : steps_of(GetParam())) {
        const Ending ending = tools::run({{"bash", "-n", box.write("step.sh", step).string()}, {}, {}});
        EXPECT_TRUE(ending.ok()) << step << ending.output;
    }
}

TEST_P(EachWorkflow, AsksOfLabWhatItKnows) {
    int calls = 0;
    for (const std::string& line : lines_of(all_steps_of(GetParam()))) {
        if (line.find("./lab ") == std::string::npos) continue;
        EXPECT_EQ(refused_by_lab(line), "") << line;
        ++calls;
    }
    EXPECT_GT(calls, 0);
}

TEST_P(EachWorkflow, NamesOnlyProgramsOfTheProjectThatAreThere) {
    const std::string all = all_steps_of(GetParam());
    static const std::regex program(R"((?:^|\s)(\.[\w./-]+/[\w.-]+|\./\w+))");
    for (std::sregex_iterator at(all.begin(), all.end(), program), end; at != end; ++at)
        EXPECT_TRUE(fs::exists(fs::path(LAB_SOURCE_FOLDER) / (*at)[1].str())) << (*at)[1];
}

// Lint treats any new file that git doesn't ignore as changed, and would then check nothing else.
TEST_P(EachWorkflow, WritesOnlyWhatGitIgnores) {
    const std::string all = all_steps_of(GetParam());
    static const std::regex written(R"((?:tee|--json) (\S+))");
    int files = 0;
    for (std::sregex_iterator at(all.begin(), all.end(), written), end; at != end; ++at, ++files)
        EXPECT_EQ((*at)[1].str().rfind("build/", 0), 0U) << (*at)[1];
    EXPECT_GT(files, 0);
}

INSTANTIATE_TEST_SUITE_P(Workflows, EachWorkflow, ::testing::Values(tests_workflow, grade_example),
                         [](const auto& file) { return fs::path(file.param).stem().string(); });

TEST(Workflows, RunTheContributorsTierAtEachPushAndTheFullOneByNight) {
    const std::string steps = all_steps_of(tests_workflow);
    EXPECT_NE(steps.find("./lab --yes test 2>"), std::string::npos) << steps;
    EXPECT_NE(steps.find("./lab --yes test --full 2>"), std::string::npos) << steps;
    EXPECT_NE(text_of(tests_workflow).find("cron:"), std::string::npos);
    EXPECT_NE(text_of(".ci/run").find("./lab --yes test --full --quarter \"$quarter\""), std::string::npos);
}

// Both architectures run the same jobs, and keep their logs apart.
TEST(Workflows, RunOnBothArchitectures) {
    const std::string text = text_of(tests_workflow);
    const auto count = [&](const std::string& words) {
        int found = 0;
        for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++found;
        return found;
    };
    const int jobs = count("    steps:\n");
    EXPECT_EQ(count("        runner: [ubuntu-24.04, ubuntu-24.04-arm]\n    runs-on: ${{ matrix.runner }}\n"), jobs);
    EXPECT_EQ(count("-${{ matrix.runner }}\n"), count("upload-artifact"));
    EXPECT_EQ(count("runs-on:"), jobs);
}

TEST(Workflows, AreTriedAsGitHubRunsThem) {
    const tools::Sandbox box;
    const std::string file = box.write("w.yml",
                                       "jobs:\n  one:\n    steps:\n      - uses: a/b@v1\n      - name: Say it\n        run: |\n"
                                       "          echo \"in $GITHUB_WORKSPACE\"\n          false | true\n          echo never\n"
                                       "      - name: Sum up\n        if: always()\n        run: echo '# sum' >\"$GITHUB_STEP_SUMMARY\"\n");
    EXPECT_EQ(try_workflow({file}).output, "1 one: Say it\n2 one: Sum up\n");
    const Ending first = try_workflow({file, "1", "2"});
    EXPECT_EQ(first.status, 1) << first.output;
    EXPECT_NE(first.output.find("in " + std::string(LAB_SOURCE_FOLDER)), std::string::npos) << first.output;
    EXPECT_EQ(first.output.find("never"), std::string::npos) << first.output;
    const Ending second = try_workflow({file, "2"});
    EXPECT_EQ(second.status, 0);
    EXPECT_NE(second.output.find("--- the summary:\n# sum\n"), std::string::npos) << second.output;
}

TEST(Workflows, AreRefusedInOneLineWhereTheyAreNone) {
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{}, {"no.yml"}, {tests_workflow, "99"}, {"README.md"}}) {
        const Ending ending = try_workflow(words);
        EXPECT_EQ(ending.status, 2) << ending.output;
        EXPECT_EQ(lines_of(ending.output).size(), 1U) << ending.output;
    }
}

}  // namespace
}  // namespace lab::repository
