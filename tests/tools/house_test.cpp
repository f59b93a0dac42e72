// Rules that hold for all of our own code: short files and functions, tests beside their units, the field's own words, links that lead
// somewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/tools/safe_files.h"
#include "common/tools/self_test/readme.h"
#include "tests/tools/functions.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

const fs::path house = LAB_SOURCE_FOLDER;

// Our own files below `folder` with one of the extensions.
std::vector<fs::path> files_below(const char* folder, const std::vector<std::string>& extensions) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(house / folder)) {
        const std::string extension = entry.path().extension().string();
        if (std::find(extensions.begin(), extensions.end(), extension) != extensions.end()) files.push_back(entry.path());
    }
    return files;
}

// Our own code, without its tests.
std::vector<fs::path> own_code(const std::vector<std::string>& extensions) {
    std::vector<fs::path> files = files_below("common", extensions);
    for (fs::path& file : files_below("handouts", extensions)) files.push_back(std::move(file));
    return files;
}

const std::vector<std::string> code{".cpp", ".h", ".cu", ".cuh", ".inc", ".cmake"};

TEST(House, FilesHaveAtMost400Lines) {
    const std::vector<fs::path> files = own_code(code);
    ASSERT_GT(files.size(), 200U);
    for (const fs::path& file : files) {
        const std::string text = read_whole(file);
        EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 400) << file;
    }
}

TEST(House, FunctionsHaveAtMost60Lines) {
    const std::string example =
        "namespace a {\nint f(int x) {\n    return \"}\"[0] + '}' + 1'0;  // }\n}\nstruct B {\n    B() : b{1} {\n    }\n    int b;\n};\n"
        "constexpr int table[] = {\n    1,\n    2,\n    3,\n};\n}\n";
    const std::vector<FoundFunction> found = functions_in(example);
    ASSERT_EQ(found.size(), 2U) << "a function and a constructor";
    EXPECT_EQ(found[0].head, "int f(int x) {");
    EXPECT_EQ(found[0].line, 2U);
    EXPECT_EQ(found[0].lines, 3U);
    EXPECT_EQ(found[1].line, 6U);
    EXPECT_EQ(found[1].lines, 2U);
    std::size_t functions = 0;
    for (const fs::path& file : own_code({".cpp", ".h", ".cu", ".cuh"})) {
        for (const FoundFunction& function : functions_in(read_whole(file))) {
            EXPECT_LE(function.lines, 60U) << file << ":" << function.line << ": " << function.head;
            ++functions;
        }
    }
    EXPECT_GT(functions, 2500U) << "it finds those that there are";
}

// Tests of our own code that mirror no folder: suites that grade, samples, rules for files that no program reads.
bool mirrors_nothing(const std::string& folder) {
    for (const char* const other : {"labs", "mutants", "repository", "tools/adding", "tools/stand_in"}) {
        if (folder == other || folder.rfind(std::string(other) + "/", 0) == 0) return true;
    }
    return false;
}

TEST(House, TestsOfAUnitAreInItsFolder) {
    std::map<std::string, std::set<std::string>> folders_of_units;  // by top folder and name
    for (const fs::path& file : own_code({".cpp", ".h", ".cu", ".cuh"})) {
        const fs::path path = fs::relative(file, house);
        const fs::path unit = *path.begin() == "common" ? fs::relative(file, house / "common") : path;
        folders_of_units[unit.begin()->string() + "/" + unit.stem().string()].insert(unit.parent_path().string());
    }
    std::size_t tests = 0;
    for (const fs::path& file : files_below("tests", {".cpp"})) {
        const fs::path test = fs::relative(file, house / "tests");
        const std::string folder = test.parent_path().string();
        std::string unit = test.stem().string();
        constexpr std::string_view ending = "_test";
        if (!unit.ends_with(ending) || mirrors_nothing(folder)) continue;
        unit.resize(unit.size() - ending.size());
        ++tests;
        EXPECT_TRUE(fs::is_directory(house / "common" / folder) || fs::is_directory(house / folder)) << file << ": there is no " << folder;
        const auto found = folders_of_units.find(test.begin()->string() + "/" + unit);
        if (found == folders_of_units.end()) continue;  // tests several units
        EXPECT_EQ(found->second.count(folder), 1U) << file << ": " << unit << " is in " << *found->second.begin();
    }
    EXPECT_GT(tests, 100U);
}

// Words of a private language, each with those that the field uses.
const std::map<std::string, std::string> private_words{
    {"piece", "sector, segment, part"},
    {"pieces", "sectors, segments, parts"},
    {"turn", "iteration, position in the scheduling order"},
    {"turns", "iterations, alternates"},
    {"mending", "sector fill"},
    {"meet", "reconverge, conflict, coincide"},
    {"meets", "reconverges, conflicts, coincides"},
    {"meeting", "reconvergence"},
    {"Wishes", "Options"},
    {"Together", "Composite"},
    {"breach", "violation"},
    {"spoil", "poison"},
    {"sixteenths", "Q4"},
    {"duel", "paired benchmark"},
    {"contender", "candidate, baseline"},
    {"Contender", "Candidate"},
};
const std::map<std::string, std::string> private_phrases{
    {"hands on", "forwards"}, {"handed on", "forwarded"}, {"goes round", "iterates"}, {"machine code", "SASS"}};

// Private words in `text`: "turns (iterations, alternates)"; empty if none.
std::string private_language(const std::string& text) {
    const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (auto at = std::find_if(text.begin(), text.end(), is_letter); at != text.end(); at = std::find_if(at, text.end(), is_letter)) {
        const auto end = std::find_if_not(at, text.end(), is_letter);
        const std::string word(at, end);
        if (const auto found = private_words.find(word); found != private_words.end()) return word + " (" + found->second + ")";
        if (word.rfind("most_", 0) == 0) return word + " (max_)";
        at = end;
    }
    for (const auto& [phrase, instead] : private_phrases) {
        if (text.find(phrase) != std::string::npos) return phrase + " (" + instead + ")";
    }
    return {};
}

TEST(House, CodeSpeaksTheFieldsWords) {
    EXPECT_EQ(private_language("both turns"), "turns (iterations, alternates)");
    EXPECT_EQ(private_language("int most_lines = 1;"), "most_lines (max_)");
    EXPECT_EQ(private_language("returns the most; turned"), "");
    for (const char* const folder : {"common", "tests", "handouts"}) {
        for (const fs::path& file : files_below(folder, {".cpp", ".h", ".cu", ".cuh", ".inc", ".cmake", ".txt", ".md", ".sh"})) {
            if (file.filename() == "house_test.cpp") continue;
            EXPECT_EQ(private_language(read_whole(file)), "") << file;
        }
    }
}

TEST(House, LinksOfItsPagesLeadSomewhere) {
    std::vector<fs::path> pages{house / "README.md", house / "tests/README.md", house / "tests/measured/README.md"};
    for (const char* folder : {"common", "handouts", ".github"}) {
        if (!fs::exists(house / folder)) continue;
        for (const fs::path& page : files_below(folder, {".md"})) pages.push_back(page);
    }
    for (const fs::path& page : pages) {
        for (const std::string& link : dead_links(read_whole(page), page.parent_path())) {
            // The page of the example lab that ADDING.md adds.
            if (link != "lab99_vector_add.md") ADD_FAILURE() << page << ": nothing is at " << link;
        }
    }
}

}  // namespace
}  // namespace lab::tools
