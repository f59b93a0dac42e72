#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/tools/lines.h"
#include "tests/classroom/exports/made_up_scores.h"

namespace lab::classroom::exports {
namespace {

using nlohmann::json;

json json_of(const char* format, const StudentScores& student) { return json::parse(file_of(format, student)); }

TEST(Gradescope, HasEachTestsPointsAndMessages) {
    const json all = json_of("gradescope", ordinary());
    EXPECT_EQ(all.at("score"), 6);
    EXPECT_EQ(all.at("execution_time"), 1.5);
    ASSERT_EQ(all.at("tests").size(), 2U);
    EXPECT_EQ(all.at("tests")[0].at("status"), "passed");
    EXPECT_EQ(all.at("tests")[0].at("number"), "1");
    EXPECT_EQ(all.at("tests")[1].at("status"), "failed");
    EXPECT_EQ(all.at("tests")[1].at("score"), 0);
    EXPECT_EQ(all.at("tests")[1].at("max_score"), 4);
    EXPECT_EQ(all.at("tests")[1].at("output"), "a race\n  at shared_tiling.cu:31");
}

TEST(Gradescope, AnUndecidedTestHasNeitherScoreNorStatus) {
    const json all = json_of("gradescope", partly_undecided());
    const json& test = all.at("tests").at(2);
    for (const char* const field : {"score", "max_score", "status"}) EXPECT_FALSE(test.contains(field)) << field;
    EXPECT_EQ(test.at("output").get<std::string>().find("not judged (2 points)"), 0U);
    EXPECT_NE(all.at("output").get<std::string>().find("2 points could not be judged"), std::string::npos);
    const json other = json_of("gradescope", not_judged());
    for (const json& each : other.at("tests")) EXPECT_FALSE(each.contains("status"));
}

TEST(Gradescope, ShowsTheCompilersWords) {
    const json all = json_of("gradescope", not_compiling());
    EXPECT_EQ(all.at("score"), 0);
    EXPECT_NE(all.at("output").get<std::string>().find("shared_tiling.cu:7:5: error: expected ';'"), std::string::npos);
    EXPECT_EQ(all.at("tests").at(1).at("output"), "did not run: your file does not compile:");
}

TEST(Classroom50, HasWholeScoresAndTheEnvironmentsValues) {
    StudentScores student = ordinary();
    student.labs[0].tests.push_back(passed("Lab3.C", 2.5));
    const json all = json_of("classroom50", student);
    EXPECT_EQ(all.at("score"), 9);
    EXPECT_EQ(all.at("max-score"), 13);
    EXPECT_EQ(all.at("classroom"), "value of CLASSROOM");
    EXPECT_EQ(all.at("submission"), "value of SUBMISSION_TAG");
    EXPECT_EQ(all.at("commit"), "value of COMMIT_URL");
    EXPECT_EQ(all.at("datetime"), "2026-11-23T10:00:00Z");
    int sum = 0;
    for (const json& test : all.at("tests")) sum += test.at("score").get<int>();
    EXPECT_EQ(sum, 9);
    EXPECT_EQ(all.at("tests").at(1).at("message"), "a race\n  at shared_tiling.cu:31");
}

TEST(Classroom50, UndecidedTestsAreNoFailedOnes) {
    const json all = json_of("classroom50", partly_undecided());
    ASSERT_EQ(all.at("tests").size(), 2U);
    ASSERT_EQ(all.at("undecided").size(), 1U);
    EXPECT_EQ(all.at("undecided")[0].at("test-name"), "Lab3.C");
    EXPECT_EQ(all.at("max-score"), 12);
    EXPECT_TRUE(json_of("classroom50", not_judged()).at("tests").empty());
}

TEST(PrairieLearn, HasTheShareOfThePoints) {
    const json all = json_of("prairielearn", ordinary());
    EXPECT_EQ(all.at("gradable"), true);
    EXPECT_EQ(all.at("score"), 0.6);
    EXPECT_EQ(all.at("tests").at(1).at("points"), 0);
    EXPECT_EQ(all.at("tests")[1].at("max_points"), 4);
    EXPECT_EQ(all.at("tests")[1].at("output"), "a race\n  at shared_tiling.cu:31");
}

TEST(PrairieLearn, AskForNoAttemptWhereNothingCompilesOrWasNotJudged) {
    const json broken = json_of("prairielearn", not_compiling());
    EXPECT_EQ(broken.at("gradable"), false);
    EXPECT_NE(broken.at("format_errors").at(0).get<std::string>().find("expected ';'"), std::string::npos);
    for (const StudentScores& student : {partly_undecided(), not_judged()}) {
        const json all = json_of("prairielearn", student);
        EXPECT_EQ(all.at("gradable"), false);
        EXPECT_NE(all.at("format_errors").at(0).get<std::string>().find("could not be judged"), std::string::npos);
    }
}

// The last lines of the grader's output, the last one first.
std::vector<json> last_lines(const StudentScores& student) {
    const std::vector<std::string> lines = tools::lines_of(file_of("autolab", student));
    return {json::parse(lines.at(lines.size() - 1)), json::parse(lines.at(lines.size() - 2))};
}

TEST(Autolab, EndsWithPointsByProblem) {
    EXPECT_EQ(last_lines(ordinary())[0], (json{{"scores", {{"lab3", 6}}}}));
    EXPECT_EQ(last_lines(ordinary())[1],
              json::parse(R"({"_presentation": "semantic", "stages": ["lab3"], "lab3": {"Lab3.A": {"passed": true, "hint": ""},
                              "Lab3.B": {"passed": false, "hint": "a race\n  at shared_tiling.cu:31"}}})"));
}

TEST(Autolab, UndecidedTestsAreInItsTextAlone) {
    EXPECT_EQ(last_lines(partly_undecided())[0].dump(), R"({"scores":{}})");
    EXPECT_FALSE(last_lines(partly_undecided())[1].at("lab3").contains("Lab3.C"));
    EXPECT_EQ(file_of("autolab", partly_undecided()).find("lab3: 2 points could not be judged"), 0U);
}

TEST(Submitty, HasTheShareOfThePointsAndAMessageForEachTest) {
    const json all = json_of("submitty", ordinary());
    EXPECT_EQ(all.at("status"), "success");
    EXPECT_EQ(all.at("data").at("score"), 0.6);
    EXPECT_EQ(all.at("data").at("message"), json::parse(R"json([{"message": "Lab3.A (6/6)", "status": "success"
},
                              {"message": "Lab3.B (0/4): a race\n  at shared_tiling.cu:31", "status": "failure"}])json"));
}

TEST(Submitty, WarnsOfUndecidedTestsAndFailsWhereNothingWasJudged) {
    const json messages = json_of("submitty", partly_undecided()).at("data").at("message");
    EXPECT_EQ(messages.back().at("status"), "warning");
    EXPECT_EQ(messages.front().at("status"), "information");
    EXPECT_EQ(json_of("submitty", not_judged()).at("status"), "fail");
}

}  // namespace
}  // namespace lab::classroom::exports
