// `lab reset`: restores the stub, and keeps the student's file.
#include "tests/tools/stand_in_project.h"

namespace lab::tools {
namespace {
namespace fs = std::filesystem;

const std::string lab3 = "root/labs/lab3_shared_tiling/tiled.cu";

class Reset : public StandInProject {
protected:
    Reset() {
        box_.write("root/common/stubs/lab1_cpu_baseline/baseline.cpp", "stub 1\n");
        box_.write("root/common/stubs/lab3_shared_tiling/tiled.cu", "stub 3\n");
        box_.write(lab3, "mine\n");
    }
    [[nodiscard]] int files() const {
        const fs::directory_iterator all(box_.folder() / fs::path(lab3).parent_path());
        return static_cast<int>(std::distance(fs::begin(all), fs::end(all)));
    }
};

TEST_F(Reset, PutsTheStubBackAndKeepsTheStudentsFileBesideIt) {
    const Ending ending = lab({"reset", "lab3"});
    EXPECT_EQ(ending.status, 0);
    EXPECT_SAYS(ending, "labs/lab3_shared_tiling/tiled.cu is back as it was shipped\n");
    EXPECT_SAYS(ending, "yours is kept: labs/lab3_shared_tiling/tiled.cu.bak\n");
    EXPECT_EQ(box_.read(lab3), "stub 3\n");
    EXPECT_EQ(box_.read(lab3 + ".bak"), "mine\n");
    EXPECT_EQ(files(), 2) << "nothing else may be left there";
    EXPECT_EQ(box_.read("root/labs/lab1_cpu_baseline/baseline.cpp"), "") << "another lab is none of its business";
}

TEST_F(Reset, NeverOverwritesAnEarlierCopy) {
    for (const char* mine : {"first\n", "second\n", "third\n"}) {
        box_.write(lab3, mine);
        EXPECT_EQ(lab({"reset", "lab3"}).status, 0);
    }
    EXPECT_EQ(box_.read(lab3 + ".bak"), "first\n");
    EXPECT_EQ(box_.read(lab3 + ".bak.2"), "second\n");
    EXPECT_EQ(box_.read(lab3 + ".bak.3"), "third\n");
    EXPECT_EQ(box_.read(lab3), "stub 3\n");
}

TEST_F(Reset, DoesNothingToAFileAsShipped) {
    box_.write(lab3, "stub 3\n");
    const Ending ending = lab({"reset", "lab3"});
    EXPECT_EQ(ending.status, 0);
    EXPECT_SAYS(ending, "nothing to do");
    EXPECT_EQ(files(), 1);
}

TEST_F(Reset, BringsBackAFileThatWasDeleted) {
    fs::remove_all(box_.folder() / "root/labs/lab3_shared_tiling");
    const Ending ending = lab({"reset", "3"});
    EXPECT_EQ(ending.status, 0) << ending.output;
    EXPECT_SAYS_NOT(ending, "kept");
    EXPECT_EQ(box_.read(lab3), "stub 3\n");
    EXPECT_EQ(files(), 1);
}

TEST_F(Reset, OnlySaysWhatItWouldDoInADryRun) {
    const Ending ending = lab({"reset", "lab3", "--dry-run"});
    EXPECT_EQ(ending.status, 0);
    EXPECT_SAYS(ending, "would put labs/lab3_shared_tiling/tiled.cu back as it was shipped and keep yours as tiled.cu.bak");
    EXPECT_EQ(box_.read(lab3), "mine\n");
    EXPECT_EQ(files(), 1);
}

TEST_F(Reset, LeavesWhatItCantReadAlone) {
    fs::remove(box_.folder() / lab3);
    fs::create_directory(box_.folder() / lab3);
    const Ending ending = lab({"reset", "lab3"});
    EXPECT_EQ(ending.status, 2);
    EXPECT_SAYS(ending, "can't read");
    EXPECT_TRUE(fs::is_directory(box_.folder() / lab3));
    EXPECT_EQ(files(), 1);
}

TEST_F(Reset, AnswersBadInputWithOneLineAndStatusTwo) {
    for (const auto& [words, text] :
         {std::pair<std::vector<std::string>, std::string>{{"reset"}, "say which lab, as in ./lab reset lab3; there are: lab1"},
          {{"reset", "lab9"}, "unknown lab 'lab9'; there are: lab1 (cpu baseline), lab3 (shared tiling)"},
          {{"reset", "lab1", "lab3"}, "lab3"}}) {
        const Ending ending = lab(words);
        EXPECT_EQ(ending.status, 2);
        EXPECT_SAYS(ending, text);
        EXPECT_EQ(std::count(ending.output.begin(), ending.output.end(), '\n'), 1) << ending.output;
    }
}

// Reset restores the shipped file. Like all of `./lab test`, this applies to labs/ before they are solved.
TEST(Stubs, AreTheFilesOfLabsAsShipped) {
    const fs::path root = LAB_SOURCE_FOLDER;
    const Sandbox nowhere;
    int files = 0;
    for (const char* folder : {"labs", "common/stubs"}) {
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            const std::string extension = entry.path().extension();
            if (extension != ".cu" && extension != ".cpp") continue;
            const fs::path file = fs::relative(entry.path(), root / folder);
            EXPECT_EQ(run({{"cmp", (root / "labs" / file).string(), (root / "common/stubs" / file).string()}, {}, {}}).output, "")
                << "edited? ./lab reset puts it back";
            ++files;
        }
    }
    EXPECT_GE(files, 6);
}

}  // namespace
}  // namespace lab::tools
