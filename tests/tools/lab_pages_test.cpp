// Each lab's page and both tables of labs agree with the folders, files, titles and points.
#include "tests/tools/lab_pages.h"

#include <gtest/gtest.h>

#include <regex>

#include "common/tools/project.h"
#include "common/tools/safe_files.h"
#include "tests/tools/sandbox.h"

namespace lab::tools {
namespace {
namespace fs = std::filesystem;

using Differences = std::vector<std::string>;

TestScore worth(const std::string& group, double points) {
    TestScore test;
    test.group = group;
    test.points = points;
    return test;
}

TEST(LabPages, SayWhatEachLabIsCalledAndWhereItIs) { EXPECT_EQ(differences_of_pages(LAB_SOURCE_FOLDER), Differences()); }

TEST(LabPages, SayWhatTheTestsAreWorth) {
    const Project project = Project::current();
    int labs = 0;
    for (const Lab& lab : project.labs()) {
        const std::string handout = read_whole(project.root / "handouts" / (lab.folder + ".md"));
        EXPECT_EQ(differences_of_points(handout, described_tests(project.build / "bin", lab.name())), Differences()) << lab.name();
        ++labs;
    }
    EXPECT_GT(labs, 0);
}

TEST(LabPages, ThatDifferFromTheSuiteAreTold) {
    const std::vector<TestScore> tests{worth("correct", 50), worth("correct", 10), worth("safe", 20), worth("fast", 20)};
    EXPECT_EQ(differences_of_points("| correct | 60 | a (50), b (10 times) |\n| safe | 20 | c |\n", tests),
              (Differences{"correct: 60 points are shared out as 50", "fast: 20 points, and no row in the handout"}));
    EXPECT_EQ(differences_of_points("| correct | 61 | |\n| safe | 20 | |\n| fast | 20 | |\n| host | 1 | |\n", tests),
              (Differences{"correct: the handout says 61, the suite 60", "host: the handout says 1, the suite none"}));
    EXPECT_EQ(differences_of_points("| correct | 60 | |\n", {worth("correct", 60)}),
              Differences{"the suite's tests have 60 points, not 100"});
}

TEST(LabPages, ThatDifferFromTheFoldersAreTold) {
    const Sandbox box;
    box.write("labs/lab1_first/first.cpp", "");
    box.write("labs/lab2_second/second.cu", "");
    box.write("labs/lab3_third/third.cu", "");
    box.write("handouts/lab1_first.md", "# Lab 1 · The first\n");
    box.write("handouts/lab2_second.md", "# The second\n");
    box.write("README.md",
              "| lab | you write | in |\n| lab1 | a | `labs/lab1_first/first.cpp` |\n| lab2 | b | `labs/lab2_second/2.cu` |\n");
    box.write("handouts/README.md", "| step |\n| [Lab 1 · First](lab1_first.md) |\n");
    const std::string wrong_title =
        "handouts/README.md: row 1 of the labs is '[Lab 1 · First](lab1_first.md)', has to be '[Lab 1 · The first](lab1_first.md)'";
    EXPECT_EQ(
        differences_of_pages(box.folder()),
        (Differences{"handouts/lab2_second.md: its first line is 'The second', has to begin with '# Lab 2 · '",
                     "handouts/lab3_third.md: there is no such handout",
                     "README.md: row 2 of the labs is 'lab2: `labs/lab2_second/2.cu`', has to be 'lab2: `labs/lab2_second/second.cu`'",
                     "README.md: row 3 of the labs is 'none', has to be 'lab3: `labs/lab3_third/third.cu`'", wrong_title,
                     "handouts/README.md: row 2 of the labs is 'none', has to be '[The second](lab2_second.md)'"}));
}

// Labs are found by their folders: no other code of the project names one by number.
TEST(LabPages, AndFoldersAloneNameLabsByNumber) {
    const fs::path root = LAB_SOURCE_FOLDER;
    std::vector<fs::path> files{root / "CMakeLists.txt", root / "lab", root / "tests/CMakeLists.txt", root / "tests/labs/CMakeLists.txt",
                                root / "tests/tools/CMakeLists.txt"};
    static const std::regex of_a_lab("common/(labs/lab[0-9]+|stubs)/.*");
    // Links, the steps for adding a lab, and the rows that were measured on GPUs, which are the first six labs'.
    static const std::regex exceptions("common/(api/.*|ADDING\\.md|classroom/packaging/README\\.students)");
    for (const auto& entry : fs::recursive_directory_iterator(root / "common")) {
        const std::string file = fs::relative(entry.path(), root);
        if (entry.is_regular_file() && !std::regex_match(file, of_a_lab) && !std::regex_match(file, exceptions))
            files.push_back(entry.path());
    }
    EXPECT_GT(files.size(), 400U);
    static const std::regex number("[Ll]ab_?[0-9]");
    for (const fs::path& file : files) {
        std::smatch found;
        const std::string text = read_whole(file);
        EXPECT_FALSE(std::regex_search(text, found, number)) << fs::relative(file, root) << ": " << found.str();
    }
}

}  // namespace
}  // namespace lab::tools
