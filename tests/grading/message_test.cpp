// Messages to students have one form and a maximum length, and refer to existing sections.
#include "common/diagnosis/message.h"

#include <fmt/format.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "common/grading/findings.h"
#include "common/grading/points.h"
#include "common/grading/shapes.h"
#include "common/trace/json.h"

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
    Message message("wrong", std::vector<Line>(40, "a line"));
    message.read = "a handout";
    const auto text = to_text(message.at("here"));
    EXPECT_EQ(lines_of(text), Message::max_lines);
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
    race.kind = Topic::race;
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
    shapes.attempt("W=2", [] { return Message("wrong", std::vector<Line>(40, "a line")).at("here"); });
    shapes.attempt("W=3", nothing);
    Message message = shapes.message();
    message.read = "a handout";
    EXPECT_NE(to_text(message).find("\n  right at W=3\n  read: a handout"), std::string::npos) << to_text(message);
    EXPECT_LE(lines_of(to_text(message)), Message::max_lines);
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
    EXPECT_EQ(shapes.message().evidence, std::vector<Line>{"right at W=1; not tried at W=3"});
}

TEST(Shapes, TellThatOnlySquareMatricesAreRight) {
    const auto told = [](bool square_is_wrong, bool other_is_right, bool is_second) {
        Shapes shapes;
        shapes.attempt("4 x 4", square_is_wrong ? wrong : nothing, true);
        shapes.attempt("3 x 4", wrong, false);
        if (is_second) shapes.attempt("4 x 3", wrong, false);
        if (other_is_right) shapes.attempt("5 x 3", nothing, false);
        shapes.attempt("1 x 4", wrong);
        return shapes.message().what;
    };
    EXPECT_EQ(told(false, false, true), "only square matrices come out right; wrong");
    EXPECT_EQ(told(true, false, true), "wrong");
    EXPECT_EQ(told(false, true, true), "wrong");
    EXPECT_EQ(told(false, false, false), "wrong");
    // A proven cause says more.
    Shapes proven;
    proven.attempt("4 x 4", nothing, true);
    for (int nth = 0; nth < 2; ++nth) {
        const auto attempt = [] {
            Message message = wrong();
            message.proof = Proof::index;
            return message;
        };
        proven.attempt("3 x 4", attempt, false);
    }
    EXPECT_EQ(proven.message().what, "wrong");
    // Another side's bound is right for squares, a loop without its rest only by chance.
    for (const bool is_of_sides : {true, false}) {
        Shapes ended;
        ended.attempt("4 x 4", nothing, true);
        for (int nth = 0; nth < 2; ++nth) {
            const auto attempt = [&] {
                Message message = wrong();
                message.proof = Proof::index;
                message.explanations = {{"first", "wrong", is_of_sides}, {"ends early", "early", true}};
                return message;
            };
            ended.attempt("3 x 4", attempt, false);
        }
        EXPECT_EQ(ended.message().what, is_of_sides ? "only square matrices come out right; wrong" : "wrong");
    }
}

TEST(Shapes, TakeTheExplanationThatFitsAtEach) {
    const auto explained = [](const std::vector<Explanation>& all) {
        Message message = wrong();
        message.what = all.front().what;
        message.explanations = all;
        return message;
    };
    Shapes shapes;
    shapes.attempt("9", [&] { return explained({{"by 8", "eight at a time"}, {"by 4", "four at a time"}, {"early", "too early"}}); });
    shapes.attempt("5", wrong);
    shapes.attempt("7", [&] { return explained({{"by 4", "four at a time of 7"}, {"early", "too early"}}); });
    EXPECT_EQ(shapes.message().what, "four at a time");
    // A first line about something else stays.
    Shapes others;
    others.attempt("9", [&] { return explained({{"by 8", "8"}, {"by 4", "4"}, {"early", "early"}}).led_by("after earlier calls", ""); });
    others.attempt("7", [&] { return explained({{"by 4", "4"}, {"early", "early"}}); });
    EXPECT_EQ(others.message().what, "after earlier calls");
}

