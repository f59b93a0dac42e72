#include "tests/repository/repository.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "common/tools/process.h"

namespace lab::repository {
namespace fs = std::filesystem;

std::string text_of(const std::string& file) {
    std::ifstream stream(fs::path(LAB_SOURCE_FOLDER) / file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

nlohmann::json json_of(const std::string& file) {
    nlohmann::json json = nlohmann::json::parse(text_of(file), nullptr, false);
    EXPECT_TRUE(json.is_object()) << file;
    return json.is_object() ? json : nlohmann::json::object();
}

std::vector<std::string> tracked_files() {
    const tools::Ending ending =
        tools::run({{"git", "-c", "core.quotePath=off", "ls-files", "--cached", "--others", "--exclude-standard"}, LAB_SOURCE_FOLDER, {}});
    std::vector<std::string> files;
    if (!ending.ok()) return files;
    for (const std::string& file : lines_of(ending.output)) {
        if (fs::is_regular_file(fs::path(LAB_SOURCE_FOLDER) / file)) files.push_back(file);
    }
    return files;
}

std::string refused_by_lab(const std::string& line) {
    const std::size_t call = line.find("./lab ");
    if (call == std::string::npos) return "no call of ./lab";
    std::istringstream words(line.substr(call + 6));
    std::string subcommand;
    std::set<std::string> options;
    for (std::string word; words >> word && word.find_first_of("|;&>") == std::string::npos;) {
        if (word == "--") break;
        if (word[0] == '-') {
            options.insert(word.substr(0, word.find('=')));
        } else if (subcommand.empty()) {
            subcommand = word;
        }
    }
    for (const char* anywhere : {"--yes", "--no-install", "--backend"}) options.erase(anywhere);
    if (subcommand.empty()) return options == std::set<std::string>{"--version"} ? "" : "no subcommand";
    const std::string help = tools::run({{"./lab", subcommand, "--help"}, LAB_SOURCE_FOLDER, {}}).output;
    if (help.find("Usage: lab " + subcommand) == std::string::npos) return "subcommand " + subcommand;
    for (const std::string& option : options) {
        if (help.find("\n  " + option + " ") == std::string::npos && help.find("," + option + " ") == std::string::npos) return option;
    }
    return "";
}

namespace {

TEST(RefusedByLab, KnowsSubcommandsAndOptions) {
    EXPECT_EQ(refused_by_lab("./lab --yes grade lab3 --json x 2>&1 | tee --append log"), "");
    EXPECT_EQ(refused_by_lab("./lab doctor --json"), "");
    EXPECT_EQ(refused_by_lab("./lab --version"), "");
    EXPECT_EQ(refused_by_lab("./lab grade --jsn x"), "--jsn");
    EXPECT_EQ(refused_by_lab("./lab doctor --full"), "--full");
    EXPECT_EQ(refused_by_lab("./lab mark lab3"), "subcommand mark");
}

}  // namespace

}  // namespace lab::repository
