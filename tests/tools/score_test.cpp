#include "common/tools/score.h"

#include <gtest/gtest.h>

#include "common/tools/errors.h"
#include "common/tools/lab_runner.h"
#include "common/tools/lines.h"
#include "common/tools/score_text.h"
#include "common/trace/json.h"

namespace lab::tools {
namespace {

// In the form that GoogleTest's manual gives for --gtest_output=json, with our properties in each test.
nlohmann::json report_of(const std::vector<nlohmann::json>& tests) { return {{"testsuites", {{{"name", "Lab3"}, {"testsuite", tests}}}}}; }

nlohmann::json passed(const std::string& name, const std::string& group, const std::string& points) {
    return {{"name", name},   {"status", "RUN"},  {"result", "COMPLETED"}, {"time", "0.5s"},
            {"group", group}, {"points", points}, {"backend", "emulator"}};
}

nlohmann::json failed(const std::string& name, const std::string& group, const std::string& points, const std::string& text) {
    nlohmann::json test = passed(name, group, points);
    test["failures"] = {{{"failure", text}, {"type", ""}}};
    return test;
}

LabScore score_of(const std::vector<nlohmann::json>& tests) {
    LabScore score;
    score.lab = "lab3";
    score.title = "shared tiling";
    score.tests = read_scores(report_of(tests), &score.backend);
    return score;
}

TEST(Score, AddsThePointsOfTestsThatPassed) {
    const LabScore score = score_of({passed("A", "correct", "10"), failed("B", "fast", "5", "too slow"), passed("C", "safe", "2.5")});
    EXPECT_DOUBLE_EQ(score.points(), 17.5);
    EXPECT_DOUBLE_EQ(score.earned(), 12.5);
    EXPECT_FALSE(score.full());
    EXPECT_EQ(score.backend, "emulator");
}

TEST(Score, IsFullOnlyWhenEveryTestPassed) {
    EXPECT_TRUE(score_of({passed("A", "correct", "10")}).full());
    EXPECT_FALSE(score_of({}).full()) << "no tests at all are no full points";
    // A test without points that fails still costs full marks.
    EXPECT_FALSE(score_of({passed("A", "correct", "10"), failed("B", "safe", "0", "race")}).full());
    LabScore with_trouble = score_of({passed("A", "correct", "10")});
    with_trouble.trouble = "the suite died";
    EXPECT_FALSE(with_trouble.full());
}

TEST(Score, HasTheFieldsOfEachFailureAndEachFindingOnce) {
    Finding race;
    race.kind = FindingKind::race;
    race.headline = "race in shared memory";
    race.places = {{PlaceRole::write, {"tiled.cu", 7, 0}, Index{0, 0, 0}, Index{1, 0, 0}, {}, {}}};
    const nlohmann::json message{
        {"what", "race"}, {"where", {"k at W=16"}}, {"topics", {"race", "shared memory", "one of tomorrow"}}, {"findings", {race}}};
    nlohmann::json test = failed("B", "safe", "5", "race");
    test["messages"] = nlohmann::json::array({message, message}).dump();
    const LabScore score = score_of({test});
    ASSERT_EQ(score.tests.at(0).told.size(), 2U);
    EXPECT_EQ(score.tests[0].told[0].what, "race");
    EXPECT_EQ(score.tests[0].told[0].where, std::vector<std::string>{"k at W=16"});
    EXPECT_EQ(score.tests[0].told[0].topics, (std::set{diagnosis::Topic::race, diagnosis::Topic::shared_memory}));
    const nlohmann::json told = to_json({score})["labs"][0]["tests"][0];
    EXPECT_EQ(told.at("messages").at(1), message);
    EXPECT_EQ(told.at("findings").get<std::vector<Finding>>(), std::vector<Finding>{race});
    test["messages"] = R"([{"what": "race"}])";
    EXPECT_THROW((void)score_of({test}), BadInput);
    test["messages"] = "no JSON";
    EXPECT_TRUE(score_of({test}).tests[0].told.empty());
}

TEST(Score, LeavesUndecidedWhatOurOwnCodeThrew) {
    const std::string thrown = "unknown file\nC++ exception with description \"Resource temporarily unavailable\" thrown in the test body.";
    const LabScore score = score_of({passed("A", "correct", "10"), failed("B", "fast", "5", thrown)});
    EXPECT_DOUBLE_EQ(score.undecided(), 5);
    EXPECT_EQ(score.tests.at(1).failures.at(0).find("the grader failed in this test (this is not your mistake)\n"), 0U);
    nlohmann::json both = failed("B", "fast", "5", thrown);
    both["failures"].push_back({{"failure", "too slow"}});
    EXPECT_DOUBLE_EQ(score_of({both}).undecided(), 0);
}

TEST(Score, ShowsTheMapWhicheverGoogleTestWroteIt) {
    // GoogleTest 1.12 writes a middle dot's two bytes as two characters; later versions write the dot.
    const nlohmann::json by_bytes = nlohmann::json::parse(R"("map \u00C2\u00B7\u00C3\u0097")");
    for (const std::string& text : {by_bytes.get<std::string>(), std::string("map \u00b7\u00d7")}) {
        const LabScore score = score_of({failed("A", "correct", "10", text)});
        EXPECT_EQ(score.tests.at(0).failures.at(0), "map \u00b7\u00d7");
    }
}

TEST(Score, GivesNothingForASkippedOrUnfinishedTest) {
    nlohmann::json skipped = passed("A", "correct", "10");
    skipped["result"] = "SKIPPED";
    nlohmann::json unfinished = passed("B", "correct", "10");
    unfinished["result"] = "INTERRUPTED";
    const LabScore score = score_of({skipped, unfinished});
    EXPECT_DOUBLE_EQ(score.earned(), 0);
    EXPECT_DOUBLE_EQ(score.points(), 20);
    EXPECT_FALSE(score.full());
}

TEST(Score, LeavesOutTestsThatAFilterKeptFromRunning) {
    nlohmann::json filtered = passed("A", "correct", "10");
    filtered["status"] = "NOTRUN";
    EXPECT_DOUBLE_EQ(score_of({filtered, passed("B", "correct", "1")}).points(), 1);
}

TEST(Score, RefusesWhatIsNoReport) {
    std::string backend;
    EXPECT_THROW((void)read_scores(nlohmann::json::parse("{}"), &backend), BadInput);
    EXPECT_THROW((void)read_scores(nlohmann::json::parse("[1]"), &backend), BadInput);
}

TEST(Score, TableShowsEachGroupAndTheSum) {
    const std::string text = table({score_of({passed("A", "correct", "10"), failed("B", "fast", "5", "too slow")})});
    EXPECT_NE(text.find("10/10"), std::string::npos) << text;
    EXPECT_NE(text.find("0/5"), std::string::npos) << text;
    EXPECT_NE(text.find("10/15"), std::string::npos) << text;
    EXPECT_NE(text.find("lab3 shared tiling"), std::string::npos) << text;
}

TEST(Score, ExplanationLeavesOutTheSuitesOwnPlaces) {
    const LabScore score = score_of({failed("B", "correct", "5", "tests/labs/lab3_test.cpp:12\nFailed\nP[17] is wrong\nand why")});
    const std::string text = explain(score, false);
    EXPECT_NE(text.find("Lab3.B"), std::string::npos) << text;
    EXPECT_NE(text.find("      P[17] is wrong\n      and why\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("lab3_test.cpp"), std::string::npos) << text;
}

TEST(Score, ExplanationShowsAFewTestsAndSaysHowManyMore) {
    std::vector<nlohmann::json> tests;
    for (int i = 0; i < 20; ++i) tests.push_back(failed("T" + std::to_string(i), "correct", "1", "wrong"));
    const LabScore score = score_of(tests);
    EXPECT_EQ(explain(score, false).find("Lab3.T19"), std::string::npos);
    EXPECT_NE(explain(score, false).find("14 more failed tests"), std::string::npos) << explain(score, false);
    EXPECT_NE(explain(score, true).find("Lab3.T19"), std::string::npos);
}

TEST(Score, ExplanationBeginsWithTheCompilersWarningsWherePointsWereLost) {
    std::vector<nlohmann::json> tests{failed("A", "correct", "10", "a mistake")};
    LabScore lab = score_of(tests);
    lab.warnings = warnings_in(
        "/x/own.cu:7:9: warning: variable 'sum' is uninitialized when used here [-Wuninitialized]\n   sum += 1;\n"
        "/x/other.h:3:1: warning: elsewhere\n"
        "/x/own.cu(9): warning #549-D: variable \"t\" is used before its value is set\n",
        "own.cu");
    EXPECT_EQ(lab.warnings, (std::vector<std::string>{"own.cu:7: variable 'sum' is uninitialized when used here",
                                                      "own.cu:9: variable \"t\" is used before its value is set"}));
    const std::string text = explain(lab, false);
    EXPECT_LT(text.find("\n  the compiler warns:\n      own.cu:7: variable 'sum'"), text.find("Lab3.A")) << text;
    lab.tests = score_of({passed("A", "correct", "10")}).tests;
    EXPECT_EQ(explain(lab, false).find("the compiler warns"), std::string::npos);
}

TEST(Score, AWarningIsTheCauseWhereTheMessageNamesItsFunction) {
    LabScore lab = score_of({failed("A", "correct", "10", "P is wrong\n  where: product at W=64"),
                             failed("B", "correct", "10", "P is wrong\n  where: other_product at W=64"), passed("C", "correct", "10")});
    lab.tests.push_back(lab.tests.front());
    lab.tests.back().cause = "line 3: found by a search";
    lab.source.lines = {
        "void other_product(float* P) {", "    P[0] = 1;", "}", "void product(float* P) {", "    float sum;", "    P[0] = sum;", "}"};
    lab.warnings = {"own.cu:1: odd", "own.cu:6: variable 'sum' is uninitialized when used here"};
    add_causes_of_warnings(&lab);
    EXPECT_EQ(lab.tests[0].cause, "line 6: variable 'sum' is uninitialized when used here, as the compiler warns");
    EXPECT_EQ(lab.tests[1].cause, "line 1: odd, as the compiler warns");
    EXPECT_EQ(lab.tests[2].cause, "");
    EXPECT_EQ(lab.tests[3].cause, "line 3: found by a search");
}

TEST(Score, ExplanationFoldsFunctionsThatDoNothingYet) {
    const auto idle = [](const std::string& name, const std::string& function) {
        nlohmann::json test = failed(name, "correct", "10", "nothing was written to P");
        test["not_started"] = function;
        test["not_started_failures"] = "0";
        return test;
    };
    const std::string mixed =
        explain(score_of({idle("A", "first"), failed("B", "correct", "10", "a mistake"), idle("C", "second")}), false, {120, false});
    EXPECT_NE(mixed.find("a mistake"), std::string::npos) << mixed;
    EXPECT_EQ(mixed.find("nothing was written"), std::string::npos) << mixed;
    EXPECT_NE(mixed.find("not written yet, or without any effect: first, second (2 tests fail for that alone)"), std::string::npos)
        << mixed;
    const std::string alone = explain(score_of({idle("A", "first"), idle("C", "second")}), false);
    EXPECT_NE(alone.find("nothing was written"), std::string::npos) << alone;
}

TEST(Score, ExplanationShowsWhatWasMeasuredAndTheSeedOfAFailure) {
    nlohmann::json fast = passed("A", "fast", "10");
    fast["measured"] = "1.9 GFLOP/s";
    fast["times"] = "modelled";
    LabScore score = score_of({fast});
    score.seed = "77";
    EXPECT_NE(explain(score, false).find("Lab3.A: 1.9 GFLOP/s (modelled)"), std::string::npos) << explain(score, false);
    EXPECT_EQ(explain(score, false).find("--seed"), std::string::npos) << "nothing failed";
    score.tests.push_back(score_of({failed("B", "correct", "5", "wrong")}).tests[0]);
    EXPECT_NE(explain(score, false).find("./lab grade lab3 --seed 77"), std::string::npos) << explain(score, false);
}

TEST(Score, ExplanationShowsWhatWasPrinted) {
    nlohmann::json test = failed("A", "correct", "10", "wrong");
    for (int i = 0; i < 20; ++i) test["printed"] = test.value("printed", "") + "line " + std::to_string(i) + "\n";
    nlohmann::json right = passed("B", "correct", "10");
    right["printed"] = "all is well\n";
    const LabScore score = score_of({test, right});
    const std::string brief = explain(score, false);
    EXPECT_NE(brief.find("      wrong\n      it printed:\n        | line 0\n"), std::string::npos) << brief;
    EXPECT_NE(brief.find("        | line 5\n        ... 10 lines more (all with --verbose)\n        | line 16\n"), std::string::npos)
        << brief;
    EXPECT_NE(brief.find("        | line 19\n"), std::string::npos) << brief;
    EXPECT_EQ(brief.find("all is well"), std::string::npos) << brief;
    const std::string whole = explain(score, true);
    EXPECT_NE(whole.find("        | line 6\n        | line 7\n"), std::string::npos) << whole;
    EXPECT_NE(whole.find("  Lab3.B (passed)\n      it printed:\n        | all is well\n"), std::string::npos) << whole;
}

// A race in a file that is there, as a suite reports it.
LabScore score_of_a_race() {
    Finding race;
    race.kind = FindingKind::race;
    race.headline = "race in shared memory";
    race.space = MemorySpace::shared;
    race.places = {{PlaceRole::write, {"own.cu", 2, 8}, Index{}, Index{0, 0, 0}, {}, {}},
                   {PlaceRole::read, {"own.cu", 3, 12}, Index{}, Index{1, 0, 0}, {}, {}}};
    const std::string what = "race in shared memory at line 2 and line 3: is a __syncthreads() missing between them?";
    const nlohmann::json message{{"what", what}, {"where", nlohmann::json::array()}, {"topics", {"race"}}, {"findings", {race}}};
    std::string failure = what + "\n  where: own.cu:2 and line 3 in kernel k, block (0,0,0)\n  write by thread (0,0,0) at own.cu:2";
    for (int i = 0; i < 19; ++i) failure += "\n  evidence " + std::string(90, 'x');
    nlohmann::json test = failed("HasNoRaces", "safe", "5", failure);
    test["messages"] = nlohmann::json::array({message}).dump();
    LabScore score = score_of({passed("A", "correct", "10"), test});
    score.source = {"own.cu", {"void k() {", "    tile[i] = M[i];", "    sum += tile[i + 1];", "}"}};
    score.seed = "77";
    return score;
}

TEST(Score, FirstScreenOfAFailureHasPointsNextStepMessageAndSource) {
    const std::vector<std::string> lines = lines_of(explain(score_of_a_race(), false));
    ASSERT_GT(lines.size(), 24U);
    std::string screen;
    for (std::size_t i = 0; i < 24; ++i) screen += lines[i] + "\n";
    EXPECT_EQ(screen.find("\nlab3 shared tiling: 10 of 15 points, 1 of 2 tests pass\n  next: ./lab hint lab3\n"), 0U) << screen;
    EXPECT_NE(screen.find("  the same inputs again: ./lab grade lab3 --seed 77\n"), std::string::npos) << screen;
    EXPECT_NE(screen.find("      race in shared memory at line 2 and line 3: is a __syncthreads() missing\n"
                          "        between them?\n"
                          "        2 | tile[i] = M[i];\n"
                          "          |    ^ write by thread (0,0,0)\n"
                          "        3 | sum += tile[i + 1];\n"
                          "          |        ^ read by thread (1,0,0)\n"
                          "        where: own.cu:2"),
              std::string::npos)
        << screen;
    EXPECT_EQ(screen.find("write by thread (0,0,0) at own.cu:2"), std::string::npos) << "the mark says it";
}

TEST(Score, LinesOfAFailureFitTheTerminal) {
    LabScore score = score_of_a_race();
    score.tests.back().failures.front() =
        "wrong " + std::string(20, 'a') + std::string(30, ' ') + "b b b b b b b b b b b b b b b b b b b b b";
    for (const std::size_t width : {60U, 80U, 200U}) {
        for (const std::string& line : lines_of(explain(score, false, {width, false}))) EXPECT_LE(line.size(), width) << line;
    }
}

TEST(Score, NextStepIsNoHintForSomebodyElsesFile) {
    LabScore score = score_of_a_race();
    score.subject = "--from other.cu";
    const std::string text = explain(score, false);
    EXPECT_EQ(text.find("./lab hint"), std::string::npos) << text;
    EXPECT_NE(text.find("./lab grade lab3 --from other.cu --seed 77\n"), std::string::npos) << text;
}

TEST(Score, ColoursAreOnlyWhereTheTerminalHasThem) {
    const LabScore score = score_of_a_race();
    EXPECT_EQ(explain(score, true).find('\x1b'), std::string::npos);
    const std::string coloured = explain(score, true, {80, true});
    EXPECT_NE(coloured.find("\x1b[1;31m  Lab3.HasNoRaces\x1b[0m"), std::string::npos) << coloured;
    EXPECT_NE(coloured.find("\x1b[1;31m  |    ^ write by thread (0,0,0)\x1b[0m"), std::string::npos) << coloured;
}

TEST(Score, TableOfSixLabsFitsEightyColumns) {
    LabScore score = score_of({passed("A", "correct", "40"), failed("B", "fast", "35.5", "too slow"), passed("C", "host", "20")});
    score.title = "inexact tiling of a product";
    score.seconds = 1234.5;
    for (const std::string& line : lines_of(table({score, score}))) EXPECT_LE(line.size(), 80U) << line;
}

TEST(Score, JsonHoldsPointsAndFailures) {
    const nlohmann::json json =
        to_json(std::vector<LabScore>{score_of({passed("A", "correct", "10"), failed("B", "fast", "5", "too slow")})});
    EXPECT_EQ(json.at("points"), 10);
    EXPECT_EQ(json.at("of"), 15);
    const auto& test = json.at("labs").at(0).at("tests").at(1);
    EXPECT_EQ(test.at("points"), 0);
    EXPECT_EQ(test.at("of"), 5);
    EXPECT_EQ(test.at("failures").at(0), "too slow");
}

}  // namespace
}  // namespace lab::tools