TEST(Shapes, AreNotTriedAfterAHang) {
    Shapes shapes;
    shapes.attempt("W=1", [] {
        Message hang = wrong();
        hang.kind = Topic::hang;
        return hang;
    });
    shapes.attempt("W=2", []() -> Message {
        ADD_FAILURE() << "tried after a hang";
        return {};
    });
    EXPECT_EQ(shapes.message().evidence.back().text, "not tried at W=2");
}

Result seen(const std::vector<Finding>& findings) {
    Result result;
    result.findings = findings;
    return result;
}

Finding about(FindingKind kind, const char* headline, const char* kernel, std::uint32_t line) {
    Finding finding;
    finding.kind = kind;
    finding.headline = headline;
    finding.kernel = kernel;
    finding.places.push_back({PlaceRole::at, {"b.cu", line, 0}, Index{0, 0, 0}, Index{0, 0, 0}, {}, {}});
    return finding;
}

Finding race() {
    Finding finding = about(FindingKind::race, "race in shared memory", "k(float*, int)", 7);
    finding.space = MemorySpace::shared;
    finding.places[0].role = PlaceRole::read;
    finding.places[0].thread = Index{1, 0, 0};
    finding.places.push_back({PlaceRole::write, {"b.cu", 5, 0}, Index{0, 0, 0}, Index{2, 0, 0}, {}, {}});
    finding.locations.push_back({});
    finding.locations[0].object = {ObjectKind::shared_variable, "tile", 64, {}, {}, false, false, {}};
    finding.locations[0].offset = 8;
    finding.locations[0].bytes = 1;
    finding.advice = "with no __syncthreads() in between";
    finding.count = 3;
    return finding;
}
const char* const race_text =
    "race in shared memory at line 7 and line 5: is a __syncthreads() missing between them?\n  where: b.cu:7 and line 5 in "
    "kernel k, block (0,0,0)\n"
    "  read by thread (1,0,0) at b.cu:7\n  write by thread (2,0,0) at b.cu:5\n"
    "  both touch byte 8 of tile in shared memory, with no __syncthreads() in between; seen 3 times";

Finding unset() {
    Finding finding = about(FindingKind::uninitialised_read, "uninitialised read", "k<7>(float*, int)", 9);
    finding.space = MemorySpace::local;
    return finding;
}
Finding outside() {
    Finding finding = about(FindingKind::out_of_bounds, "4-byte read out of bounds", "k", 3);
    finding.stops = true;
    return finding;
}

// A call of the API at b.cu:12.
Finding call(FindingKind kind, const char* name, const char* headline) {
    Finding finding;
    finding.kind = kind;
    finding.call = name;
    finding.headline = headline;
    finding.places.push_back({PlaceRole::at, {"b.cu", 12, 0}, {}, {}, {}, {}});
    return finding;
}

TEST(Findings, PutTheRaceBeforeTheReadThatFollowsFromIt) {
    EXPECT_EQ(to_text(leading_finding(seen({unset(), race()}))),
              std::string(race_text) + "\n  also found: read of what was never written at b.cu:9");
}

TEST(Findings, LetNothingPassAFaultThatStops) {
    EXPECT_TRUE(stopped(seen({race(), unset()})).empty());
    EXPECT_EQ(to_text(stopped(seen({race(), outside()}))),
              "4-byte read out of bounds\n  where: b.cu:3 in kernel k\n  by thread (0,0,0) of block (0,0,0)");
}

