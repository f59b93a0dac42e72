// Help texts: those in common/tools/help, which `lab` prints without a build, beside what the programs print.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include "common/emulator/options.h"
#include "common/tools/lines.h"
#include "common/tools/process.h"
#include "common/tools/safe_files.h"

namespace lab::tools {
namespace {
namespace fs = std::filesystem;

void expect_narrow(const std::string& text, const std::string& of) {
    for (const std::string& line : lines_of(text)) EXPECT_LE(line.size(), 80U) << of << ": " << line;
}

// The words that begin with a dash, of all lines that describe an option.
std::set<std::string> options_in(const std::string& help) {
    std::set<std::string> options;
    for (const std::string& line : lines_of(help)) {
        std::istringstream words(line);
        std::string word;
        if (line.rfind("  -", 0) == 0 && words >> word) options.insert(word);
    }
    return options;
}

TEST(Help, IsWhatTheProgramsPrint) {
    int texts = 0;
    for (const auto& file : fs::directory_iterator(fs::path(LAB_SOURCE_FOLDER) / "common/tools/help")) {
        const std::string subcommand = file.path().stem();
        const std::string kept = read_whole(file.path());
        const Ending printed = run({{LAB_TOOL, subcommand, "--help"}, {}, {}});
        EXPECT_EQ(printed.status, 0) << subcommand;
        // Other versions of CLI11 lay the text out otherwise.
        EXPECT_EQ(options_in(printed.output), options_in(kept)) << subcommand << ": ./build/tests/bin/lab-tool " << subcommand << " --help";
        EXPECT_FALSE(options_in(kept).empty()) << subcommand;
        expect_narrow(kept, subcommand);
        expect_narrow(printed.output, subcommand);
        ++texts;
    }
    EXPECT_EQ(texts, 21);
}

// Entry of an option in a help text, with folded lines joined; "" if there is none.
std::string entry_of(const std::string& help, const std::string& flag) {
    const std::string indent(30, ' ');
    std::string entry;
    for (const std::string& line : lines_of(help)) {
        if (!entry.empty() && line.rfind(indent, 0) != 0) return entry;
        if (!entry.empty()) entry += line.substr(indent.size() - 1);
        if (line.rfind("  " + flag + " ", 0) == 0) entry = line;
    }
    return entry;
}

TEST(Help, OfTheEmulatorsOptionsIsThatOfTheirRows) {
    const std::string help = read_whole(fs::path(LAB_SOURCE_FOLDER) / "common/tools/help/run.txt");
    int described = 0;
    for (const emulator::OptionRow& row : emulator::option_rows()) {
        const std::string entry = entry_of(help, row.flag());
        if (entry.empty()) continue;  // not on this command line
        ++described;
        EXPECT_TRUE(entry.ends_with(std::string("  ") + row.help)) << entry;
    }
    EXPECT_EQ(described, 7);
}

}  // namespace
}  // namespace lab::tools
