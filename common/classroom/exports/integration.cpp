// Continuous integration: JUnit's XML, and GitHub Actions.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "common/classroom/exports/exports.h"
#include "common/tools/lines.h"
#include "common/tools/score_text.h"

namespace lab::classroom::exports {
namespace {

// A test case; `outcome` is the element that tells why it did not pass, "" if it did.
std::string case_of(const std::string& head, const std::string& outcome, const std::string& text, const std::string& properties) {
    std::string made = "    <testcase " + head + ">\n" + properties;
    if (!outcome.empty()) {
        made += fmt::format("      <{0} message=\"{1}\">{2}</{0}>\n", outcome, escaped(replaced(tools::first_line(text), {{'\t', " "}})),
                            escaped(text));
    } else if (!text.empty()) {
        made += fmt::format("      <system-out>{}</system-out>\n", escaped(text));
    }
    return made + "    </testcase>\n";
}

// Tests of a lab, and one more for what kept them from running. Undecided ones, and those that never ran, are skipped.
std::string suite_of(const tools::LabScore& lab) {
    std::string cases;
    std::map<std::string, int> outcomes;
    if (!lab.trouble.empty()) {
        const char* const outcome = lab.is_undecided ? "skipped" : "failure";
        ++outcomes[outcome];
        cases += case_of(fmt::format("classname=\"{}\" name=\"can be graded\" time=\"0\"", escaped(lab.lab)), outcome, lab.trouble, "");
    }
    for (const tools::TestScore& test : lab.tests) {
        const State state = state_of(lab, test);
        const std::string outcome = state == State::passed ? "" : state == State::failed && test.has_run ? "failure" : "skipped";
        ++outcomes[outcome];
        cases += case_of(fmt::format("classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", escaped(lab.lab), escaped(test.name), test.seconds),
                         outcome, text_of(lab, test),
                         fmt::format("      <properties><property name=\"points\" value=\"{}\"/><property name=\"max_points\" "
                                     "value=\"{}\"/></properties>\n",
                                     shown(test.earned), shown(test.points)));
    }
    return fmt::format(
        "  <testsuite name=\"{} {}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.3f}\">\n{}  </testsuite>\n",
        escaped(lab.lab), escaped(lab.title), outcomes[""] + outcomes["failure"] + outcomes["skipped"], outcomes["failure"],
        outcomes["skipped"], lab.seconds, cases);
}

// The first line of a file that a text names, "shared_tiling.cu:31: ..."; 0 if it names none.
unsigned long line_in(const std::string& text, const std::string& file) {
    const std::string name = file + ":";
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        if (const unsigned long line = std::strtoul(text.c_str() + at + name.size(), nullptr, 10); line > 0) return line;
    }
    return 0;
}

// An annotation: at a line of the lab's file if the text names one.
std::string annotation(const char* kind, const Environment& environment, const tools::LabScore& lab, const std::string& title,
                       const std::string& text) {
    constexpr std::size_t max_text = 4000;
    const std::map<char, std::string> in_message{{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}};
    std::map<char, std::string> in_property = in_message;
    in_property.insert({{':', "%3A"}, {',', "%2C"}});
    std::string place;
    if (const auto file = environment.files.find(lab.lab); file != environment.files.end()) {
        if (const unsigned long line = line_in(text, std::filesystem::path(file->second).filename()); line > 0)
            place = fmt::format("file={},line={},", replaced(file->second, in_property), line);
    }
    return fmt::format("::{} {}title={}::{}\n", kind, place, replaced(title, in_property), replaced(shortened(text, max_text), in_message));
}

// As many annotations of a kind as GitHub shows of a step; the last one counts those that are left out.
std::string first_ones(const std::vector<std::string>& annotations, const char* kind) {
    constexpr std::size_t max_shown = 10;
    const bool is_cut = annotations.size() > max_shown;
    std::string text;
    for (std::size_t i = 0; i < (is_cut ? max_shown - 1 : annotations.size()); ++i) text += annotations[i];
    if (is_cut) text += fmt::format("::{} title=and {} more::See the summary of this step.\n", kind, annotations.size() - max_shown + 1);
    return text;
}

}  // namespace

std::string junit(const StudentScores& student, const Environment&) {
    std::string suites;
    for (const tools::LabScore& lab : student.labs) suites += suite_of(lab);
    return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n{}</testsuites>\n", suites);
}

// An error for each failed test, a notice for each undecided one.
std::string github_annotations(const StudentScores& student, const Environment& environment) {
    std::vector<std::string> errors, notices;
    const auto add = [&](bool is_undecided, const tools::LabScore& lab, const std::string& title, const std::string& text) {
        (is_undecided ? notices : errors).push_back(annotation(is_undecided ? "notice" : "error", environment, lab, title, text));
    };
    for (const tools::LabScore& lab : student.labs) {
        if (!lab.trouble.empty()) add(lab.is_undecided, lab, lab.lab, lab.trouble);
        for (const tools::TestScore& test : lab.tests) {
            if (!test.has_run || test.passed()) continue;
            const std::string title = fmt::format("{} ({}/{})", test.name, shown(test.earned), shown(test.points));
            add(test.is_undecided, lab, title, text_of(lab, test));
        }
    }
    return first_ones(errors, "error") + first_ones(notices, "notice");
}

std::string github_summary(const StudentScores& student, const Environment&) { return tools::markdown_summary(student.labs); }

}  // namespace lab::classroom::exports
