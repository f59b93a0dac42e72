// Rules that hold for all of common/: short files, the field's own words, links that lead somewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "common/tools/self_test/readme.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

const fs::path house = LAB_SOURCE_FOLDER;

std::string text_of(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

// Our own files below `folder` with one of the extensions.
std::vector<fs::path> files_below(const char* folder, const std::vector<std::string>& extensions) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(house / folder)) {
        const std::string extension = entry.path().extension().string();
        if (std::find(extensions.begin(), extensions.end(), extension) != extensions.end()) files.push_back(entry.path());
    }
    return files;
}

const std::vector<std::string> code{".cpp", ".h", ".cu", ".cuh", ".inc", ".cmake"};

TEST(House, FilesHaveAtMost400Lines) {
    const std::vector<fs::path> files = files_below("common", code);
    ASSERT_GT(files.size(), 200U);
    for (const fs::path& file : files) {
        const std::string text = text_of(file);
        EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 400) << file;
    }
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
    for (const fs::path& file : files_below("common", {".cpp", ".h", ".cu", ".cuh", ".inc", ".cmake", ".txt", ".md"})) {
        EXPECT_EQ(private_language(text_of(file)), "") << file;
    }
}

TEST(House, LinksOfItsPagesLeadSomewhere) {
    std::vector<fs::path> pages{house / "README.md", house / "tests/README.md", house / "tests/measured/README.md"};
    for (const char* folder : {"common", "handouts", ".github"}) {
        if (!fs::exists(house / folder)) continue;
        for (const fs::path& page : files_below(folder, {".md"})) pages.push_back(page);
    }
    for (const fs::path& page : pages) {
        for (const std::string& link : dead_links(text_of(page), page.parent_path())) {
            // The page of the example lab that ADDING.md adds.
            if (link != "lab99_vector_add.md") ADD_FAILURE() << page << ": nothing is at " << link;
        }
    }
}

}  // namespace
}  // namespace lab::tools
