#include "common/tools/score_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "common/findings/finding_text.h"

namespace lab::tools {
namespace {

constexpr std::array group_names{"correct", "safe", "technique", "fast", "host"};
constexpr std::size_t margin = 6;  // columns before a message

// Points without needless decimals.
std::string shown(double points) { return points == std::floor(points) ? fmt::format("{:.0f}", points) : fmt::format("{:.1f}", points); }

// The finding that a failure is about, if its test told of one.
const Finding* finding_of(const TestScore& test, const std::string& failure) {
    for (const Told& told : test.told) {
        if (!told.findings.empty() && told.what == first_line(failure)) return &told.findings.front();
    }
    return nullptr;
}

// The first place that a text names in the student's file: "shared_tiling.cu:31", or "shared_tiling.cu:31:5".
SourceLine place_in(const std::string& text, const SourceText& source) {
    const std::string name = source.file + ":";
    for (std::size_t at = text.find(name); at != std::string::npos && !source.file.empty(); at = text.find(name, at + 1)) {
        char* end = nullptr;
        const unsigned long line = std::strtoul(text.c_str() + at + name.size(), &end, 10);
        if (line == 0) continue;
        const unsigned long column = *end == ':' ? std::strtoul(end + 1, nullptr, 10) : 0;
        return {source.file, static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(column)};
    }
    return {};
}

std::vector<std::string> excerpt_for(const TestScore& test, const std::string& failure, const SourceText& source, std::size_t width) {
    if (const Finding* const finding = finding_of(test, failure)) {
        std::vector<std::string> lines = excerpt_of(*finding, source, width);
        if (!lines.empty()) return lines;
    }
    return excerpt_of(place_in(failure, source), source, width);
}

std::string text_of(const std::vector<std::string>& excerpt, std::size_t indent, const Terminal& terminal) {
    std::string text;
    for (const std::string& line : excerpt) {
        const bool is_mark = line.find_first_not_of(' ') == line.find('|');
        text += fmt::format("{:{}}{}\n", "", indent, is_mark ? terminal.paint(Colour::red, line) : line);
    }
    return text;
}

// Lines of evidence that the marks of the excerpt say as well: "write by thread (0,0,0) at shared_tiling.cu:29".
std::vector<std::string> said_by_marks(const TestScore& test, const std::string& failure) {
    const Finding* const finding = finding_of(test, failure);
    if (finding == nullptr || finding->space != MemorySpace::shared) return {};
    std::vector<std::string> lines;
    for (const Place& place : finding->places) lines.push_back(mark_of(*finding, place) + " at " + to_text(place.source));
    return lines;
}

// Output of a student's code, as shown under its test.
std::string shown_output(const std::string& printed, bool everything) {
    if (printed.empty()) return {};
    const std::vector<std::string> lines = lines_of(printed);
    constexpr std::size_t max_first = 6;
    constexpr std::size_t max_last = 4;
    constexpr std::size_t widest = 200;
    const bool is_cut = !everything && lines.size() > max_first + max_last + 1;
    std::string text = "      it printed:\n";
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (is_cut && i == max_first) {
            i = lines.size() - max_last;
            text += fmt::format("        ... {} lines more (all with --verbose)\n", i - max_first);
        }
        const bool is_wide = !everything && lines[i].size() > widest;
        text += fmt::format("        | {}{}\n", is_wide ? lines[i].substr(0, widest) : lines[i], is_wide ? " ..." : "");
    }
    return text;
}

// One line on the functions that do nothing yet, and on the tests that fail for that alone.
std::string explain_not_started(const LabScore& lab) {
    std::vector<std::string> functions;
    int tests = 0;
    for (const TestScore& test : lab.tests) {
        if (test.not_started.empty()) continue;
        tests += test.fails_as_not_started() ? 1 : 0;
        std::istringstream names(test.not_started);
        for (std::string name; std::getline(names >> std::ws, name, ',');) {
            if (std::find(functions.begin(), functions.end(), name) == functions.end()) functions.push_back(name);
        }
    }
    return fmt::format("\n  not written yet, or without any effect: {} ({} test{} fail{} for that alone)\n", fmt::join(functions, ", "),
                       tests, tests == 1 ? "" : "s", tests == 1 ? "s" : "");
}

bool has_failed(const TestScore& test) { return !test.passed() && test.has_run; }

// Points, tests and what to do next.
std::string headline(const LabScore& lab, const Terminal& terminal) {
    std::string text = fmt::format("{} {}: {} of {} points, {} of {} tests pass", lab.lab, lab.title, shown(lab.earned()),
                                   shown(lab.points()), lab.passing(), lab.tests.size());
    text = "\n" + terminal.paint(Colour::bold, text) + "\n";
    if (std::none_of(lab.tests.begin(), lab.tests.end(), has_failed)) return text;
    const std::string subject = lab.subject.empty() ? "" : " " + lab.subject;
    if (subject.empty()) text += fmt::format("  next: ./lab hint {}\n", lab.lab);
    if (lab.seed.empty()) return text;
    const std::string lead = "  the same inputs again:";
    const std::string command = fmt::format(" ./lab grade {}{} --seed {}\n", lab.lab, subject, lab.seed);
    return text + lead + (lead.size() + command.size() > terminal.width + 1 ? "\n   " : "") + command;
}

std::string title_of(const TestScore& test, const Terminal& terminal) {
    return terminal.paint(Colour::red, "  " + test.name) + fmt::format(" ({}, {} points{})\n", test.group.empty() ? "no group" : test.group,
                                                                       shown(test.points), test.is_undecided ? ", undecided" : "");
}

// The failed tests: a few, or all of them.
class FailedTests {
public:
    FailedTests(const LabScore& lab, bool everything, const Terminal& terminal)
        : lab_(lab),
          everything_(everything),
          terminal_(terminal),
          is_begun_(std::any_of(lab.tests.begin(), lab.tests.end(),
                                [](const TestScore& test) { return has_failed(test) && !test.fails_as_not_started(); })) {}

