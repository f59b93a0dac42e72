#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "common/tools/errors.h"
#include "common/tools/grade_lab.h"
#include "common/tools/hint_sheet.h"
#include "common/tools/process.h"
#include "common/tools/project.h"
#include "common/tools/safe_files.h"
#include "common/tools/score_text.h"
#include "common/tools/subcommands.h"
#include "common/tools/terminal.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

// Hints already given to a checkout's student.
class HintProgress {
public:
    // Reads the record in `file`; a missing file is an empty record. Throws BadInput for a damaged one.
    explicit HintProgress(fs::path file) : file_(std::move(file)) {
        if (!fs::exists(file_)) return;
        try {
            const nlohmann::json record = nlohmann::json::parse(read_whole(file_));
            record.at("given").get_to(given_);
            found_ = record.value("found", found_);
        } catch (const nlohmann::json::exception&) {
            throw BadInput(fmt::format("{} does not hold the hints given so far any more; delete it to start again with the first hints",
                                       file_.string()));
        }
    }
    [[nodiscard]] bool given(const std::string& about, const Hint& hint) const {
        const auto known = given_.find(about);
        return known != given_.end() && std::ranges::count(known->second, fingerprint(hint.text)) != 0;
    }
    // Records a hint on disk before it returns: a crash then loses nothing, and one during the call leaves the old file. Throws BadInput if
    // the file can't be written.
    void remember(const std::string& about, const Hint& hint, bool is_in_sheet) {
        given_[about].push_back(fingerprint(hint.text));
        if (!is_in_sheet) found_[about].push_back(hint.text);
        replace_file(file_, nlohmann::json{{"given", given_}, {"found", found_}}.dump(2) + "\n");
    }
    // Texts of given hints that no sheet holds.
    [[nodiscard]] std::vector<std::string> found(const std::string& about) const {
        const auto known = found_.find(about);
        return known == found_.end() ? std::vector<std::string>() : known->second;
    }

private:
    fs::path file_;
    // Hints are identified by their text's fingerprint, so that a sheet may get new ones in between.
    std::map<std::string, std::vector<std::string>> given_, found_;
};

// Of a line.
std::size_t line_width() { return terminal_of(stdout).width; }

fs::path sheet_of(const Project& project, const Lab& lab) { return project.root / "tests/labs" / (lab.name() + "_hints.md"); }

std::string hints_so_far(const Lab& lab, const std::vector<HintSection>& sheet, const HintProgress& progress, const std::string& test) {
    std::string text;
    for (const HintSection& section : sheet) {
        if (!test.empty() && test != section.about) continue;
        std::string given;
        for (std::size_t i = 0; i < section.hints.size(); ++i) {
            if (progress.given(section.about, section.hints[i])) given += "\n" + wrapped(section.hints[i].text, 2, line_width());
        }
        for (const std::string& found : progress.found(section.about)) given += "\n" + wrapped(found, 2, line_width());
        if (!given.empty()) text += fmt::format("\n{}\n{}", section.about, given);
    }
    const std::string about = test.empty() ? lab.name() : test;
    return text.empty() ? fmt::format("{}: no hints were given so far; ./lab hint {} gives one\n", about, lab.name()) : text;
}

// "HasNoRaces" and "Lab<n>.HasNoRaces" name the same test.
bool names(const std::string& name, const std::string& test) { return name == test || name == test.substr(test.find('.') + 1); }

// The section of the sheet that --test names.
std::string section_named(const std::string& name, const Lab& lab, const std::vector<HintSection>& sheet) {
    for (const HintSection& section : sheet) {
        if (names(name, section.about)) return section.about;
    }
    throw BadInput(fmt::format("--test {}: {} has no such test; ./lab grade {} shows those that fail", name, lab.name(), lab.name()));
}

// Subject of the next hint.
struct Failure {
    std::string about;  // a section of the sheet
    std::set<diagnosis::Topic> topics;
    std::string heading;        // text before the hint
    std::vector<Hint> found{};  // by the search for a cause: the text at fault, then the edit; or none
};

// Hints from the likeliest edit, if the grade names a cause (common/grading/repairs.h).
std::vector<Hint> hints_of(const TestScore& test) {
    if (test.cause.empty() || test.edits.empty()) return {};
    const nlohmann::json& edit = test.edits.front();
    const std::string text = edit.value("text", ""), to = edit.value("to", "");
    const int line = edit.value("line", 0);
    const std::string place = text.empty() ? fmt::format("Something is missing in line {}, or before it.", line)
                                           : fmt::format("Look at this text in line {}: {}", line, text);
    return {{place, {}},
            {fmt::format("The failed call returned right results with this line {}: {}", line, to.substr(to.find_first_not_of(' '))), {}}};
}

// The sheet's hints, with the text at fault after two of them and the edit after all, unless a course leaves them out.
std::vector<Hint> all_hints(const std::vector<HintSection>& sheet, const Failure& failure, const ToldOfSearch& told) {
    std::vector<Hint> all = fitting(sheet, failure.about, failure.topics);
    if (failure.found.empty()) return all;
    if (told.text) all.insert(all.begin() + std::min<std::ptrdiff_t>(2, std::ssize(all)), failure.found.front());
    if (told.edit) all.push_back(failure.found.back());
    return all;
}

