#include <gtest/gtest.h>

#include <regex>

#include "common/tools/lines.h"
#include "tests/classroom/exports/made_up_scores.h"

namespace lab::classroom::exports {
namespace {

// Why a text is no well-formed XML 1.0 in UTF-8; "" if it is. Reads elements, attributes in double quotes, and the references that we
// write.
std::string problem_of_xml(const std::string& text) {
    static const std::regex token(
        "<\\?xml [^>]*\\?>|<(/?)([a-z-]+)((?: [a-z_]+=\"(?:[^<&\"]|&(?:amp|lt|gt|quot|#39);)*\")*)(/?)>|&(?:amp|lt|gt|quot|#39);|[^<&]",
        std::regex::optimize);
    std::vector<std::string> open;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte < 0x20 && byte != '\n' && byte != '\t') return "a control character at " + std::to_string(i);
        if (text.compare(i, 3, "\xef\xbf\xbe") == 0 || text.compare(i, 3, "\xef\xbf\xbf") == 0) return "no character";
    }
    if (nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::ignore) !=
        nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace))
        return "no UTF-8";
    std::smatch found;
    for (auto at = text.begin(); at != text.end(); at = found[0].second) {
        if (!std::regex_search(at, text.end(), found, token, std::regex_constants::match_continuous))
            return "syntax at " + std::string(at, text.end()).substr(0, 40);
        if (found.str(2).empty() || found.str(4) == "/") continue;
        if (found.str(1).empty()) {
            open.push_back(found.str(2));
        } else if (open.empty() || open.back() != found.str(2)) {
            return "</" + found.str(2) + "> closes nothing";
        } else {
            open.pop_back();
        }
    }
    return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

TEST(Junit, HasATestCaseForEachTest) {
    EXPECT_EQ(file_of("junit", ordinary()),
              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
              "<testsuites>\n"
              "  <testsuite name=\"lab3 shared tiling\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"1.500\">\n"
              "    <testcase classname=\"lab3\" name=\"Lab3.A\" time=\"0.500\">\n"
              "      <properties><property name=\"points\" value=\"6\"/><property name=\"max_points\" value=\"6\"/></properties>\n"
              "    </testcase>\n"
              "    <testcase classname=\"lab3\" name=\"Lab3.B\" time=\"0.500\">\n"
              "      <properties><property name=\"points\" value=\"0\"/><property name=\"max_points\" value=\"4\"/></properties>\n"
              "      <failure message=\"a race\">a race\n  at shared_tiling.cu:31</failure>\n"
              "    </testcase>\n"
              "  </testsuite>\n"
              "</testsuites>\n");
}

TEST(Junit, SkipsWhatWasNotJudged) {
    EXPECT_NE(file_of("junit", partly_undecided()).find("failures=\"1\" errors=\"0\" skipped=\"1\""), std::string::npos);
    EXPECT_NE(file_of("junit", partly_undecided()).find("<skipped message=\"not judged (2 points): "), std::string::npos);
    EXPECT_EQ(file_of("junit", not_judged()).find("<failure"), std::string::npos);
    EXPECT_NE(file_of("junit", not_compiling()).find("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"2\""), std::string::npos)
        << file_of("junit", not_compiling());
}

TEST(Junit, IsWellFormedXmlWhateverAStudentPrints) {
    for (const StudentScores& student : {ordinary(), partly_undecided(), not_judged(), not_compiling(), hostile()})
        EXPECT_EQ(problem_of_xml(file_of("junit", student)), "");
    EXPECT_EQ(problem_of_xml("<a><b></a>"), "</a> closes nothing");
    EXPECT_EQ(problem_of_xml("<a b=\"&c;\"/>"), "syntax at <a b=\"&c;\"/>");
    EXPECT_EQ(problem_of_xml("<a>\xff</a>"), "no UTF-8");
}

TEST(GithubAnnotations, MarkTheLineOfTheFile) {
    EXPECT_EQ(file_of("github-annotations", ordinary()),
              "::error file=labs/lab3_shared_tiling/shared_tiling.cu,line=31,title=Lab3.B (0/4)::a race%0A  at shared_tiling.cu:31\n");
}

TEST(GithubAnnotations, AreErrorsForFailedTestsAndNoticesForUndecidedOnes) {
    const std::vector<std::string> lines = tools::lines_of(file_of("github-annotations", partly_undecided()));
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].find("::error file="), 0U);
    EXPECT_EQ(lines[1].find("::notice title=Lab3.C (0/2)::not judged (2 points): "), 0U) << lines[1];
    EXPECT_EQ(file_of("github-annotations", not_judged()).find("::notice title=lab3::the suite died"), 0U);
    EXPECT_EQ(
        file_of("github-annotations", not_compiling()).find("::error file=labs/lab3_shared_tiling/shared_tiling.cu,line=7,title=lab3::"),
        0U);
}

TEST(GithubAnnotations, AreTenOfAKindAtMost) {
    StudentScores student = huge();
    for (int i = 0; i < 11; ++i) student.labs[0].tests.push_back(undecided("Lab3.U" + std::to_string(i), 1));
    const std::vector<std::string> lines = tools::lines_of(file_of("github-annotations", student));
    ASSERT_EQ(lines.size(), 20U);
    for (std::size_t i = 0; i < lines.size(); ++i)
        EXPECT_EQ(lines[i].find(i < 10 ? "::error " : "::notice "), 0U) << lines[i].substr(0, 80);
    EXPECT_EQ(lines[9], "::error title=and 31 more::See the summary of this step.");
    student.labs[0].tests.resize(10);
    EXPECT_EQ(file_of("github-annotations", student).find("more::"), std::string::npos);
}

TEST(GithubAnnotations, HoldNoCommandsOfAStudents) {
    for (const std::string& line : tools::lines_of(file_of("github-annotations", hostile()))) {
        EXPECT_TRUE(line.starts_with("::error ") || line.starts_with("::notice ")) << line;
        EXPECT_EQ(line.find('\r'), std::string::npos);
        EXPECT_EQ(line.find("x%0A"), std::string::npos) << "a per cent sign of the text is escaped";
    }
    EXPECT_NE(file_of("github-annotations", hostile()).find("x%250A"), std::string::npos);
}

TEST(GithubSummary, IsThatOfLabGrade) {
    const std::string text = file_of("github-summary", partly_undecided());
    EXPECT_EQ(text.find("## 6/12 points\n"), 0U) << text;
    EXPECT_NE(text.find("| lab3 | Lab3.C | undecided | no memory |"), std::string::npos) << text;
}

}  // namespace
}  // namespace lab::classroom::exports
