#include "common/tools/score.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <utility>

#include "common/tools/cuda_source.h"
#include "common/tools/errors.h"
#include "common/tools/project.h"
#include "common/tools/safe_files.h"
#include "common/trace/json.h"

namespace lab::tools {
namespace fs = std::filesystem;
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

// The figure of each test, added up.
template <typename Figure>
double sum(const std::vector<TestScore>& tests, Figure figure) {
    double all = 0;
    for (const TestScore& test : tests) all += figure(test);
    return all;
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
                if (const auto topic = named<diagnosis::Topic>(name)) told.topics.insert(*topic);
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

TestScore test_from_json(const nlohmann::json& test) {
    TestScore made;
    test.at("name").get_to(made.name);
    test.at("group").get_to(made.group);
    test.at("points").get_to(made.earned);
    test.at("of").get_to(made.points);
    test.at("undecided").get_to(made.is_undecided);
    test.at("measured").get_to(made.measured);
    test.at("seconds").get_to(made.seconds);
    test.at("failures").get_to(made.failures);
    made.has_run = test.at("passed") || !made.failures.empty();
    return made;
}

}  // namespace

double LabScore::points() const {
    return sum(tests, [](const TestScore& test) { return test.points; });
}
double LabScore::earned() const {
    return sum(tests, [](const TestScore& test) { return test.earned; });
}
double LabScore::undecided() const {
    return sum(tests, [](const TestScore& test) { return test.is_undecided ? test.points : 0; });
}
std::size_t LabScore::passing() const { return static_cast<std::size_t>(std::ranges::count_if(tests, &TestScore::passed)); }

bool TestScore::fails_as_not_started() const { return !failures.empty() && not_started_failures.size() == failures.size(); }

bool LabScore::was_judged() const { return std::ranges::any_of(tests, &TestScore::has_run); }
bool LabScore::full() const { return trouble.empty() && !tests.empty() && passing() == tests.size(); }

void use_points(const std::map<std::string, double>& points, LabScore* score) {
    if (points.empty()) return;
    const auto own = [&](const TestScore& test) { return points.find(test.name.substr(test.name.find('.') + 1)); };
    std::map<std::string, double> sums;  // points by group, without tests that have points of their own
    for (const TestScore& test : score->tests) sums[test.group] += own(test) == points.end() ? test.points : 0;
    for (TestScore& test : score->tests) {
        const auto of_test = own(test), of_group = points.find(test.group);
        double now = test.points;
        if (of_test != points.end()) {
            now = of_test->second;
        } else if (of_group != points.end() && sums[test.group] > 0) {
            now = of_group->second * test.points / sums[test.group];
        }
        test.earned = test.points > 0 ? test.earned / test.points * now : test.passed() ? now : 0;
        test.points = now;
    }
}

namespace {

// What `read` takes from a course's settings.
template <typename Read>
auto in_course(const fs::path& file, Read read) {
    try {
        return read(nlohmann::json::parse(read_whole(file)));
    } catch (const nlohmann::json::exception&) {
        throw BadInput(fmt::format("{}: no course's settings; ./lab class --course names the line", file.string()));
    }
}

}  // namespace

std::map<std::string, double> points_in_course(const fs::path& file, const std::string& lab) {
    return in_course(file, [&](const nlohmann::json& course) {
        return course.at("labs").value(lab, nlohmann::json::object()).value("points", std::map<std::string, double>());
    });
}

ToldOfSearch told_of_search_in(const fs::path& file) {
    return in_course(file, [](const nlohmann::json& course) {
        const nlohmann::json told = course.value("search", nlohmann::json::object());
        return ToldOfSearch{told.value("line", true), told.value("text", true), told.value("edit", true)};
    });
}

namespace {

bool mentions(const std::string& text, const std::string& word) {
    const auto is_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_of_name(text[at - 1])) && (end == text.size() || !is_of_name(text[end]))) return true;
    }
    return false;
}

}  // namespace

void add_causes_of_warnings(LabScore* score) {
    if (score->warnings.empty()) return;
    std::string source;
    for (const std::string& line : score->source.lines) source += line + '\n';
    const std::vector<Definition> functions = definitions_in(source);
    for (TestScore& test : score->tests) {
        if (test.passed() || !test.has_run || test.is_undecided || !test.cause.empty()) continue;
        for (const std::string& warning : score->warnings) {  // "matmul_global.cu:78: variable 'sum' is ..."
            const std::size_t number = warning.find(':') + 1, words = warning.find(": ", number);
            const std::size_t line = std::strtoul(warning.c_str() + number, nullptr, 10);
            const bool explains = std::ranges::any_of(functions, [&](const Definition& function) {
                return line > function.first_line && line <= function.last_line + 1 && mentions(test.failures.front(), function.name);
            });
            if (!explains || words == std::string::npos) continue;
            test.cause = fmt::format("line {}: {}, as the compiler warns", line, warning.substr(words + 2));
            break;
        }
    }
}

