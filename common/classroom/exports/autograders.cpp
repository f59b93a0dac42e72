// Results of autograders as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "common/classroom/exports/exports.h"

namespace lab::classroom::exports {
namespace {

using nlohmann::json;

// Calls `use` for each test, with its lab.
template <typename Use>
void each_test(const StudentScores& student, const Use& use) {
    for (const tools::LabScore& lab : student.labs) {
        for (const tools::TestScore& test : lab.tests) use(lab, test);
    }
}

bool any_undecided(const StudentScores& student) { return std::any_of(student.labs.begin(), student.labs.end(), is_undecided); }

}  // namespace

// No test is hidden, since a hidden one hides the student's total. An undecided test has neither score nor status.
std::string gradescope(const StudentScores& student, const Environment&) {
    json tests = json::array();
    double score = 0, seconds = 0;
    for (const tools::LabScore& lab : student.labs) seconds += lab.seconds;
    each_test(student, [&](const tools::LabScore& lab, const tools::TestScore& test) {
        json made{{"name", test.name},
                  {"name_format", "text"},
                  {"number", std::to_string(tests.size() + 1)},
                  {"output", text_of(lab, test)},
                  {"output_format", "text"},
                  {"tags", {test.group}},
                  {"visibility", "visible"}};
        if (const State state = state_of(lab, test); state != State::undecided) {
            made["score"] = test.earned;
            made["max_score"] = test.points;
            made["status"] = state == State::passed ? "passed" : "failed";
        }
        score += test.earned;
        tests.push_back(std::move(made));
    });
    const json all{{"score", score},          {"execution_time", seconds}, {"output", remarks_of(student)},
                   {"output_format", "text"}, {"visibility", "visible"},   {"tests", std::move(tests)}};
    return all.dump(2) + "\n";
}

// Scores are whole numbers there: each test's points are rounded. Undecided tests are in a list of their own, and the command's exit status
// says that the grader failed.
std::string classroom50(const StudentScores& student, const Environment& environment) {
    constexpr std::size_t max_message = 2000;
    json tests = json::array(), undecided = json::array();
    std::int64_t score = 0, max_score = 0;
    each_test(student, [&](const tools::LabScore& lab, const tools::TestScore& test) {
        const State state = state_of(lab, test);
        const std::int64_t max = std::llround(test.points), earned = std::llround(test.earned);
        score += earned;
        max_score += max;
        json made{{"test-name", test.name}, {"message", shortened(text_of(lab, test), max_message)}};
        if (state != State::undecided) made.update({{"passed", state == State::passed}, {"score", earned}, {"max-score", max}});
        (state == State::undecided ? undecided : tests).push_back(std::move(made));
    });
    json all{{"schema", "classroom50/result/v1"},
             {"datetime", environment.time},
             {"score", score},
             {"max-score", max_score},
             {"tests", std::move(tests)}};
    if (!undecided.empty()) all["undecided"] = std::move(undecided);
    for (const auto& [field, variable] : {std::pair{"classroom", "CLASSROOM"},
                                          {"assignment", "ASSIGNMENT"},
                                          {"submission", "SUBMISSION_TAG"},
                                          {"commit", "COMMIT_URL"},
                                          {"release", "RELEASE_URL"},
                                          {"review", "REVIEW_URL"}})
        all[field] = environment.variable(variable);
    return all.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

// A file that does not compile, or was not judged, is "not gradable": it costs the student no attempt.
std::string prairielearn(const StudentScores& student, const Environment&) {
    const std::string remarks = remarks_of(student);
    const bool compiles =
        std::none_of(student.labs.begin(), student.labs.end(), [](const tools::LabScore& lab) { return lab.does_not_compile; });
    if (!compiles || any_undecided(student)) {
        json all{{"gradable", false}, {"message", compiles ? "The grader itself failed; this cost no attempt." : "It does not compile."}};
        all["format_errors"] = {remarks};
        return all.dump() + "\n";
    }
    json tests = json::array();
    each_test(student, [&](const tools::LabScore& lab, const tools::TestScore& test) {
        tests.push_back({{"name", test.name},
                         {"points", test.earned},
                         {"max_points", test.points},
                         {"message", test.passed() ? "passed" : "failed"},
                         {"output", text_of(lab, test)}});
    });
    const json all{{"gradable", true}, {"score", share(student)}, {"output", remarks}, {"tests", std::move(tests)}};
    return all.dump() + "\n";
}

// The remarks, a line on the tests, a line on the points. A lab with undecided tests has no score, and those tests are in the remarks
// alone.
std::string autolab(const StudentScores& student, const Environment&) {
    json presentation{{"_presentation", "semantic"}, {"stages", json::array()}}, scores = json::object();
    for (const tools::LabScore& lab : student.labs) {
        json stage = json::object();
        for (const tools::TestScore& test : lab.tests) {
            const State state = state_of(lab, test);
            if (state != State::undecided) stage[test.name] = {{"passed", state == State::passed}, {"hint", text_of(lab, test)}};
        }
        presentation["stages"].push_back(lab.lab);
        presentation[lab.lab] = std::move(stage);
        if (!is_undecided(lab)) scores[lab.lab] = lab.earned();
    }
    return fmt::format("{}{}\n{}\n", remarks_of(student), presentation.dump(), json{{"scores", scores}}.dump());
}

// A warning stands for an undecided test. Where nothing was judged, the validator failed.
std::string submitty(const StudentScores& student, const Environment&) {
    if (std::any_of(student.labs.begin(), student.labs.end(), [](const tools::LabScore& lab) { return lab.is_undecided; }))
        return json{{"status", "fail"}, {"message", remarks_of(student)}}.dump(2) + "\n";
    json messages = json::array();
    if (const std::string remarks = remarks_of(student); !remarks.empty())
        messages.push_back({{"message", remarks}, {"status", "information"}});
    each_test(student, [&](const tools::LabScore& lab, const tools::TestScore& test) {
        const State state = state_of(lab, test);
        const std::string text = text_of(lab, test);
        messages.push_back(
            {{"message", fmt::format("{} ({}/{}){}{}", test.name, shown(test.earned), shown(test.points), text.empty() ? "" : ": ", text)},
             {"status", state == State::passed   ? "success"
                        : state == State::failed ? "failure"
                                                 : "warning"}});
    });
    return json{{"status", "success"}, {"data", {{"score", share(student)}, {"message", std::move(messages)}}}}.dump(2) + "\n";
}

}  // namespace lab::classroom::exports
