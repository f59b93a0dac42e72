// Rules that hold for all of common/: short files, the field's own words, links that lead somewhere.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
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

// The words that the field uses instead stand behind each.
TEST(House, CodeSpeaksTheFieldsWords) {
    const std::vector<std::pair<std::string, std::string>> words{
        {R"(\bpieces?\b)", "sector, segment, part"},
        {R"(\b[Tt]urns?\b)", "iteration, scheduling order, alternate"},
        {R"(\bhand(s|ed)? on\b)", "forward"},
        {R"(\bmend(s|ed|ing)?\b)", "sector fill; fix"},
        {R"(\bmeet(s|ing)?\b)", "reconverge, conflict, coincide"},
        {R"(\bgo(es)? round\b)", "iterate"},
        {R"(\bWishes\b)", "Options"},
        {R"(\bTogether\b)", "Composite"},
        {R"(\bbreach\b)", "violation"},
        {R"(\bspoil(s|ed)?\b)", "poison"},
        {R"(\bmost_[a-z])", "max_"},
        {R"(\bmachine code\b)", "SASS"},
    };
    EXPECT_TRUE(std::regex_search("both turns", std::regex(words[1].first)));
    for (const fs::path& file : files_below("common", {".cpp", ".h", ".cu", ".cuh", ".inc", ".cmake", ".txt", ".md"})) {
        const std::string text = text_of(file);
        for (const auto& [word, instead] : words) {
            std::smatch match;
            if (!std::regex_search(text, match, std::regex(word))) continue;
            const auto line = 1 + std::count(text.begin(), text.begin() + match.position(), '\n');
            ADD_FAILURE() << file.string() << ":" << line << ": " << match.str() << " (" << instead << ")";
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
        for (const std::string& link : dead_links(text_of(page), page.parent_path())) ADD_FAILURE() << page << ": nothing is at " << link;
    }
}

}  // namespace
}  // namespace lab::tools
