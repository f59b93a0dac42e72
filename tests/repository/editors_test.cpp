// Files for containers and VS Code parse, and the names in them exist.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "tests/repository/repository.h"
#include "tests/tools/front_door.h"

namespace lab::repository {
namespace {

constexpr const char* containers[] = {".devcontainer/devcontainer.json", ".devcontainer/gpu/devcontainer.json"};

std::set<std::string> words_of(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

nlohmann::json task(const std::string& label) {
    const nlohmann::json file = json_of(".vscode/tasks.json");
    for (const auto& each : file.at("tasks")) {
        if (each.at("label") == label) return each;
    }
    return {};
}

TEST(Editors, RecommendWhatTheContainersHave) {
    const auto recommended = json_of(".vscode/extensions.json").at("recommendations");
    for (const char* file : containers) EXPECT_EQ(json_of(file).at("customizations").at("vscode").at("extensions"), recommended) << file;
    EXPECT_EQ(json_of(".vscode/settings.json").at("cmake.useCMakePresets"), "always");
}

TEST(Editors, ConfigureAPresetThatExists) {
    const nlohmann::json presets = json_of("CMakePresets.json");
    for (const char* file : containers) {
        const std::string command = json_of(file).at("postCreateCommand");
        std::smatch name;
        ASSERT_TRUE(std::regex_search(command, name, std::regex("cmake --preset (\\S+)"))) << command;
        const auto& all = presets.at("configurePresets");
        EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const auto& preset) { return preset.at("name") == name[1].str(); })) << command;
        EXPECT_EQ(refused_by_lab(command), "");
    }
    // The name that the handout tells the reader to choose.
    const auto& all = presets.at("configurePresets");
    const auto emulator = std::find_if(all.begin(), all.end(), [](const auto& preset) { return preset.at("name") == "emulator"; });
    ASSERT_NE(emulator, all.end());
    EXPECT_NE(text_of("handouts/where_to_work.md").find("*" + emulator->at("displayName").get<std::string>() + "*"), std::string::npos);
}

TEST(Editors, AskOfLabWhatItKnows) {
    const nlohmann::json file = json_of(".vscode/tasks.json");
    int tasks = 0;
    for (const auto& each : file.at("tasks")) {
        EXPECT_EQ(refused_by_lab(each.at("command")), "") << each;
        ++tasks;
    }
    EXPECT_GT(tasks, 0);
    EXPECT_EQ(task("Grade this lab").at("group").at("isDefault"), true);
}

// Lines in the form of suites and compilers (tests/mutants has whole messages).
TEST(Editors, MakeALinkOfAPlaceInAMessage) {
    const auto pattern = task("Grade this lab").at("problemMatcher").at("pattern");
    const std::regex regex(pattern.at("regexp").get<std::string>());
    const auto place_in = [&](const std::string& line) {
        std::smatch match;
        if (!std::regex_match(line, match, regex)) return std::string();
        return match[pattern.at("file").get<std::size_t>()].str() + "|" + match[pattern.at("line").get<std::size_t>()].str() + "|" +
               match[pattern.at("column").get<std::size_t>()].str();
    };
    EXPECT_EQ(place_in("      where: shared_tiling.cu:78 in kernel matmul_tiled<16, float>, block (0,0,0)"), "shared_tiling.cu|78|");
    EXPECT_EQ(place_in("      write by thread (0,0,0) at shared_tiling.cu:41"), "shared_tiling.cu|41|");
    EXPECT_EQ(place_in("  shared_tiling.cu:12:7: error: expected ';' after expression"), "shared_tiling.cu|12|7");
    EXPECT_EQ(place_in("labs/lab3_shared_tiling/shared_tiling.cu:12:7: warning: unused"), "labs/lab3_shared_tiling/shared_tiling.cu|12|7");
    EXPECT_EQ(place_in("  P[0] (row 0, column 0): expected -0.551909, got nan"), "");
    EXPECT_EQ(place_in("  Lab3.HasNoRaces (safe, 10 points)"), "");
    EXPECT_EQ(place_in("  read: handouts/lab3_shared_tiling.md, Reading a failure"), "");
}

// Packages that the script would install on plain Debian, first without a clang, then with the installed one.
class ContainerFile : public tools::FrontDoor {
protected:
    std::set<std::string> missing_for(const std::string& subcommand) {
        const std::string output = lab({"--no-install", subcommand}).output;
        std::smatch match;
        return std::regex_search(output, match, std::regex("missing: ([^\n]*)\\. Install with")) ? words_of(match[1])
                                                                                                 : std::set<std::string>();
    }
};

TEST_F(ContainerFile, InstallsWhatLabAsksFor) {
    have("apt-get", "true");
    have("apt-cache", "[[ $2 != *--* ]]");  // knows every package with a proper name
    for (const char* program : {"bwrap", "cmake", "ninja", "clang++"}) lack(program);
    std::filesystem::remove_all(box_.folder() / "usr");
    std::set<std::string> asked;
    for (const char* subcommand : {"grade", "test", "bench"}) asked.merge(missing_for(subcommand));
    have("clang++", "[[ $1 == -dumpversion ]] && echo 14.0.6");  // makes no program with sanitizers
    asked.merge(missing_for("test"));
    ASSERT_TRUE(asked.contains("libclang-rt-14-dev"));
    ASSERT_TRUE(asked.contains("clang"));

    std::smatch list;
    const std::string file = text_of(".devcontainer/Dockerfile");
    ASSERT_TRUE(std::regex_search(file, list, std::regex("no-install-recommends \\\\\n([^&]*?)\n && rm")));
    const std::string version = "14";
    EXPECT_NE(file.find("\nARG CLANG=" + version + "\n"), std::string::npos);
    const std::string packages = std::regex_replace(list[1].str(), std::regex("\\\\"), " ");
    EXPECT_EQ(words_of(std::regex_replace(packages, std::regex("\\$\\{CLANG\\}"), version)), asked);
}

}  // namespace
}  // namespace lab::repository