// A failure's first line, the source that it is about, and its places.
std::string what_and_where(const LabScore& score, const TestScore& test) {
    const Terminal terminal = terminal_of(stdout);
    const Told* const told = test.told.empty() ? nullptr : &test.told.front();
    const auto failure = std::find_if(test.failures.begin(), test.failures.end(),
                                      [&](const std::string& text) { return told == nullptr || first_line(text) == told->what; });
    std::string text = wrapped(told == nullptr ? first_line(test.failures.front()) : told->what, 4, terminal.width);
    if (failure != test.failures.end())
        text += excerpt_text(score, test, static_cast<std::size_t>(failure - test.failures.begin()), 6, terminal);
    if (told == nullptr) return text;
    for (const std::string& place : told->where) text += folded(fmt::format("      where: {}\n", place), terminal.width);
    return text;
}

// The compiler's first error, or else its first line.
std::string first_error(const std::string& compiler_text) {
    const std::size_t error = compiler_text.find("error: ");
    const std::size_t line = error == std::string::npos ? compiler_text.find('\n') : compiler_text.rfind('\n', error);
    return line == std::string::npos ? compiler_text : first_line(compiler_text.substr(line + 1));
}

Failure failure_to_compile(const LabScore& score) {
    const std::string error = first_error(score.trouble);
    const std::string heading = folded(fmt::format("{}: your file does not compile:\n{}\n", score.lab, error), line_width());
    return {does_not_compile, score.topics, heading + excerpt_text(score, error, 6, terminal_of(stdout))};
}

Failure failure_of(const LabScore& score, const std::string& wanted) {
    std::vector<const TestScore*> failing;
    for (const TestScore& test : score.tests) {
        if (!test.passed()) failing.push_back(&test);
    }
    const auto is_wanted = [&](const TestScore* test) { return wanted.empty() || test->name == wanted; };
    const auto chosen = std::find_if(failing.begin(), failing.end(), is_wanted);
    if (chosen == failing.end()) {
        std::vector<std::string> others;
        others.reserve(failing.size());
        for (const TestScore* test : failing) others.push_back(test->name);
        throw BadInput(fmt::format("--test {}: that test passes; those that fail: {}", wanted, fmt::join(others, ", ")));
    }
    const TestScore& test = **chosen;
    std::string heading = fmt::format("{}: {} of {} tests fail. {} {} ({}, {} points):\n", score.lab, failing.size(), score.tests.size(),
                                      wanted.empty() ? "The first is" : "You asked about", test.name, test.group, test.points);
    heading = folded(heading, line_width()) + what_and_where(score, test);
    std::set<diagnosis::Topic> topics;
    for (const Told& told : test.told) topics.insert(told.topics.begin(), told.topics.end());
    return {test.name, topics, heading, hints_of(test)};
}

// Prints the next hint and records it.
void give(const Lab& lab, const Failure& failure, const std::string& test_asked, const std::vector<Hint>& fit, HintProgress* progress) {
    const auto is_new = [&](const Hint& hint) { return !progress->given(failure.about, hint); };
    const auto next = std::find_if(fit.begin(), fit.end(), is_new);
    fmt::print("{}\n", failure.heading);
    if (next == fit.end()) {
        print_folded(
            fmt::format("  No hint is left for this ({} were given; ./lab hint {} --again shows them).\n", fit.size(), lab.name()));
        fmt::print("  The handout says more: handouts/{}.md\n", lab.folder);
        return;
    }
    // Recorded first: a shown hint must not be repeated, whenever this program ends.
    const auto left = std::count_if(fit.begin(), fit.end(), is_new) - 1;
    const auto is_it = [&](const Hint& hint) { return hint.text == next->text; };
    progress->remember(failure.about, *next, std::ranges::none_of(failure.found, is_it));
    fmt::print("{}\n", wrapped(next->text, 2, line_width()));
    const std::string same = test_asked.empty() ? "" : " --test " + test_asked;
    if (left == 0) {
        fmt::print("  That was the last hint for this.\n");
    } else {
        fmt::print("  {} more for this: ./lab hint {}{}\n", left, lab.name(), same);
    }
}

}  // namespace

int hint(const Project& project, const HintOptions& options) {
    const Lab lab = project.select_one(options.lab, "hint");
    const std::vector<HintSection> sheet = read_hints(sheet_of(project, lab));
    HintProgress progress(project.state / fmt::format("hints_{}.json", lab.name()));
    const std::string wanted = options.test.empty() ? "" : section_named(options.test, lab, sheet);
    if (options.again) {
        fmt::print("{}", hints_so_far(lab, sheet, progress, wanted));
        return exit_full_marks;
    }
    (void)read_whole(own_file(project, lab));  // reports why it can't be read

    keep_going_on_interrupt();
    LabScore score;
    {
        Progress line;
        GradeOptions grading;
        grading.kept_will_do = true;
        grading.search_seconds = 5;
        score = grade_lab(project, lab, grading, {line, {}});
    }
    if (score.stopped || interrupted()) {
        fmt::print("{}: interrupted before there was a verdict; no hint was given\n", lab.name());
        return exit_interrupted;
    }
    if (!score.does_not_compile && !score.trouble.empty()) {
        fmt::print("{}: {}\n", lab.name(), score.trouble);
        return exit_marks_lost;
    }
    if (score.full()) {
        fmt::print("{}: all {} tests pass, {}/{} points. There is nothing to give a hint for.\n", lab.name(), score.tests.size(),
                   score.earned(), score.points());
        return exit_full_marks;
    }
    const Failure failure = score.does_not_compile ? failure_to_compile(score) : failure_of(score, wanted);
    give(lab, failure, options.test, all_hints(sheet, failure, score.told_of_search), &progress);
    return exit_full_marks;
}

}  // namespace lab::tools