TEST(Findings, CallArraysByTheirNamesAndTellTheElement) {
    Finding past = outside();
    past.measured[Quantity::access_bytes] = 4;
    past.locations.push_back({});
    past.locations[0].object = {ObjectKind::allocation, "N", 1156, {}, {}, false, false, {}};
    past.locations[0].relation = Relation::past_end;
    past.locations[0].address = 0x10;
    EXPECT_EQ(to_text(stopped(seen({past}))),
              "4-byte read out of bounds: N[289], but N has 289 elements\n  where: b.cu:3 in kernel k\n"
              "  by thread (0,0,0) of block (0,0,0)\n  address 0x10: directly past the end of N (1156 bytes)");
    past.locations[0].distance = 8;
    EXPECT_EQ(stopped(seen({past})).what, "4-byte read out of bounds: N[291], but N has 289 elements");
    past.locations[0].object.name.clear();  // an array of the program's own
    EXPECT_EQ(stopped(seen({past})).what, "4-byte read out of bounds");
    past.locations[0].object.kind = ObjectKind::shared_memory;
    EXPECT_EQ(stopped(seen({past})).what, "4-byte read out of bounds: the block has 1156 bytes of shared memory");
}

TEST(Findings, TellTheElementOfSharedMemoryThatNothingSet) {
    Finding early = unset();
    early.space = MemorySpace::shared;
    early.measured[Quantity::access_bytes] = 4;
    early.locations = race().locations;
    early.locations[0].bytes = 4;
    EXPECT_EQ(finding(seen({early}), FindingKind::uninitialised_read).what, "uninitialised read: element 2 of tile");
}

TEST(Findings, AskTwoWritesOnOneLineForTheIndex) {
    Finding twice = race();
    for (Place& place : twice.places) place = {PlaceRole::write, {"b.cu", 7, 0}, Index{0, 0, 0}, place.thread, {}, {}};
    EXPECT_EQ(finding(seen({twice}), FindingKind::race).what,
              "race in shared memory at line 7: two threads write the same element, which differ only in threadIdx.x: does the index lack "
              "threadIdx.x, or should a guard let one of them store?");
    twice.places[0].role = PlaceRole::read;
    EXPECT_EQ(finding(seen({twice}), FindingKind::race).what,
              "race in shared memory at line 7, by two threads: one reads what the other one stores: do several threads add to one element "
              "of tile?");
}

TEST(Findings, NameMisuseAsTheCauseOfAnError) {
    Finding misuse = call(FindingKind::wrong_copy_direction, "cudaMemcpy", "cudaMemcpy in the wrong direction");
    misuse.details.push_back("the destination is host memory");
    Result result = seen({misuse});
    result.status = 1;
    result.status_text = "cudaErrorInvalidValue: invalid argument";
    EXPECT_EQ(to_text(stopped(result)),
              "cudaMemcpy in the wrong direction\n  where: b.cu:12\n  the destination is host memory\n"
              "  the error that came back: cudaErrorInvalidValue: invalid argument");
}

TEST(Findings, NameAnErrorOnlyOnce) {
    Finding failed =
        call(FindingKind::failed_call, "cudaLaunchKernel", "kernel launch failed with cudaErrorInvalidConfiguration: too many threads");
    failed.error = 9;
    Result result = seen({failed});
    result.status = 9;
    result.status_text = "cudaErrorInvalidConfiguration: invalid configuration argument";
    EXPECT_EQ(to_text(stopped(result)), "kernel launch failed with cudaErrorInvalidConfiguration: too many threads\n  where: b.cu:12");
}

TEST(Findings, TakeAFailedCallForNoMistakeWhereAllWentWell) {
    const Result result = seen({call(FindingKind::failed_call, "cudaMalloc", "cudaMalloc failed")});
    EXPECT_TRUE(leading_finding(result).empty());
    EXPECT_TRUE(stopped(result).empty());
}

TEST(Findings, ExplainWrongElementsWithoutWhatWouldMislead) {
    const Message elements(
        "3 of 4 elements of P are wrong",
        {"P[0]: expected 1", "P[1]: expected 2", {"map (x):", Line::Kind::map}, {"  ×·", Line::Kind::map}, "only column 1 is right"});
    EXPECT_EQ(to_text(explained_by(finding(seen({race()}), FindingKind::race), elements)),
              std::string(race_text) + "\n  3 of 4 elements of P are wrong\n  P[0]: expected 1\n  map (x):\n    ×·");
    const Message guess("P is not a number: does your code add to what P held before?",
                        {{"4 of 4 elements of P are wrong", Line::Kind::count}, "P[0]: expected 1", "P[1]: expected 2"});
    EXPECT_EQ(explained_by(finding(seen({call(FindingKind::leak, "cudaMalloc", "leak")}), FindingKind::leak), guess).evidence,
              (std::vector<Line>{{"4 of 4 elements of P are wrong", Line::Kind::count}, {"P[0]: expected 1"}}));
}

