// What a student is told has one shape and one length, and sends its reader to places that exist.
#include "common/grading/message.h"

#include <fmt/format.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "common/grading/findings.h"
#include "common/grading/points.h"
#include "common/grading/reading.h"
#include "common/grading/shapes.h"

namespace lab::grading {
namespace {

std::size_t lines_of(const std::string& text) { return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1; }

TEST(Message, SaysWhatWhereEvidenceAndReadInThisOrder) {
    Message message("race", {"thread 1", "thread 2"});
    message.read = "a handout";
    EXPECT_EQ(to_text(message.at("inside").at("outside")),
              "race\n  where: outside\n  where: inside\n  thread 1\n  thread 2\n  read: a handout");
}

TEST(Message, KeepsToItsLengthAndSaysWhatItLeftOut) {
    Message message("wrong", std::vector<std::string>(40, "a line"));
    message.read = "a handout";
    const auto text = to_text(message.at("here"));
    EXPECT_EQ(lines_of(text), Message::most_lines);
    EXPECT_NE(text.find("  ... 19 lines more\n  read: a handout"), std::string::npos) << text;
}

TEST(Message, OfNothingStaysNothing) {
    EXPECT_TRUE(Message().at("somewhere").with("something").empty());
    EXPECT_TRUE(Message().at("somewhere").where.empty());
}

TEST(Reading, NamesOnlySectionsThatExist) {
    for (const auto& [file, section] : all_readings()) {
        std::ifstream handout(std::string(LAB_PROJECT_FOLDER) + "/" + file);
        ASSERT_TRUE(handout) << file;
        bool found = false;
        for (std::string line; std::getline(handout, line);) {
            found = found || line == "## " + section;
        }
        EXPECT_TRUE(found) << file << " has no section " << section;
    }
    EXPECT_EQ(reading(3, Section::mistakes), "handouts/lab3_shared_tiling.md, Mistakes that many make");
    EXPECT_EQ(reading(99, Section::mistakes), "");
}

TEST(Reading, GoesByTheMistakeWhereItIsKnownAndElseByTheTest) {
    grade_as({3, Group::correct, 0});
    Message race("race in shared memory");
    race.kind = "race";
    EXPECT_NONFATAL_FAILURE(fail(race), "read: handouts/lab3_shared_tiling.md, Reading a failure");
    EXPECT_NONFATAL_FAILURE(fail(Message("wrong").on(Section::task)), "read: handouts/lab3_shared_tiling.md, What to write");
    EXPECT_NONFATAL_FAILURE(fail("wrong"), "read: handouts/lab3_shared_tiling.md, Mistakes that many make");
}

Message wrong() { return {"wrong", {"evidence"}}; }
Message nothing() { return {}; }

TEST(Shapes, TellTheFirstFailureWholeAndTheOthersInALine) {
    Shapes shapes;
    shapes.attempt("W=1", nothing);
    shapes.attempt("W=2", [] { return wrong().at("here"); });
    shapes.attempt("W=3", wrong);
    EXPECT_EQ(to_text(shapes.message()), "wrong\n  where: here\n  evidence\n  also at W=3; right at W=1");
}

TEST(Shapes, SayNothingWhereAllAreRight) {
    Shapes shapes;
    shapes.attempt("W=1", nothing);
    EXPECT_TRUE(shapes.message().empty());
}

TEST(Shapes, KeepTheLineOnTheOthersHoweverLongTheEvidence) {
    Shapes shapes;
    shapes.attempt("W=2", [] { return Message("wrong", std::vector<std::string>(40, "a line")).at("here"); });
    shapes.attempt("W=3", nothing);
    Message message = shapes.message();
    message.read = "a handout";
    EXPECT_NE(to_text(message).find("\n  right at W=3\n  read: a handout"), std::string::npos) << to_text(message);
    EXPECT_LE(lines_of(to_text(message)), Message::most_lines);
}

TEST(Shapes, AreNotTriedAfterAFailureWhereOneIsEnough) {
    GTEST_FLAG_SET(fail_fast, true);
    Shapes shapes;
    int tried = 0;
    shapes.attempt("W=1", [] { return Message{}; });
    shapes.attempt("W=2", [] { return Message{"P[0] is 1, should be 2"}; });
    shapes.attempt("W=3", [&] { return ++tried, Message{"P[0] is 1, should be 2"}; });
    GTEST_FLAG_SET(fail_fast, false);
    EXPECT_EQ(tried, 0);
    EXPECT_EQ(shapes.message().evidence, std::vector<std::string>{"right at W=1; not tried at W=3"});
}

TEST(Shapes, AreNotTriedAfterAHang) {
    Shapes shapes;
    shapes.attempt("W=1", [] {
        Message hang = wrong();
        hang.kind = "hang";
        return hang;
    });
    shapes.attempt("W=2", []() -> Message {
        ADD_FAILURE() << "tried after a hang";
        return {};
    });
    EXPECT_EQ(shapes.message().evidence.back(), "not tried at W=2");
}

Result seen(const nlohmann::json& faults, const nlohmann::json& api_findings = nlohmann::json::array()) {
    Result result;
    result.report = {{"faults", faults}, {"api_findings", api_findings}};
    return result;
}

const nlohmann::json race{
    {"kind", "race"},
    {"text",
     "race in shared memory at line 7 and line 5\n  in kernel k(float*, int), block (0,0,0)\n  read by thread (1,0,0) at /a/b.cu:7"},
    {"file", "/a/b.cu"},
    {"line", 7},
    {"other_line", 5},
    {"stops", false}};
const nlohmann::json unset{{"kind", "uninitialised read"},
                           {"text", "uninitialised read\n  at /a/b.cu:9 in kernel k<7>(float*, int)"},
                           {"file", "/a/b.cu"},
                           {"line", 9},
                           {"stops", false}};
const nlohmann::json outside{{"kind", "out of bounds"},
                             {"text", "4-byte read out of bounds\n  at /a/b.cu:3 in kernel k\n  by thread (0,0,0)"},
                             {"file", "/a/b.cu"},
                             {"line", 3},
                             {"stops", true}};

TEST(Findings, PutTheRaceBeforeTheReadThatFollowsFromIt) {
    EXPECT_EQ(to_text(most_telling(seen(nlohmann::json::array({unset, race})))),
              "race in shared memory at line 7 and line 5: is a __syncthreads() missing between them?\n  where: b.cu:7 and line 5 in "
              "kernel k, block (0,0,0)\n"
              "  read by thread (1,0,0) at b.cu:7\n  also found: read of what was never written at b.cu:9");
}

TEST(Findings, LetNothingPassAFaultThatStops) {
    EXPECT_TRUE(stopped(seen(nlohmann::json::array({race, unset}))).empty());
    EXPECT_EQ(to_text(stopped(seen(nlohmann::json::array({race, outside})))),
              "4-byte read out of bounds\n  where: b.cu:3 in kernel k\n  by thread (0,0,0)");
}

TEST(Findings, CallArraysByTheirNames) {
    nlohmann::json past = outside;
    past["text"] =
        fmt::format("4-byte read out of bounds\n  address 0x10: directly past the end of a 1156-byte allocation made at {}N:1, so",
                    runner::array_place);
    EXPECT_EQ(stopped(seen(nlohmann::json::array({past}))).evidence.front(), "address 0x10: directly past the end of N (1156 bytes), so");
}

TEST(Findings, NameMisuseAsTheCauseOfAnError) {
    Result result = seen(nlohmann::json::array(), {{{"call", "cudaMemcpy"},
                                                    {"kind", "wrong copy direction"},
                                                    {"text", "cudaMemcpy in the wrong direction\n  the destination is host memory"},
                                                    {"where", "/a/b.cu:12"}}});
    result.status = 1;
    result.status_text = "cudaErrorInvalidValue: invalid argument";
    EXPECT_EQ(to_text(stopped(result)),
              "cudaMemcpy in the wrong direction\n  where: b.cu:12\n  the destination is host memory\n"
              "  the error that came back: cudaErrorInvalidValue: invalid argument");
}

TEST(Findings, NameAnErrorOnlyOnce) {
    Result result = seen(nlohmann::json::array(), {{{"call", "cudaLaunchKernel"},
                                                    {"kind", "failed call"},
                                                    {"text", "kernel launch failed with cudaErrorInvalidConfiguration: too many threads"},
                                                    {"where", "/a/b.cu:12"}}});
    result.status = 9;
    result.status_text = "cudaErrorInvalidConfiguration: invalid configuration argument";
    EXPECT_EQ(to_text(stopped(result)), "kernel launch failed with cudaErrorInvalidConfiguration: too many threads\n  where: b.cu:12");
}

TEST(Findings, TakeAFailedCallForNoMistakeWhereAllWentWell) {
    const Result result = seen(nlohmann::json::array(), {{{"call", "cudaMalloc"}, {"kind", "failed call"}, {"text", "cudaMalloc failed"}}});
    EXPECT_TRUE(most_telling(result).empty());
    EXPECT_TRUE(stopped(result).empty());
}

TEST(Findings, ExplainWrongElementsWithoutWhatWouldMislead) {
    const Message elements("3 of 4 elements of P are wrong",
                           {"P[0]: expected 1", "P[1]: expected 2", "map (x):", "  ×·", "only column 1 is right"});
    EXPECT_EQ(to_text(explained_by(finding(seen(nlohmann::json::array({race})), "race"), elements)),
              "race in shared memory at line 7 and line 5: is a __syncthreads() missing between them?\n  where: b.cu:7 and line 5 in "
              "kernel k, block (0,0,0)\n"
              "  read by thread (1,0,0) at b.cu:7\n  3 of 4 elements of P are wrong\n  P[0]: expected 1\n  map (x):\n    ×·");
    const Message guess("P is not a number: does your code add to what P held before?",
                        {"4 of 4 elements of P are wrong", "P[0]: expected 1", "P[1]: expected 2"});
    EXPECT_EQ(explained_by(finding(seen(nlohmann::json::array({unset})), "uninitialised read"), guess).evidence,
              (std::vector<std::string>{"4 of 4 elements of P are wrong", "P[0]: expected 1"}));
}

TEST(Findings, ExplainByExitedThreadsWhatNothingElseExplains) {
    Result result = seen(nlohmann::json::array());
    const Message open("3 of 4 elements of P are wrong");
    EXPECT_EQ(explained_by_exits(result, open).what, open.what);
    result.report["launches"] = nlohmann::json::array({{{"exited_at_barriers", 7}}});
    const Message explained = explained_by_exits(result, open);
    EXPECT_EQ(explained.what.rfind("threads return before a __syncthreads()", 0), 0U);
    EXPECT_EQ(explained.evidence, std::vector<std::string>{open.what});
    Message known("P is M M instead of M N");
    known.proof = Proof::index;
    EXPECT_EQ(explained_by_exits(result, known).what, known.what);
    EXPECT_TRUE(explained_by_exits(result, Message()).empty());
}

TEST(Orders, AreComparedToTheLastBit) {
    const Shape shape{"P", 1, 3};
    const Ways ways{"one order", "another"};
    EXPECT_TRUE(compare_orders<float>(shape, {1, 2, 3}, {1, 2, 3}, ways).empty());
    const auto differs = compare_orders<float>(shape, {1, 2, 3}, {1, 2.0000002F, 3}, ways);
    EXPECT_EQ(differs.what, "the result depends on the order in which blocks or warps run");
    EXPECT_EQ(differs.evidence.at(1), "P[1] is 2 with one order");
    EXPECT_EQ(differs.evidence.at(2), "P[1] is 2.00000024 with another");
}

}  // namespace
}  // namespace lab::grading
