// A stub and its solution are the same file outside the student's regions.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace lab::grading {
namespace {
namespace fs = std::filesystem;

const std::string begins = "// >>> your code";
const std::string ends = "// <<< your code";

std::string trimmed(const std::string& line) {
    const auto first = line.find_first_not_of(' ');
    return first == std::string::npos ? "" : line.substr(first);
}

// The file less what lies inside its regions; `regions` counts them, `problem` says what is wrong with the markers.
std::string outside_regions(std::istream& file, int* regions, std::string* problem) {
    std::string text;
    bool inside = false;
    for (std::string line; std::getline(file, line);) {
        const std::string mark = trimmed(line);
        if (mark == begins) {
            if (inside) {
                *problem = "a region starts inside a region";
            }
            inside = true;
            ++*regions;
            text += line + "\n";
        } else if (mark == ends) {
            if (!inside) {
                *problem = "a region ends that never started";
            }
            inside = false;
        }
        if (!inside) {
            text += line + "\n";
        }
    }
    if (inside) {
        *problem = "the last region never ends";
    }
    return text;
}

std::string outside_regions(const fs::path& path, int* regions) {
    std::ifstream file(path);
    std::string problem = file ? "" : "can't be read";
    auto text = outside_regions(file, regions, &problem);
    EXPECT_EQ(problem, "") << path;
    return text;
}

TEST(Mirror, EachStubIsItsSolutionOutsideTheStudentsRegions) {
    const fs::path root = LAB_PROJECT_FOLDER;
    int files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(root / "solutions")) {
        if (!entry.is_regular_file()) {
            continue;
        }
        ++files;
        const auto name = fs::relative(entry.path(), root / "solutions");
        int solved = 0;
        int stubbed = 0;
        EXPECT_EQ(outside_regions(entry.path(), &solved), outside_regions(root / "labs" / name, &stubbed)) << name;
        EXPECT_EQ(solved, stubbed) << name;
        EXPECT_GE(solved, 2) << name << " leaves nothing for the student to write";
    }
    EXPECT_GE(files, 3);
    for (const auto& entry : fs::recursive_directory_iterator(root / "labs")) {
        if (entry.is_regular_file()) {
            EXPECT_TRUE(fs::exists(root / "solutions" / fs::relative(entry.path(), root / "labs"))) << entry.path();
        }
    }
}

TEST(Mirror, SeesADifferenceOutsideAndNoneInside) {
    const auto text = [](const std::string& given, const std::string& own) {
        std::istringstream file(given + "\n    // >>> your code\n" + own + "\n    // <<< your code\n");
        int regions = 0;
        std::string problem;
        return outside_regions(file, &regions, &problem) + problem;
    };
    EXPECT_EQ(text("int x;", "a"), text("int x;", "b\nc"));
    EXPECT_NE(text("int x;", "a"), text("int y;", "a"));
}

}  // namespace
}  // namespace lab::grading