    [[nodiscard]] std::string text() {
        std::string text;
        for (const TestScore& test : lab_.tests) {
            if (has_failed(test)) text += text_of(test);
        }
        if (is_folded_) text += folded(explain_not_started(lab_), terminal_.width);
        if (failed_ > max_tests())
            text += fmt::format("\n  and {} more failed tests of {} (all with --verbose)\n", failed_ - max_tests(), lab_.lab);
        return text;
    }

private:
    [[nodiscard]] std::size_t max_tests() const { return everything_ ? lab_.tests.size() : 6; }

    // Of functions that do nothing yet one test is enough, and none where there are other mistakes.
    std::string text_of(const TestScore& test) {
        if (!everything_ && test.fails_as_not_started() && (is_begun_ || failed_ > 0)) {
            is_folded_ = true;
            return {};
        }
        if (++failed_ > max_tests()) return {};
        std::string text = "\n" + title_of(test, terminal_);
        const auto& not_started = test.not_started_failures;
        for (std::size_t i = 0; i < test.failures.size(); ++i) {
            if (!everything_ && is_begun_ && std::find(not_started.begin(), not_started.end(), i) != not_started.end()) {
                is_folded_ = true;
                continue;
            }
            text += failure_text(lab_, test, i, everything_ ? 10000 : 25, terminal_);
        }
        return text + shown_output(test.printed, everything_);
    }

    const LabScore& lab_;
    bool everything_;
    const Terminal& terminal_;
    bool is_begun_, is_folded_ = false;
    std::size_t failed_ = 0;
};

}  // namespace

std::string excerpt_text(const LabScore& lab, const TestScore& test, std::size_t number, std::size_t indent, const Terminal& terminal) {
    return text_of(excerpt_for(test, test.failures.at(number), lab.source, terminal.width - indent), indent, terminal);
}

std::string excerpt_text(const LabScore& lab, const std::string& text, std::size_t indent, const Terminal& terminal) {
    return text_of(excerpt_of(place_in(text, lab.source), lab.source, terminal.width - indent), indent, terminal);
}

