// The table of handouts/running_programs.md against the programs in tests/emulator.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "common/tools/lines.h"
#include "common/tools/safe_files.h"

namespace lab::tools {
namespace {
namespace fs = std::filesystem;

const fs::path root = LAB_SOURCE_FOLDER;

// Registered outcome of a program: by its folder, and by its first line.
std::string verdict_on(const std::string& program) {
    const std::string first = first_line(read_whole(root / "tests/emulator" / program));
    if (program.starts_with("programs/") || first.starts_with("// runs:")) return "runs";
    return first.starts_with("// refused: ") || first.starts_with("// expect: 2 ") ? "refused" : "";
}

TEST(RunningPrograms, AreWhatThePageSays) {
    static const std::regex row(R"(\| [^|]+ \| (runs|refused) \| ([^|]+) \|)");
    static const std::regex name("`([^`]+)`");
    std::set<std::string> named;
    for (const std::string& line : lines_of(read_whole(root / "handouts/running_programs.md"))) {
        std::smatch found;
        if (!std::regex_match(line, found, row)) continue;
        const std::string programs = found[2];
        for (std::sregex_iterator at(programs.begin(), programs.end(), name), end; at != end; ++at) {
            const std::string program = (*at)[1];
            EXPECT_EQ(verdict_on(program), found[1].str()) << program;
            named.insert(program);
        }
    }
    for (const auto& entry : fs::directory_iterator(root / "tests/emulator/programs_refused")) {
        EXPECT_TRUE(named.contains("programs_refused/" + entry.path().filename().string())) << entry.path() << " is in no row";
    }
}

}  // namespace
}  // namespace lab::tools
