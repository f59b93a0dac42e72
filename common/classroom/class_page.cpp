#include "common/classroom/class_page.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <unordered_map>
#include <utility>

#include "common/classroom/course.h"
#include "common/classroom/exports/exports.h"
#include "common/classroom/pseudonyms.h"
#include "common/report/page.h"
#include "common/tools/errors.h"
#include "common/tools/safe_files.h"
#include "common/tools/terminal.h"

namespace lab::classroom {
namespace {
using Json = nlohmann::json;

std::string text_of(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

// The same of a text, which mostly stands for itself.
std::string quoted(const std::string& text) {
    const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
    return is_plain ? '"' + text + '"' : text_of(text);
}

// Adds an element to a list in JSON, "[" or "[1,2".
template <typename... Arguments>
void add(std::string* list, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    if (!list->ends_with('[')) *list += ',';
    fmt::format_to(std::back_inserter(*list), format, std::forward<Arguments>(arguments)...);
}

// The kind of a verdict without tests; "" if tests ran.
std::string kind_of(const tools::LabScore& score) {
    if (score.is_undecided) return "undecided";
    if (score.does_not_compile) return "does not compile";
    return score.trouble.empty() ? "" : "not graded";
}

// A test's letter: passed, failed, undecided, not compiled, not run.
char letter_of(const tools::LabScore& score, const tools::TestScore& test) {
    switch (exports::state_of(score, test)) {
        case exports::State::undecided:
            return 'u';
        case exports::State::passed:
            return 'p';
        case exports::State::failed:
            break;
    }
    if (test.has_run) return 'f';
    return score.does_not_compile ? 'c' : 'n';
}

// Makes the page's data as text, in one pass over the database: a tree of 100,000 verdicts takes many times as long.
class PageData {
public:
    PageData(const Results& results, std::optional<std::uint64_t> shuffle)
        : results_(results), course_(course_of(results)), students_(results.students()) {
        for (const std::string& lab : results.labs())
            labs_.push_back({lab, {{"name", lab}, {"title", ""}, {"max_points", 0.0}, {"tests", Json::array()}}, {}});
        if (!shuffle) return;
        authors_ = results.authors();
        pseudonyms_.emplace(students_, *shuffle);
        students_ = pseudonyms_->students();
    }

    [[nodiscard]] ClassPage page() {
        std::vector<std::string> names;
        std::vector<double> totals;
        for (const std::string& student : students_) names.push_back(pseudonyms_ ? pseudonyms_->of(student) : student);
        if (!course_.labs.empty()) totals.resize(names.size());
        // Numbers are given at first sight, so they follow the students' order.
        std::size_t student = 0;
        each_by_course(results_, students_, [&](const Graded& each) {
            while (students_[student] != each.student) ++student;
            if (each.verdict && !totals.empty()) totals[student] += total_percent(course_, {each.verdict->score});
            add_submission(student, each);
        });
        Json labs = Json::array();
        for (const LabData& lab : labs_) labs.push_back(lab.data);
        const std::string folder = pseudonyms_ ? "" : std::filesystem::path(results_.setting("folder")).filename().string();
        const Json made{{"class", folder},
                        {"has_names", !pseudonyms_},
                        {"seed", results_.setting("seed")},
                        {"device", results_.setting("device")},
                        {"last_graded", last_ == 0 ? "" : fmt::format("{:%F}", fmt::gmtime(static_cast<std::time_t>(last_)))}};
        ClassPage page{folder, names.size(), submission_count_, ""};
        page.json = fmt::format(R"({{"schema":1,"made":{},"students":{},"totals":{},"labs":{},"runs":{}])", text_of(made), text_of(names),
                                text_of(totals), text_of(labs), runs_);
        page.json.reserve(page.json.size() + verdicts_.size() + submissions_.size() + texts_.size() + 100);
        for (const auto& [name, list] : {std::pair{"verdicts", &verdicts_}, {"submissions", &submissions_}, {"texts", &texts_}})
            page.json.append(fmt::format(",\"{}\":", name)).append(*list).append("]");
        page.json += '}';
        return page;
    }

private:
    struct LabData {
        std::string name;
        Json data;
        std::vector<std::string> tests;  // by name, since suites of two versions may differ
    };

    void add_submission(std::size_t student, const Graded& each) {
        const std::string remark = each.verdict ? each.verdict->score.remark : "", origin = pseudonyms_ ? "" : each.origin;
        const auto lab = std::find_if(labs_.begin(), labs_.end(), [&](const LabData& one) { return one.name == each.lab; });
        const std::string verdict = each.verdict ? std::to_string(number_of(each, &*lab)) : "null";
        add(&submissions_, "[{},{},{},{}]", student, lab - labs_.begin(), verdict,
            quoted(origin + (origin.empty() || remark.empty() ? "" : ", ") + remark));
        ++submission_count_;
        if (each.verdict) last_ = std::max(last_, each.verdict->graded_at);
    }

    [[nodiscard]] std::size_t number_of(const Graded& each, LabData* lab) {
        const auto [found, is_new] =
            verdict_numbers_.try_emplace(each.lab + each.hash + each.verdict->score.remark, verdict_numbers_.size());
        if (is_new) add_verdict(each, lab);
        return found->second;
    }

    [[nodiscard]] std::size_t number_of_text(const Graded& of, const std::string& text) {
        if (pseudonyms_) return number_of_shown(pseudonyms_->without_names(text, authors_.at(of.lab).at(of.hash)));
        return number_of_shown(text);
    }
    [[nodiscard]] std::size_t number_of_shown(const std::string& text) {
        const auto [found, is_new] = text_numbers_.try_emplace(text, text_numbers_.size());
        if (is_new) add(&texts_, "{}", quoted(text));
        return found->second;
    }

    [[nodiscard]] std::size_t number_of_run(const Verdict& verdict) {
        const std::array<std::string, 4> its{verdict.score.seed, verdict.score.sandbox, verdict.version, verdict.device};
        const auto [found, is_new] = run_numbers_.try_emplace(its, run_numbers_.size());
        if (is_new) add(&runs_, "{}", text_of({{"seed", its[0]}, {"sandbox", its[1]}, {"version", its[2]}, {"device", its[3]}}));
        return found->second;
    }

    // `expected`: its number in most suites.
    [[nodiscard]] static std::size_t number_of_test(LabData* lab, const tools::TestScore& test, std::size_t expected) {
        if (expected < lab->tests.size() && lab->tests[expected] == test.name) return expected;
        const auto known = std::find(lab->tests.begin(), lab->tests.end(), test.name);
        const auto number = static_cast<std::size_t>(known - lab->tests.begin());
        if (known == lab->tests.end()) {
            lab->data["tests"].push_back({{"name", test.name}, {"group", test.group}, {"points", test.points}});
            lab->tests.push_back(test.name);
        }
        return number;
    }

    void add_verdict(const Graded& each, LabData* lab) {
        const tools::LabScore& score = each.verdict->score;
        lab->data["title"] = score.title;
        lab->data["max_points"] = std::max(lab->data["max_points"].get<double>(), score.points());
        std::string letters, messages = "[";
        for (std::size_t i = 0; i < score.tests.size(); ++i) {
            const tools::TestScore& test = score.tests[i];
            const std::size_t number = number_of_test(lab, test, i);
            letters.resize(std::max(letters.size(), number + 1), '-');
            letters[number] = letter_of(score, test);
            std::string texts = "[";
            for (const std::string& failure : test.failures) add(&texts, "{}", number_of_text(each, failure));
            if (!test.failures.empty()) add(&messages, "[{},{}]]", number, texts);
        }
        const std::string kind = kind_of(score);
        // The reason names the student's files, in whatever form.
        const std::string trouble = pseudonyms_ && kind == "not graded" ? "the submission can't be graded" : score.trouble;
        const std::string reason = trouble.empty() ? "null" : std::to_string(number_of_text(each, trouble));
        add(&verdicts_, R"([{},{},"{}","{}",{},{}],"{}"])", number_of_run(*each.verdict), score.earned(), letters, kind, reason, messages,
            pseudonyms_ ? "" : each.hash.substr(0, 12));
    }

    const Results& results_;
    Course course_;
    std::vector<std::string> students_;
    std::map<std::string, std::map<std::string, std::vector<std::string>>> authors_;
    std::optional<Pseudonyms> pseudonyms_;
    std::vector<LabData> labs_;
    std::unordered_map<std::string, std::size_t> verdict_numbers_, text_numbers_;  // verdicts by lab, hash and remark
    std::map<std::array<std::string, 4>, std::size_t> run_numbers_;
    std::string runs_ = "[", verdicts_ = "[", submissions_ = "[", texts_ = "[";  // as JSON, without their ends
    std::size_t submission_count_ = 0;
    std::int64_t last_ = 0;  // time of the latest verdict
};

}  // namespace

ClassPage class_page(const Results& results, std::optional<std::uint64_t> shuffle) { return PageData(results, shuffle).page(); }

int write_page(const tools::Project& project, const PageOptions& options) {
    const Results results(options.results, Results::Opened::to_read);
    tools::check_result_file("--out", options.out);
    std::random_device random;
    std::optional<std::uint64_t> shuffle;
    if (options.without_names) shuffle = (std::uint64_t{random()} << 32U) | random();
    const ClassPage data = class_page(results, shuffle);
    if (data.students == 0) throw tools::BadInput(fmt::format("--results {}: nothing has been handed in there yet", options.results));
    try {
        const std::string title = data.name.empty() ? "Class" : "Class: " + data.name;
        const std::string page = report::page(project.root / "common/classroom/page", title, data.json);
        tools::write_result("--out", options.out, page);
        tools::print_folded(fmt::format("{}: {} students, {} submissions, {:.1f} MB{}\n", options.out, data.students, data.submissions,
                                        static_cast<double>(page.size()) / 1e6, options.without_names ? ", without names" : ""));
    } catch (const report::BadPage& problem) {
        throw tools::BadInput(fmt::format("the page can't be made (this is not your mistake): {}", problem.what()));
    }
    return 0;
}

}  // namespace lab::classroom