std::string failure_text(const LabScore& lab, const TestScore& test, std::size_t number, std::size_t max_lines, const Terminal& terminal) {
    const std::string& failure = test.failures.at(number);
    const std::vector<std::string> excerpt = excerpt_for(test, failure, lab.source, terminal.width - margin - 2);
    const std::vector<std::string> said = excerpt.empty() ? std::vector<std::string>() : said_by_marks(test, failure);
    std::string result;
    std::size_t count = 0;
    for (const std::string& line : lines_of(failure)) {
        if (std::find(said.begin(), said.end(), line.substr(std::min(line.size(), line.find_first_not_of(' ')))) != said.end()) continue;
        if (++count > max_lines) {
            result += fmt::format("{:{}}... (more with --verbose)\n", "", margin);
            break;
        }
        const std::string shown = folded(fmt::format("{:{}}{}\n", "", margin, line), terminal.width);
        result += count == 1 ? terminal.paint(Colour::bold, shown) : shown;
        if (count > 1) continue;
        result += text_of(excerpt, margin + 2, terminal);
        if (number == 0 && !test.cause.empty() && lab.told_of_search.line)
            result += terminal.paint(Colour::bold, folded(fmt::format("{:{}}likely cause: {}\n", "", margin, test.cause), terminal.width));
    }
    return result;
}

std::string table(const std::vector<LabScore>& labs) {
    const auto group_width = [](const std::string& group) { return group == "technique" ? 10 : 8; };
    std::string text = fmt::format("{:<20}", "lab");
    for (const char* group : group_names) text += fmt::format("{:>{}}", group, group_width(group));
    text += fmt::format("{:>9}{:>9}\n", "points", "time");
    double earned = 0;
    double points = 0;
    for (const LabScore& lab : labs) {
        text += fmt::format("{:<20}", fmt::format("{} {}", lab.lab, lab.title).substr(0, 20));
        for (const std::string group : group_names) {
            double group_earned = 0;
            double group_points = 0;
            for (const TestScore& test : lab.tests) {
                if (test.group != group) continue;
                group_earned += test.earned;
                group_points += test.points;
            }
            text += fmt::format("{:>{}}", group_points == 0 ? "-" : fmt::format("{}/{}", shown(group_earned), shown(group_points)),
                                group_width(group));
        }
        text += fmt::format("{:>9}{:>7.1f} s\n", lab.tests.empty() ? "-" : fmt::format("{}/{}", shown(lab.earned()), shown(lab.points())),
                            lab.seconds);
        earned += lab.earned();
        points += lab.points();
    }
    if (labs.size() > 1) text += fmt::format("{:<20}{:>51}\n", "total", fmt::format("{}/{}", shown(earned), shown(points)));
    for (const LabScore& lab : labs) {
        if (lab.undecided() == 0) continue;
        text += fmt::format("{}: {} points are undecided: the grader could not do its own part of their tests; grade again\n", lab.lab,
                            shown(lab.undecided()));
    }
    return text;
}

std::string explain(const LabScore& lab, bool everything, const Terminal& terminal) {
    std::string text;
    if (!lab.full() && !lab.tests.empty()) text += headline(lab, terminal);
    if (!lab.trouble.empty()) text += fmt::format("\n{}: {}\n", lab.lab, lab.trouble);
    if (!lab.warnings.empty() && !lab.full()) {
        text += "\n  the compiler warns:\n";
        for (const std::string& warning : lab.warnings) text += folded(fmt::format("      {}\n", warning), terminal.width);
    }
    text += FailedTests(lab, everything, terminal).text();
    for (const TestScore& test : lab.tests) {
        if (everything && test.passed() && !test.printed.empty())
            text += fmt::format("\n  {} (passed)\n{}", test.name, shown_output(test.printed, true));
    }
    std::string measured;
    for (const TestScore& test : lab.tests) {
        if (!test.measured.empty()) measured += fmt::format("  {}: {}\n", test.name, test.measured);
    }
    return measured.empty() ? text : text + "\n" + folded(measured, terminal.width);
}

}  // namespace lab::tools
