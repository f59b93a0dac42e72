// The changelog and the version agree.
#include <gtest/gtest.h>

#include <regex>

#include "tests/repository/repository.h"

namespace lab::repository {
namespace {

TEST(Changelog, BeginsWithWhatIsUnreleasedAndThenHasThisVersion) {
    const std::string text = text_of(".github/CHANGELOG.md");
    static const std::regex heading(R"(\n## \[([^\]]+)\]([^\n]*))");
    std::vector<std::string> names;
    std::string previous = " - 9999-99-99";
    for (std::sregex_iterator at(text.begin(), text.end(), heading), end; at != end; ++at) {
        names.push_back((*at)[1]);
        if (names.size() == 1) continue;
        const std::string date = (*at)[2];
        EXPECT_TRUE(std::regex_match(date, std::regex(" - \\d{4}-\\d\\d-\\d\\d"))) << date;
        EXPECT_LE(date, previous) << "the newest stands first";
        previous = date;
    }
    ASSERT_GE(names.size(), 2U);
    EXPECT_EQ(names[0], "Unreleased");
    EXPECT_EQ(names[1], LAB_VERSION);
}

TEST(Changelog, GroupsChangesByTheFormsKinds) {
    for (const std::string& line : lines_of(text_of(".github/CHANGELOG.md"))) {
        if (line.rfind("### ", 0) != 0) continue;
        EXPECT_TRUE(std::regex_match(line, std::regex("### (Added|Changed|Deprecated|Removed|Fixed|Security)"))) << line;
    }
}

}  // namespace
}  // namespace lab::repository