TEST(Topics, OfAFindingAreItsKindItsMemoryAndWhatItsCallDoes) {
    using Topics = std::set<Topic>;
    EXPECT_EQ(message_of(race()).all_topics(), (Topics{Topic::race, Topic::in_kernel, Topic::shared_memory}));
    Finding copy = call(FindingKind::pointer_exchanged, "cudaMemcpy", "cudaMemcpy failed");
    copy.error = 1;
    EXPECT_EQ(message_of(copy).all_topics(), (Topics{Topic::pointer_exchanged, Topic::copying, Topic::invalid_value}));
    EXPECT_EQ(message_of(copy).subject, Topic::copying);
    EXPECT_EQ(message_of(call(FindingKind::read_too_soon, "cudaMemcpyAsync", "the host reads")).all_topics(),
              (Topics{Topic::read_too_soon, Topic::not_waited_for}));
    EXPECT_EQ(message_of(call(FindingKind::double_free, "cudaFree", "freed twice")).all_topics(),
              (Topics{Topic::double_free, Topic::freed_memory, Topic::freeing}));
}

TEST(Topics, AreThoseOfAllThatAMessageTells) {
    const Message told = leading_finding(seen({unset(), race()}));
    EXPECT_EQ(told.all_topics().count(Topic::uninitialised_read), 1U);
    EXPECT_EQ(told.findings, (std::vector<Finding>{race(), unset()}));
    Message elements("3 of 4 elements of P are wrong");
    elements.topics = {Topic::wrong_elements, Topic::not_a_number};
    EXPECT_EQ(explained_by(message_of(race()), elements).all_topics(),
              (std::set{Topic::race, Topic::in_kernel, Topic::shared_memory, Topic::wrong_elements, Topic::not_a_number}));
    elements.proof = Proof::index;
    const Message index = explained_by(message_of(race()), elements);
    EXPECT_EQ(index.kind, Topic::race);
    EXPECT_EQ(index.findings, std::vector<Finding>{race()});
}

TEST(Message, HasItsFieldsAsJson) {
    Message message = message_of(outside()).at("k at W=16").with("a line");
    message.read = "a handout";
    const nlohmann::json json = to_json(message);
    EXPECT_EQ(json.at("what"), "4-byte read out of bounds");
    EXPECT_EQ(json.at("where"), (nlohmann::json{"k at W=16", "b.cu:3 in kernel k"}));
    EXPECT_EQ(json.at("evidence"), (nlohmann::json{"by thread (0,0,0) of block (0,0,0)", "a line"}));
    EXPECT_EQ(json.at("read"), "a handout");
    EXPECT_EQ(json.at("topics"), (nlohmann::json{"out of bounds", "in a kernel"}));
    EXPECT_EQ(json.at("findings").get<std::vector<Finding>>(), std::vector<Finding>{outside()});
}

TEST(Findings, ExplainByExitedThreadsWhatNothingElseExplains) {
    Result result = seen({});
    const Message open("3 of 4 elements of P are wrong");
    EXPECT_EQ(explained_by_exits(result, open).what, open.what);
    result.launches.emplace_back().counters.exited_at_barriers = 7;
    const Message explained = explained_by_exits(result, open);
    EXPECT_EQ(explained.what.rfind("threads return before a __syncthreads()", 0), 0U);
    EXPECT_EQ(explained.evidence, std::vector<Line>{open.what});
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
    EXPECT_EQ(differs.evidence.at(1).text, "P[1] is 2 with one order");
    EXPECT_EQ(differs.evidence.at(2).text, "P[1] is 2.00000024 with another");
}

}  // namespace
}  // namespace lab::grading
