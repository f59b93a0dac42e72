// The git hooks, in a separate repository with the command that CONTRIBUTING.md names.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "common/tools/process.h"
#include "tests/repository/repository.h"
#include "tests/tools/sandbox.h"

namespace lab::repository {
namespace {
namespace fs = std::filesystem;
using tools::Ending;

class Hooks : public ::testing::Test {
protected:
    void SetUp() override {
        if (!has("git")) GTEST_SKIP() << "git is not installed";
        const fs::path source = LAB_SOURCE_FOLDER;
        fs::create_directories(box_.folder() / ".github");
        fs::copy(source / ".github/hooks", box_.folder() / ".github/hooks");
        for (const char* file : {".clang-format", ".clang-tidy"}) fs::copy_file(source / file, box_.folder() / file);
        shell("git init -q . && git config user.name Me && git config user.email me@example.org");
        EXPECT_NE(text_of(".github/CONTRIBUTING.md").find("    " + switched_on + "\n"), std::string::npos);
        shell(switched_on);
    }

    // In the box's folder; a repository that calls this test from a hook of its own is left alone.
    Ending shell(const std::string& line) const {
        return tools::run({{"bash", "-c", "unset $(git rev-parse --local-env-vars); " + line}, box_.folder().string(), {}});
    }
    // Result of a commit of this file with this text.
    Ending commit(const std::string& file, const std::string& text, const std::string& subject = "area: change it") const {
        box_.write(file, text);
        return shell("git add '" + file + "' && git commit -qm '" + subject + "'");
    }
    // Compile commands for files of common/, as a build has them.
    void have_build(const std::vector<std::string>& files) const {
        nlohmann::json all = nlohmann::json::array();
        for (const std::string& file : files) {
            const std::string path = (box_.folder() / file).string();
            all.push_back({{"directory", box_.folder().string()}, {"command", "c++ -std=c++20 -c " + path}, {"file", path}});
        }
        box_.write("build/tests/each_file/compile_commands.json", all.dump(1));
    }
    [[nodiscard]] bool has(const std::string& program) const { return shell("command -v " + program).ok(); }

    const std::string switched_on = "git config core.hooksPath .github/hooks";
    const std::string good = "int* nothing() { return nullptr; }\n";
    tools::Sandbox box_;
};

TEST_F(Hooks, LetAGoodCommitPassWithoutAWord) {
    have_build({"common/a.cpp"});
    const Ending ending = commit("common/a.cpp", good);
    EXPECT_EQ(ending.status, 0) << ending.output;
    if (has("clang-format-14") && has("clang-tidy-14")) {
        EXPECT_EQ(ending.output, "");
    }
    EXPECT_EQ(shell("git log --format=%s").output, "area: change it\n");
}

TEST_F(Hooks, RefuseWhatIsStagedUnformatted) {
    if (!has("clang-format-14")) GTEST_SKIP() << "clang-format-14 is not installed";
    const Ending ending = commit("labs/a.cu", "int  a;\n");
    EXPECT_EQ(ending.status, 1);
    EXPECT_EQ(ending.output.find("pre-commit: labs/a.cu: not formatted. Run: clang-format-14 -i labs/a.cu && git add labs/a.cu\n"), 0U)
        << ending.output;
    // The staged text counts, not the file in the folder.
    box_.write("labs/a.cu", "int a;\n");
    EXPECT_EQ(shell("git commit -qm 'area: change it'").status, 1);
    EXPECT_EQ(shell("git add labs/a.cu && git commit -qm 'area: change it'").status, 0);
}

TEST_F(Hooks, RefuseAUnitThatLintObjectsTo) {
    if (!has("clang-tidy-14")) GTEST_SKIP() << "clang-tidy-14 is not installed";
    have_build({"common/a.cpp"});
    const Ending ending = commit("common/a.cpp", "int* nothing() { return 0; }\n");
    EXPECT_EQ(ending.status, 1);
    EXPECT_EQ(ending.output.find("common/a.cpp:1:25: error: use nullptr [modernize-use-nullptr"), 0U) << ending.output;
    EXPECT_NE(ending.output.find("pre-commit: clang-tidy objects; ./lab test --only tidy shows it again\n"), std::string::npos);
    EXPECT_EQ(shell("git commit -qnm 'area: change it'").status, 0);
}

TEST_F(Hooks, LeaveOutWhatWasFoundClean) {
    if (!has("clang-tidy-14")) GTEST_SKIP() << "clang-tidy-14 is not installed";
    have_build({"common/a.cpp"});
    EXPECT_EQ(commit("common/a.cpp", good).output, "");
    const std::string stamp = "build/tests/tidy/common+a.cpp";
    EXPECT_TRUE(fs::exists(box_.folder() / stamp));
    // Only the stamp counts: a wrong unit would pass if it were older.
    shell("touch -d 'now + 1 minute' " + stamp);
    EXPECT_EQ(commit("common/a.cpp", "int* nothing() { return 0; }\n").output, "");
    box_.write("common/b.h", "");
    shell("touch -d 'now + 2 minutes' common/b.h");
    EXPECT_EQ(commit("common/a.cpp", "int* other() { return 0; }\n").status, 1);
}

TEST_F(Hooks, SayWhatTheyLeaveOut) {
    const Ending without_build = commit("common/a.cpp", good);
    EXPECT_EQ(without_build.status, 0);
    EXPECT_NE(without_build.output.find("pre-commit: not linted (no build has compile commands; ./lab test makes one): common/a.cpp\n"),
              std::string::npos)
        << without_build.output;
    have_build({"common/a.cpp"});
    const Ending unknown = commit("common/b.cpp", good);
    EXPECT_EQ(unknown.status, 0);
    EXPECT_NE(unknown.output.find("pre-commit: not linted (no compile command, or more than 4 units): common/b.cpp\n"), std::string::npos)
        << unknown.output;
}

TEST_F(Hooks, SayThatToolsAreMissing) {
    shell("mkdir bin && for program in bash env git grep sed sort xargs mktemp nproc rm; do ln -s $(command -v $program) bin/; done");
    have_build({"common/a.cpp"});
    box_.write("common/a.cpp", "int* nothing() { return 0; }\n");
    const Ending ending = shell("git add common && PATH=$PWD/bin git commit -qm 'area: change it'");
    EXPECT_EQ(ending.status, 0) << ending.output;
    EXPECT_EQ(ending.output,
              "pre-commit: skipped the format: clang-format-14 is not installed\n"
              "pre-commit: skipped the lint: clang-tidy-14 is not installed\n");
}

TEST_F(Hooks, AskForTheFormOfASubject) {
    const auto told = [&](const std::string& subject) { return shell("git commit -q --allow-empty -m '" + subject + "'").output; };
    EXPECT_EQ(told("area: change it"), "");
    EXPECT_EQ(told("Merge branch of another"), "");
    EXPECT_EQ(told("Change it").find("commit-msg: the subject has to begin with an area"), 0U);
    EXPECT_EQ(told("area: change it.").find("commit-msg: the subject ends with a full stop"), 0U);
    EXPECT_EQ(told("area: " + std::string(54, 'x')), "");
    EXPECT_EQ(told("area: " + std::string(55, 'x')).find("commit-msg: the subject has 61 characters"), 0U);
    EXPECT_EQ(lines_of(shell("git log --format=%s").output).size(), 3U);
}

}  // namespace
}  // namespace lab::repository
