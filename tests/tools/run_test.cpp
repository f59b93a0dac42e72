// `lab run` from the outside, with a "compiler" that copies: programs here are bash scripts.
#include <gtest/gtest.h>

#include <filesystem>
#include <future>

#include "tests/tools/copying_build.h"

namespace lab::tools {
namespace {

class Run : public ::testing::Test {
protected:
    [[nodiscard]] Ending lab(std::vector<std::string> words) const {
        words.insert(words.begin(), "run");
        return build_.lab(words);
    }
    [[nodiscard]] std::size_t compilations() const { return build_.compilations(); }
    CopyingBuild build_;
    const Sandbox& box_ = build_.box();
};

TEST_F(Run, EndsAsTheProgramEnds) {
    box_.write("ok.cu", "#!/bin/bash\necho fine\n");
    box_.write("seven.cu", "#!/bin/bash\nexit 7\n");
    box_.write("fault.cu", "#!/bin/bash\nexit 70\n");
    EXPECT_EQ(lab({"ok.cu"}).status, 0);
    EXPECT_NE(lab({"ok.cu"}).output.find("fine"), std::string::npos);
    EXPECT_EQ(lab({"seven.cu"}).status, 7);
    EXPECT_EQ(lab({"fault.cu"}).status, 70);
}

TEST_F(Run, NamesTheSignalThatEndedTheProgram) {
    box_.write("crash.cu", "#!/bin/bash\nkill -SEGV $$\n");
    const Ending ending = lab({"crash.cu"});
    EXPECT_EQ(ending.status, 128 + 11) << ending.output;
    EXPECT_NE(ending.output.find("crash.cu was ended by SIGSEGV"), std::string::npos) << ending.output;
}

TEST_F(Run, GivesTheProgramItsArgumentsAndItsSettings) {
    box_.write("show.cu", "#!/bin/bash\necho \"args:$*\"; env | grep ^LAB_ | sort\n");
    const Ending ending = lab({"show.cu", "--report", "--device", "h100", "--threads", "2", "--max-instructions", "99", "--json",
                               "out.json", "--", "-x", "--report", "3"});
    EXPECT_NE(ending.output.find("args:-x --report 3\n"), std::string::npos) << ending.output;
    for (const std::string setting :
         {"LAB_REPORT=1", "LAB_DEVICE=h100", "LAB_THREADS=2", "LAB_MAX_INSTRUCTIONS=99", "LAB_EXIT_ON_FAULT=1"}) {
        EXPECT_NE(ending.output.find(setting + "\n"), std::string::npos) << setting << "\n" << ending.output;
    }
    EXPECT_NE(ending.output.find("LAB_JSON=" + (box_.folder() / "out.json").string() + "\n"), std::string::npos) << ending.output;
}

TEST_F(Run, PassesCompilerFlagsThrough) {
    box_.write("ok.cu", "#!/bin/bash\n");
    box_.write("inc/x.h", "");
    EXPECT_EQ(lab({"ok.cu", "-Iinc", "-DN=3", "-D", "M", "-std=c++14", "-O1"}).status, 0);
    const std::string log = box_.read("compile.log");
    EXPECT_NE(log.find("-I" + (box_.folder() / "inc").string() + " -DN=3 -DM -std=c++14 -O1"), std::string::npos) << log;
}

TEST_F(Run, TakesNvccsOptions) {
    box_.write("ok.cu", "#!/bin/bash\n");
    const Ending ending = lab({"-arch=sm_80", "-gencode", "arch=compute_80,code=sm_80", "-rdc", "true", "-Xptxas", "-v", "-lineinfo", "-o",
                               "x", "-Xcompiler=-Wall,-fopenmp", "-march=native", "-fmad=false", "-lcublas", "-lm", "-l", "z", "ok.cu"});
    EXPECT_EQ(ending.status, 0) << ending.output;
    const std::string log = box_.read("compile.log");
    EXPECT_NE(log.find("object.o -ffp-contract=off -Wall -fopenmp -march=native\n"), std::string::npos) << log;
    EXPECT_EQ(box_.read("link.log"), "-fopenmp -lm -lz\n");
}

TEST_F(Run, CompilesAgainOnlyWhatChanged) {
    box_.write("ok.cu", "#!/bin/bash\nexit 1\n");
    EXPECT_EQ(lab({"ok.cu"}).status, 1);
    EXPECT_EQ(lab({"ok.cu"}).status, 1);
    EXPECT_EQ(compilations(), 1U);
    box_.write("ok.cu", "#!/bin/bash\nexit 2\n");
    EXPECT_EQ(lab({"ok.cu"}).status, 2);
    EXPECT_EQ(compilations(), 2U);
    EXPECT_EQ(lab({"ok.cu", "-DX"}).status, 2);
    EXPECT_EQ(compilations(), 3U) << "other flags are another program";
}

TEST_F(Run, AnswersBadInputWithStatusTwo) {
    box_.write("bad.cu", "syntax error");
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{"nowhere.cu"}, "nowhere.cu: no such file"},
        {{"bin"}, "bin: not a file"},
        {{"bad.cu"}, "bad.cu does not compile:"},
        {{"bad.cu", "-Ino"}, "-I no: no such folder"},
        {{"bad.cu", "-O9"}, "the levels are"},
        {{}, "FILE is required"},
        {{"bad.cu", "-c"}, "-c: leave it out"},
        {{"bad.cu", "more.cu"}, "more.cu: lab runs a program of one source file"},
        {{"bad.cu", "-arch"}, "-arch needs a value"},
        {{"bad.cu", "--threads", "x"}, "--threads"},
        {{"bad.cu", "--json", "a/b/c"}, "can't write there"},
    };
    for (const auto& [words, text] : cases) {
        const Ending ending = lab(words);
        EXPECT_EQ(ending.status, 2) << text;
        EXPECT_NE(ending.output.find(text), std::string::npos) << ending.output;
    }
}

// Ninja has no lock: two of them would both compile what neither has finished.
TEST_F(Run, TwoAtOnceBuildTheRuntimeOnce) {
    std::filesystem::rename(box_.folder() / "bin/ninja", box_.folder() / "bin/commands_of_the_build");
    box_.program("bin/ninja", R"(
[[ $3 != -t ]] || exec commands_of_the_build "$@"
[[ ! -e $2/runtime.o ]] || exit 0
sleep 0.5; echo "$2" >> "$2/made"; touch "$2/runtime.o")");
    box_.write("one.cu", "#!/bin/bash\nexit 0\n");
    box_.write("two.cu", "#!/bin/bash\nexit 0\n");
    const auto started = [&](const char* file) { return std::async(std::launch::async, [=, this] { return lab({file}); }); };
    auto first = started("one.cu");
    auto second = started("two.cu");
    for (const Ending& ending : {first.get(), second.get()}) EXPECT_EQ(ending.status, 0) << ending.output;
    EXPECT_EQ(box_.read("build/made"), (box_.folder() / "build").string() + "\n");
}

}  // namespace
}  // namespace lab::tools
