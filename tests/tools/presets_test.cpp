// Figures and names that occur in several files agree.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

namespace {

std::string text_of(const std::string& name) {
    std::ifstream stream(std::filesystem::path(LAB_SOURCE_FOLDER) / name);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::string first_match(const std::string& text, const std::string& pattern) {
    std::smatch match;
    return std::regex_search(text, match, std::regex(pattern)) ? match[1].str() : "";
}

nlohmann::json presets() { return nlohmann::json::parse(text_of("CMakePresets.json")); }

TEST(Presets, LeastCMakeIsTheSameInListsPresetsAndScript) {
    const auto least = presets().at("cmakeMinimumRequired");
    const std::string in_presets = std::to_string(least.at("major").get<int>()) + "." + std::to_string(least.at("minor").get<int>());
    EXPECT_EQ(first_match(text_of("CMakeLists.txt"), "cmake_minimum_required\\(VERSION ([0-9.]+)\\)"), in_presets);
    EXPECT_EQ(first_match(text_of("lab"), "least_cmake=([0-9.]+)"), in_presets);
    // Version 5 of the presets' format is the newest that CMake 3.24 reads (cmake-presets(7)).
    EXPECT_EQ(in_presets, "3.24");
    EXPECT_EQ(presets().at("version").get<int>(), 5);
}

TEST(Presets, TestedClangsAreTheSameInListsScriptsAndTable) {
    const std::string in_script = first_match(text_of("lab"), "tested_clangs=\\(([0-9 ]+)\\)");
    EXPECT_EQ(first_match(text_of("common/cmake/Compiler.cmake"), "LAB_TESTED_CLANGS ([0-9 ]+)\\)"), in_script);
    const std::string systems = first_match(text_of("tests/compilers.sh"), "\nall=\\(([a-z0-9 -]+)\\)");
    const std::string table = text_of("tests/README.md");
    std::istringstream versions(in_script);
    int count = 0;
    for (std::string version; versions >> version; ++count) {
        EXPECT_TRUE(std::regex_search(systems, std::regex("-" + version + "\\b"))) << version;
        EXPECT_TRUE(std::regex_search(table, std::regex("\\| debian1[0-9] \\| " + version + " \\|[^\n]* ([0-9]+)/\\1 "))) << version;
    }
    EXPECT_GT(count, 0);
}

TEST(Presets, EachNameConfiguresBuildsAndTests) {
    for (const std::string kind : {"configurePresets", "buildPresets", "testPresets"}) {
        std::set<std::string> names;
        const nlohmann::json all = presets();
        for (const auto& preset : all.at(kind)) {
            if (!preset.value("hidden", false)) names.insert(preset.at("name"));
        }
        EXPECT_EQ(names, (std::set<std::string>{"emulator", "gpu", "emulator-solutions", "gpu-solutions", "tests", "tests-single-files",
                                                "students", "tests-gpu"}))
            << kind;
    }
}

}  // namespace
