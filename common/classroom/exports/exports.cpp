#include "common/classroom/exports/exports.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "common/classroom/collection.h"
#include "common/tools/errors.h"
#include "common/tools/lines.h"

namespace lab::classroom::exports {
namespace {

// The first characters of `text` that fit into so many bytes.
std::string first_bytes(const std::string& text, std::size_t max_bytes) {
    if (text.size() <= max_bytes) return text;
    while (max_bytes > 0 && (static_cast<unsigned char>(text[max_bytes]) & 0xc0U) == 0x80) --max_bytes;  // inside a character
    return text.substr(0, max_bytes);
}

// Valid UTF-8 whose characters XML 1.0 allows.
std::string clean(const std::string& text) {
    std::string made;
    for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
        end = text.find_first_of("\n\t", begin);
        std::string line = text.substr(begin, end == std::string::npos ? end : end - begin);
        if (end != std::string::npos && text[end] == '\n' && line.ends_with('\r')) line.pop_back();
        made += printable(line);
        if (end != std::string::npos) made += text[end];
    }
    for (const char* const none : {"\xef\xbf\xbe", "\xef\xbf\xbf"}) {  // U+FFFE and U+FFFF, which are no characters
        for (std::size_t at = made.find(none); at != std::string::npos; at = made.find(none, at)) made.replace(at, 3, "\xef\xbf\xbd");
    }
    return made;
}

constexpr std::size_t max_text_bytes = 32'000;  // a cell of a spreadsheet holds 32,767 characters

// The same scores with clean texts, none of a student's or a compiler's longer than this. Each test has one failure at most.
StudentScores with_texts(StudentScores scores, std::size_t max_bytes) {
    const auto fit = [&](const std::string& text) { return shortened(clean(first_bytes(text, 2 * max_text_bytes)), max_bytes); };
    scores.student = clean(scores.student);
    for (tools::LabScore& lab : scores.labs) {
        for (std::string* const text : {&lab.lab, &lab.title, &lab.backend, &lab.remark}) *text = clean(*text);
        lab.trouble = fit(lab.trouble);
        for (tools::TestScore& test : lab.tests) {
            for (std::string* const text : {&test.name, &test.group}) *text = clean(*text);
            test.measured = fit(test.measured);
            if (!test.failures.empty()) test.failures = {fit(fmt::format("{}", fmt::join(test.failures, "\n\n")))};
        }
    }
    return scores;
}

std::vector<StudentScores> with_texts(std::vector<StudentScores> all, std::size_t max_bytes) {
    for (StudentScores& each : all) each = with_texts(std::move(each), max_bytes);
    return all;
}

// The file that `make` returns for the scores with the longest texts with which it is within the limit.
template <typename Scores, typename Make>
std::string within_limit(const Format& format, Scores scores, const Make& make) {
    for (std::size_t bytes = max_text_bytes;; bytes /= 2) {
        scores = with_texts(std::move(scores), bytes);
        std::string made = make(scores);
        if (format.max_bytes == 0 || made.size() <= format.max_bytes) return made;
        if (bytes == 0) throw tools::BadInput(fmt::format("{}: more than {} bytes, even without messages", format.name, format.max_bytes));
    }
}

}  // namespace

const std::vector<Format>& formats() {
    static const std::vector<Format> all{
        {"gradescope", "results.json", 0, "Gradescope's autograder", gradescope},
        {"classroom50", "result.json", 0, "Classroom 50's autograder, with values of its environment", classroom50},
        {"prairielearn", "results.json", 1'000'000, "PrairieLearn's external grader", prairielearn},
        {"autolab", "autolab.txt", 0, "the end of an Autolab grader's output", autolab},
        {"submitty", "validation_results.json", 0, "Submitty's custom validator", submitty},
        {"junit", "junit.xml", 0, "JUnit's XML", junit},
        {"github-annotations", "annotations.txt", 0, "commands that mark lines in GitHub Actions", github_annotations},
        {"github-summary", "summary.md", 1024 * 1024, "Markdown for GitHub's job summary", github_summary},
        {"canvas", "", 0, "a gradebook that Canvas exported, with our points", nullptr, nullptr, canvas},
        {"moodle", "", 0, "a grading worksheet that Moodle exported, with our points", nullptr, nullptr, moodle},
        {"csv", "", 0, "a line for each student and lab", nullptr, csv},
    };
    return all;
}