std::vector<TestScore> read_scores(const nlohmann::json& report, std::string* backend) {
    const auto suites = report.find("testsuites");
    if (suites == report.end() || !suites->is_array()) throw BadInput("the suite's report is not GoogleTest's JSON");
    std::vector<TestScore> scores;
    *backend = text_in(report, "backend");
    const nlohmann::json repairs = nlohmann::json::parse(text_in(report, "repairs"), nullptr, false);
    for (const auto& suite : *suites) {
        const auto tests = suite.find("testsuite");
        if (tests == suite.end()) continue;
        for (const auto& test : *tests) {
            if (text_in(test, "status") != "RUN") continue;  // filtered out
            scores.push_back(read_test(test, text_in(suite, "name")));
            if (const auto found = repairs.find(scores.back().name); repairs.is_object() && found != repairs.end()) {
                scores.back().cause = found->value("told", "");
                scores.back().edits = found->value("edits", nlohmann::json::array());
            }
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
                             {"cause", test.cause},
                             {"edits", test.edits.is_null() ? nlohmann::json::array() : test.edits},
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
                       {"is_undecided", lab.is_undecided},
                       {"does_not_compile", lab.does_not_compile},
                       {"stopped", lab.stopped},
                       {"sandbox", lab.sandbox},
                       {"warnings", lab.warnings},
                       {"tests", std::move(tests)}});
        earned += lab.earned();
        points += lab.points();
        undecided += lab.undecided();
    }
    return {{"points", earned}, {"of", points}, {"undecided", undecided}, {"labs", std::move(all)}};
}

LabScore score_from_json(const nlohmann::json& lab) {
    LabScore made;
    try {
        lab.at("lab").get_to(made.lab);
        lab.at("title").get_to(made.title);
        lab.at("backend").get_to(made.backend);
        lab.at("seed").get_to(made.seed);
        lab.at("sandbox").get_to(made.sandbox);
        lab.at("seconds").get_to(made.seconds);
        lab.at("trouble").get_to(made.trouble);
        lab.at("is_undecided").get_to(made.is_undecided);
        lab.at("does_not_compile").get_to(made.does_not_compile);
        lab.at("stopped").get_to(made.stopped);
        for (const nlohmann::json& test : lab.at("tests")) made.tests.push_back(test_from_json(test));
    } catch (const nlohmann::json::exception& problem) {
        throw BadInput(fmt::format("no scores of ./lab grade --json: {}", problem.what()));
    }
    static const std::regex name("lab[0-9]{1,9}");
    if (!std::regex_match(made.lab, name)) throw BadInput(fmt::format("no scores of ./lab grade --json: '{}' is no lab", made.lab));
    return made;
}

std::vector<LabScore> scores_from_json(const nlohmann::json& json) {
    if (!json.is_object() || !json.contains("labs") || !json.at("labs").is_array())
        throw BadInput("no scores of ./lab grade --json: it has no list of labs");
    std::vector<LabScore> all;
    for (const nlohmann::json& lab : json.at("labs")) all.push_back(score_from_json(lab));
    return all;
}

KeptVerdict::KeptVerdict(const Project& project, const Lab& lab, std::string others)
    : project_(project),
      lab_(lab),
      others_(std::move(others)),
      file_(project.build / "reports" / (lab.name() + (others_.empty() ? "" : "_" + others_) + ".json")) {}

std::string KeptVerdict::subject(const std::vector<fs::path>& programs) const {
    std::string all;
    if (others_.empty()) {
        for (const fs::path& file : student_files(project_, lab_)) all += file.string() + " " + fingerprint_of_file(file) + "\n";
    }
    for (const fs::path& program : programs) all += fingerprint_of_file(program) + "\n";
    return fingerprint(all);
}

void KeptVerdict::keep(const std::string& subject, const std::string& seed, const nlohmann::json& report) const {
    const nlohmann::json kept = {{"subject", subject}, {"seed", seed}, {"report", report}};
    replace_file(file_, kept.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

bool KeptVerdict::recall(const std::string& subject, LabScore* score) const {
    const nlohmann::json kept = read_json(file_);
    if (!kept.is_object() || kept.value("subject", "") != subject || !kept.contains("report")) return false;
    score->tests = read_scores(kept["report"], &score->backend);
    score->seed = kept.value("seed", "");
    return true;
}

}  // namespace lab::tools
