#include "common/tools/score.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "common/tools/errors.h"
#include "common/trace/json.h"

namespace lab::tools {
namespace {

double number_in(const nlohmann::json& object, const char* name, double otherwise) {
    const auto found = object.find(name);
    if (found == object.end()) return otherwise;
    if (found->is_number()) return found->get<double>();
    return found->is_string() ? std::strtod(found->get_ref<const std::string&>().c_str(), nullptr) : otherwise;
}

// GoogleTest before 1.14 writes each byte of a UTF-8 character as a separate character ("\\u00C2\\u00B7" for a middle dot). If every
// character is such a byte and the bytes are valid UTF-8, those bytes are the text.
std::string without_byte_escapes(const std::string& text) {
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto first = static_cast<unsigned char>(text[i]);
        if (first < 0x80) {
            bytes.push_back(text[i]);
        } else if ((first == 0xC2 || first == 0xC3) && i + 1 < text.size()) {
            bytes.push_back(static_cast<char>(((first & 0x03U) << 6U) | (static_cast<unsigned char>(text[++i]) & 0x3FU)));
        } else {
            return text;
        }
    }
    try {
        (void)nlohmann::json(bytes).dump();  // throws if the bytes are no UTF-8
    } catch (const nlohmann::json::type_error&) {
        return text;
    }
    return bytes;
}

std::string text_in(const nlohmann::json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? without_byte_escapes(found->get<std::string>()) : std::string();
}

// GoogleTest puts "file:line" of the suite and the word "Failed" first; neither helps a student.
std::string without_preamble(const std::string& failure) {
    static const std::regex suite_place(R"(_test(_\w+)?\.cpp:)");
    std::string text;
    bool preamble = true;
    for (const std::string& line : lines_of(failure)) {
        const bool place = std::regex_search(line, suite_place) || line.rfind("unknown file", 0) == 0;
        if (preamble && (place || line == "Failed" || line.empty())) continue;
        preamble = false;
        text += line + "\n";
    }
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text.empty() ? failure : text;
}

// The property "messages", JSON in a string. Anything else was not written by our suites.
std::vector<Told> told_in(const nlohmann::json& test) {
    std::vector<Told> all;
    const nlohmann::json messages = nlohmann::json::parse(text_in(test, "messages"), nullptr, false);
    if (!messages.is_array()) return all;
    try {
        for (const nlohmann::json& message : messages) {
            Told told;
            message.at("what").get_to(told.what);
            message.at("where").get_to(told.where);
            message.at("findings").get_to(told.findings);
            for (const std::string name : message.at("topics")) {
                if (const auto topic = named<grading::Topic>(name)) told.topics.insert(*topic);
            }
            told.fields = message;
            all.push_back(std::move(told));
        }
    } catch (const std::exception& problem) {
        throw BadInput(fmt::format("the suite's report has a message that can't be read: {}", problem.what()));
    }
    return all;
}

TestScore read_test(const nlohmann::json& test, const std::string& suite) {
    TestScore score;
    score.name = suite + "." + text_in(test, "name");
    score.group = text_in(test, "group");
    score.points = number_in(test, "points", 0);
    score.seconds = number_in(test, "time", 0);
    score.measured = text_in(test, "measured");
    if (const std::string kind = text_in(test, "times"); !score.measured.empty() && !kind.empty()) score.measured += " (" + kind + ")";
    score.printed = text_in(test, "printed");
    if (const auto failures = test.find("failures"); failures != test.end()) {
        for (const auto& failure : *failures) score.failures.push_back(without_preamble(text_in(failure, "failure")));
    }
    if (const std::string result = text_in(test, "result"); result != "COMPLETED" && score.failures.empty()) {
        score.failures.push_back(result == "SKIPPED" ? "This test was skipped, so it gives no points."
                                                     : "This test did not run to its end.");
    }
    if (!score.failures.empty()) score.told = told_in(test);
    score.not_started = score.failures.empty() ? "" : text_in(test, "not_started");
    std::istringstream numbers(text_in(test, "not_started_failures"));
    for (std::size_t number = 0; numbers >> number;) {
        if (number < score.failures.size()) score.not_started_failures.push_back(number);
    }
    // An exception in our own code tells nothing about the student's.
    const bool has_thrown = std::all_of(score.failures.begin(), score.failures.end(),
                                        [](const std::string& failure) { return failure.rfind("C++ exception with description", 0) == 0; });
    score.is_undecided = !score.failures.empty() && (has_thrown || text_in(test, "undecided") == "yes");
    if (has_thrown) {
        for (std::string& failure : score.failures) failure = "the grader failed in this test (this is not your mistake)\n  " + failure;
    }
    score.earned = score.passed() ? score.points : 0;
    return score;
}

}  // namespace