const Format& format_named(const std::string& name) {
    const auto found = std::find_if(formats().begin(), formats().end(), [&](const Format& each) { return name == each.name; });
    if (found != formats().end()) return *found;
    std::vector<std::string> names;
    for (const Format& each : formats()) names.emplace_back(each.name);
    throw tools::BadInput(fmt::format("unknown format '{}'; there are: {}", name, fmt::join(names, ", ")));
}

std::string student_file(const Format& format, const StudentScores& student, const Environment& environment) {
    return within_limit(format, student, [&](const StudentScores& scores) { return format.of_student(scores, environment); });
}

std::string class_file(const Format& format, const std::vector<StudentScores>& students) {
    return within_limit(format, students, format.of_class);
}

Filled filled_in(const Format& format, const std::string& exported, const std::vector<StudentScores>& students, const std::string& column) {
    return format.fill_in(exported, with_texts(students, max_text_bytes), column);
}

std::string folder_name(const std::string& student) {
    constexpr std::size_t max_bytes = 100;
    constexpr std::string_view unsafe = "/\\:*?\"<>|~";
    std::string safe = first_bytes(printable(student), max_bytes);
    for (char& c : safe) {
        if (unsafe.find(c) != std::string_view::npos) c = '_';
    }
    if (safe.starts_with('.') || safe.starts_with('-')) safe.front() = '_';
    if (safe.ends_with('.') || safe.ends_with(' ')) safe.back() = '_';
    if (safe == student && !safe.empty()) return safe;
    constexpr std::size_t shown_digits = 32;
    return safe + "~" + sha256_of(student).substr(0, shown_digits);  // no safe name has a '~'
}

State state_of(const tools::LabScore& lab, const tools::TestScore& test) {
    if (test.is_undecided || (lab.is_undecided && !test.has_run)) return State::undecided;
    return test.passed() ? State::passed : State::failed;
}

bool is_undecided(const tools::LabScore& lab) {
    return lab.is_undecided || std::any_of(lab.tests.begin(), lab.tests.end(), [](const auto& test) { return test.is_undecided; });
}

std::string text_of(const tools::LabScore& lab, const tools::TestScore& test) {
    const std::string failures = fmt::format("{}", fmt::join(test.failures, "\n\n"));
    switch (state_of(lab, test)) {
        case State::passed:
            return test.measured;
        case State::undecided:
            break;
        case State::failed:
            return test.has_run ? failures : "did not run: " + tools::first_line(lab.trouble);
    }
    return fmt::format("not judged ({} points): the grader itself failed, which is not your mistake{}{}", shown(test.points),
                       failures.empty() ? "" : "\n", failures);
}

std::string remarks_of(const StudentScores& student) {
    std::string text;
    for (const tools::LabScore& lab : student.labs) {
        for (const std::string& remark : {lab.remark, lab.trouble}) text += remark.empty() ? "" : fmt::format("{}: {}\n", lab.lab, remark);
        if (!is_undecided(lab)) continue;
        double points = 0;
        for (const tools::TestScore& test : lab.tests) points += state_of(lab, test) == State::undecided ? test.points : 0;
        text +=
            fmt::format("{}: {} points could not be judged, since the grader itself failed. They are not lost: ask for a new grading.\n",
                        lab.lab, shown(points));
    }
    return text;
}

std::string shown(double points) { return fmt::format("{:.10g}", points); }

double share(const StudentScores& student) {
    double earned = 0, points = 0;
    for (const tools::LabScore& lab : student.labs) {
        earned += lab.earned();
        points += lab.points();
    }
    return points > 0 ? std::clamp(earned / points, 0.0, 1.0) : 0;
}

std::string shortened(const std::string& text, std::size_t max_bytes) {
    if (text.size() <= max_bytes) return text;
    constexpr std::string_view mark = " ... (shortened)";
    if (max_bytes < mark.size()) return first_bytes(text, max_bytes);
    return first_bytes(text, max_bytes - mark.size()) + std::string(mark);
}

std::string replaced(const std::string& text, const std::map<char, std::string>& characters) {
    std::string made;
    for (const char c : text) {
        const auto found = characters.find(c);
        made += found == characters.end() ? std::string(1, c) : found->second;
    }
    return made;
}

std::string escaped(const std::string& text) {
    return replaced(text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}});
}

}  // namespace lab::classroom::exports
