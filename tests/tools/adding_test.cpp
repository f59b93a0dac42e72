// common/ADDING.md: the files that it names exist, and its steps give a lab and a device that work.
#include <glob.h>
#include <gtest/gtest.h>

#include <regex>

#include "common/tools/process.h"
#include "common/tools/safe_files.h"
#include "common/tools/self_test/readme.h"
#include "tests/tools/lab_pages.h"
#include "tests/tools/sandbox.h"

namespace lab::tools {
namespace {
namespace fs = std::filesystem;

const fs::path root = LAB_SOURCE_FOLDER;

std::string text() { return read_whole(root / "common/ADDING.md"); }

// The text below "## A lab", say, up to the next heading.
std::string section(const std::string& heading) {
    const std::string all = text();
    const std::size_t begin = all.find("\n## " + heading + "\n");
    if (begin == std::string::npos) return "";
    return all.substr(begin, all.find("\n## ", begin + 1) - begin);
}

// A copy of the project as a clone has it, without builds.
class Copy {
public:
    Copy() {
        fs::create_directory(project());
        for (const char* part :
             {"common", "handouts", "labs", "solutions", "tests", "CMakeLists.txt", "CMakePresets.json", "README.md", "lab"})
            fs::copy(root / part, project() / part, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
    }
    [[nodiscard]] fs::path project() const { return box_.folder() / "project"; }
    [[nodiscard]] Ending run(const std::string& line) const {
        return tools::run({{"bash", "-c", line}, project().string(), {{"LAB_BACKEND", "emulator"}}});
    }
    // Inserts a row behind the last one that begins alike.
    void add_row(const std::string& file, const std::string& row, const std::string& beginning) const {
        std::string page = read_whole(project() / file);
        const std::size_t last = page.rfind("\n" + beginning);
        ASSERT_NE(last, std::string::npos) << file;
        page.insert(page.find('\n', last + 1) + 1, row + "\n");
        box_.write("project/" + file, page);
    }

private:
    Sandbox box_;
};

std::string row_in(const std::string& markdown, const std::string& beginning) {
    const std::size_t begin = markdown.find("\n" + beginning);
    return begin == std::string::npos ? "" : markdown.substr(begin + 1, markdown.find('\n', begin + 1) - begin - 1);
}

// Runs the section's commands in order. Those that may lose points have to; all others end with 0.
void run_commands_of(const std::string& heading, const Copy& copy) {
    const std::vector<ReadmeCommand> commands = commands_in(section(heading));
    ASSERT_FALSE(commands.empty()) << heading;
    for (const ReadmeCommand& command : commands) {
        const Ending ending = copy.run(command.line);
        const bool as_it_should = command.may_lose_points ? ending.status == 1 || ending.status == 8 : ending.ok();
        ASSERT_TRUE(as_it_should) << command.line << " ended with status " << ending.status << ":\n" << ending.output;
    }
}

TEST(Adding, NamesFilesThatAreThere) {
    static const std::regex path("`([a-z_]+/[a-zA-Z0-9_/.*]+)`");
    const std::string all = text();
    int files = 0;
    for (std::sregex_iterator at(all.begin(), all.end(), path), end; at != end; ++at, ++files) {
        const std::string file = (*at)[1];
        const fs::path example = root / "tests/tools/adding/lab99" / file;
        const bool is_made_by_a_step = file.rfind("common/stubs/lab99", 0) == 0 || file.find("baseline") != std::string::npos;
        glob_t matches{};
        const bool is_there = glob((root / file).c_str(), 0, nullptr, &matches) == 0;
        globfree(&matches);
        EXPECT_TRUE(is_there || fs::exists(example) || is_made_by_a_step) << file;
    }
    EXPECT_GT(files, 30);
    EXPECT_EQ(dead_links(all, root / "common"), std::vector<std::string>{"lab99_vector_add.md"}) << "but the row of the example";
}

TEST(Adding, NamesEachFileOfTheExample) {
    const std::string steps = section("A lab");
    const fs::path example = root / "tests/tools/adding/lab99";
    for (const auto& entry : fs::recursive_directory_iterator(example)) {
        if (!entry.is_regular_file()) continue;
        const std::string file = fs::relative(entry.path(), example);
        EXPECT_NE(steps.find("`" + file + "`"), std::string::npos) << file;
    }
}

TEST(Adding, ALabAndADeviceTakesNoMoreThanTheText) {
    const Copy copy;
    copy.add_row("README.md", row_in(section("A lab"), "| lab99 |"), "| lab");
    copy.add_row("handouts/README.md", row_in(section("A lab"), "| [Lab 99"), "| [Lab ");
    ASSERT_NO_FATAL_FAILURE(run_commands_of("A lab", copy));
    EXPECT_EQ(differences_of_pages(copy.project()), std::vector<std::string>());
    EXPECT_EQ(differences_of_points(read_whole(copy.project() / "handouts/lab99_vector_add.md"),
                                    described_tests(copy.project() / "build/emulator/bin", "lab99")),
              std::vector<std::string>());
    const Ending solved = copy.run("./lab grade lab99 --from solutions");
    EXPECT_NE(solved.output.find("100/100"), std::string::npos) << solved.output;
    ASSERT_NO_FATAL_FAILURE(run_commands_of("A device", copy));
    EXPECT_NE(copy.run("./lab devices").output.find("example"), std::string::npos);
}

}  // namespace
}  // namespace lab::tools