double LabScore::points() const {
    double sum = 0;
    for (const TestScore& test : tests) sum += test.points;
    return sum;
}

double LabScore::earned() const {
    double sum = 0;
    for (const TestScore& test : tests) sum += test.earned;
    return sum;
}

double LabScore::undecided() const {
    double sum = 0;
    for (const TestScore& test : tests) sum += test.is_undecided ? test.points : 0;
    return sum;
}

bool TestScore::fails_as_not_started() const { return !failures.empty() && not_started_failures.size() == failures.size(); }

bool LabScore::was_judged() const {
    return std::any_of(tests.begin(), tests.end(), [](const TestScore& test) { return test.has_run; });
}

bool LabScore::full() const {
    return trouble.empty() && !tests.empty() &&
           std::all_of(tests.begin(), tests.end(), [](const TestScore& test) { return test.passed(); });
}

std::vector<TestScore> read_scores(const nlohmann::json& report, std::string* backend) {
    const auto suites = report.find("testsuites");
    if (suites == report.end() || !suites->is_array()) throw BadInput("the suite's report is not GoogleTest's JSON");
    std::vector<TestScore> scores;
    *backend = text_in(report, "backend");
    for (const auto& suite : *suites) {
        const auto tests = suite.find("testsuite");
        if (tests == suite.end()) continue;
        for (const auto& test : *tests) {
            if (text_in(test, "status") != "RUN") continue;  // filtered out
            scores.push_back(read_test(test, text_in(suite, "name")));
            // The longest names most: "emulator and gpu".
            if (const std::string its = text_in(test, "backend"); its.size() > backend->size()) *backend = its;
        }
    }
    return scores;
}

nlohmann::json to_json(const std::vector<LabScore>& labs) {
    nlohmann::json all = nlohmann::json::array();
    double earned = 0;
    double points = 0;
    double undecided = 0;
    for (const LabScore& lab : labs) {
        nlohmann::json tests = nlohmann::json::array();
        for (const TestScore& test : lab.tests) {
            nlohmann::json messages = nlohmann::json::array();
            std::vector<Finding> findings;
            for (const Told& told : test.told) {
                messages.push_back(told.fields);
                for (const Finding& finding : told.findings) {
                    if (std::find(findings.begin(), findings.end(), finding) == findings.end()) findings.push_back(finding);
                }
            }
            tests.push_back({{"name", test.name},
                             {"group", test.group},
                             {"points", test.earned},
                             {"of", test.points},
                             {"passed", test.passed()},
                             {"undecided", test.is_undecided},
                             {"seconds", test.seconds},
                             {"measured", test.measured},
                             {"printed", test.printed},
                             {"failures", test.failures},
                             {"messages", std::move(messages)},
                             {"findings", findings}});
        }
        all.push_back({{"lab", lab.lab},
                       {"title", lab.title},
                       {"backend", lab.backend},
                       {"points", lab.earned()},
                       {"of", lab.points()},
                       {"undecided", lab.undecided()},
                       {"seconds", lab.seconds},
                       {"seed", lab.seed},
                       {"trouble", lab.trouble},
                       {"sandbox", lab.sandbox},
                       {"warnings", lab.warnings},
                       {"tests", std::move(tests)}});
        earned += lab.earned();
        points += lab.points();
        undecided += lab.undecided();
    }
    return {{"points", earned}, {"of", points}, {"undecided", undecided}, {"labs", std::move(all)}};
}

}  // namespace lab::tools
