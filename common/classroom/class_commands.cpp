#include "common/classroom/class_commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <regex>

#include "common/classroom/class_run.h"
#include "common/classroom/course.h"
#include "common/classroom/exports/exports.h"
#include "common/classroom/sqlite.h"
#include "common/tools/errors.h"
#include "common/tools/grade_lab.h"
#include "common/tools/lines.h"
#include "common/tools/process.h"
#include "common/tools/safe_files.h"
#include "common/tools/score_text.h"

namespace lab::classroom {
namespace fs = std::filesystem;
namespace {

// Submissions of one lab in figures.
struct Figures {
    std::size_t submissions = 0, full = 0, undecided = 0;
    std::vector<double> shares;  // graded points of their maximum, from 0 to 1
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

// Prints the labs' figures by the class's course. Returns whether any verdict is undecided.
bool print_table(const Results& results) {
    std::map<std::string, Figures> labs;
    bool is_any_undecided = false;
    each_by_course(results, results.students(), [&](const Graded& each) {
        Figures& figures = labs[each.lab];
        ++figures.submissions;
        if (!each.verdict) return;
        const double points = each.verdict->score.points(), earned = each.verdict->score.earned();
        const bool is_undecided = exports::is_undecided(each.verdict->score);
        figures.undecided += is_undecided ? 1 : 0;
        is_any_undecided |= is_undecided;
        figures.full += earned == points && points > 0 ? 1 : 0;
        figures.shares.push_back(points > 0 ? earned / points : 0);
    });
    fmt::print("{:<8}{:>13}{:>9}{:>13}{:>9}{:>11}\n", "lab", "submissions", "graded", "full points", "median", "undecided");
    for (const auto& [lab, figures] : labs) {
        fmt::print("{:<8}{:>13}{:>9}{:>13}{:>7.0f} %{:>11}\n", lab, figures.submissions, figures.shares.size(), figures.full,
                   100 * median(figures.shares), figures.undecided);
    }
    return is_any_undecided;
}

// Labs by what is wrong with them: "lab<n>, lab<m> (two files of ...)".
std::string labs_of(const std::vector<const Submission*>& submissions) {
    std::map<std::string, std::vector<std::string>> by_problem;
    for (const Submission* each : submissions) by_problem[each->problem].push_back(each->lab);
    std::vector<std::string> parts;
    for (const auto& [problem, labs] : by_problem)
        parts.push_back(fmt::format("{}{}", fmt::join(labs, ", "), problem.empty() ? "" : fmt::format(" ({})", problem)));
    return fmt::format("{}", fmt::join(parts, ", "));
}

// Prints what was found: a line for each student, or for the first ones.
void say_found(const Collection& collection, const std::string& folder, bool says_all) {
    std::map<std::string, std::vector<const Submission*>> students;
    for (const Submission& each : collection.submissions) students[each.student].push_back(&each);
    tools::print_folded(
        fmt::format("{}: {} submissions of {} students\n", printable(folder), collection.submissions.size(), students.size()));
    constexpr std::size_t max_shown = 20;
    std::size_t shown = 0;
    for (const auto& [student, submissions] : students) {
        if (++shown > max_shown && !says_all) {
            fmt::print("  ... and {} students more (all with --dry-run)\n", students.size() - max_shown);
            break;
        }
        tools::print_folded(fmt::format("  {}: {}\n", student, labs_of(submissions)));
        for (const Submission* each : submissions) {
            if (says_all && !each->origin.empty()) tools::print_folded(fmt::format("    {}: {}\n", each->lab, each->origin));
        }
    }
    for (const std::string& student : collection.empty) tools::print_folded(fmt::format("no lab's file: {}\n", student));
    for (const std::string& line : collection.unplaced) tools::print_folded(fmt::format("not placed: {}\n", line));
    std::fflush(stdout);
}

// The seed of all this class's inputs: the first run's, so that each student has the same ones whenever he is graded.
std::uint64_t seed_for(Results& results, const ClassOptions& options) {
    const std::string kept = results.setting("seed");
    if (kept.empty() || options.seed) {
        const std::uint64_t seed = options.seed ? *options.seed : std::random_device()();
        if (!kept.empty() && kept != std::to_string(seed)) {
            throw tools::BadInput(
                fmt::format("--seed {}: this class is graded with seed {}; another seed needs other --results", seed, kept));
        }
        results.set("seed", std::to_string(seed));
        return seed;
    }
    return std::stoull(kept);
}

std::string device_for(const tools::Project& project, Results& results, const ClassOptions& options) {
    tools::GradeOptions asked;
    asked.device = options.device;
    std::string device = tools::modelled_device(project, asked), kept = results.setting("device");
    if (!results.setting("seed").empty() && kept != device && !(options.is_again && options.device.empty()))
        throw tools::BadInput(fmt::format("--device: this class is graded for {}; another device needs other --results",
                                          kept.empty() ? "the suites' own" : kept));
    if (options.is_again && options.device.empty()) return kept;
    results.set("device", device);
    return device;
}

// Sets the times of handing in that a CSV has: student,lab,time in ISO 8601.
void set_times(const std::string& csv, std::vector<Submission>* submissions) {
    static const std::regex row("(\"?)(.+)\\1,([^,]+),([^,]+)");
    std::map<std::pair<std::string, std::string>, std::int64_t> times;
    std::size_t number = 0;
    for (const std::string& line : tools::lines_of(csv)) {
        std::smatch found;
        const std::string text = tools::trimmed(line);
        const std::optional<std::int64_t> time = std::regex_match(text, found, row) ? time_in(found.str(4)) : std::nullopt;
        if (++number > 1 && !text.empty() && !time)  // the first line may be a header
            throw tools::BadInput(fmt::format("--times: line {}: expected student,lab,time such as 2026-11-30T23:59:00+01:00", number));
        if (time) times[{found.str(2), found.str(3)}] = *time;
    }
    for (Submission& each : *submissions) {
        const auto found = times.find({each.student, each.lab});
        if (found == times.end()) continue;
        each.handed_in = found->second;
        times.erase(found);
    }
    for (const auto& [whose, time] : times)
        fmt::print(stderr, "--times: nothing is handed in: {} of {}\n", printable(whose.second), printable(whose.first));
}

// The options with what the course says.
ClassOptions with_course(const tools::Project& project, ClassOptions options) {
    Course course;
    if (!options.course.empty()) {
        course = read_course(project, options.course);
    } else if (fs::exists(options.results)) {
        course = course_of(Results(options.results));
    }
    if (options.labs.empty()) {
        for (const auto& [lab, settings] : course.labs) options.labs.push_back(lab);
    }
    if (options.device.empty() && !options.is_again) options.device = course.device;
    return options;
}

}  // namespace

int grade_folder(const tools::Project& project, const ClassOptions& asked) {
    const ClassOptions options = with_course(project, asked);
    const std::string folder = options.is_again ? Results(options.results, Results::Opened::to_read).setting("folder") : options.folder;
    if (folder.empty()) throw tools::BadInput(fmt::format("--results {}: nothing has been graded there yet", options.results));
    const std::vector<tools::Lab> labs = project.select(options.labs);
    Collection collection = collect(folder, labs);
    if (options.every_lab) expect_all(labs, &collection);
    say_found(collection, folder, options.dry_run);
    if (collection.submissions.empty())
        throw tools::BadInput(fmt::format("{}: no lab's file in it, such as {}", folder, labs.front().file));
    if (options.dry_run) return 0;
    Results results(options.results);
    results.lock();
    const std::string times = options.times.empty() ? results.setting("times") : tools::read_whole(options.times);
    if (!times.empty()) set_times(times, &collection.submissions);
    RunOptions run;
    run.device = device_for(project, results, options);
    run.seed = seed_for(results, options);
    run.jobs = options.jobs;
    run.sandbox = options.sandbox;
    run.within = options.within;
    results.set("folder", fs::absolute(folder).lexically_normal().string());
    if (!options.course.empty()) results.set("course", tools::read_whole(options.course));
    if (!options.times.empty()) results.set("times", times);
    results.replace_submissions(collection.submissions);
    if (options.is_again) fmt::print("{} verdicts are made again\n", results.take_back(options.again));
    std::fflush(stdout);
    const RunEnd end = options.slurm.is_wanted ? grade_on_slurm(project, labs, collection, run, options.slurm, options.results, results)
                                               : grade_class(project, labs, collection, run, results);
    fmt::print("\n");
    const bool is_undecided = print_table(results);
    if (end.was_interrupted) {
        tools::print_folded(fmt::format("interrupted: {} graded, {} left; the same command goes on\n", end.graded, end.left));
        return tools::exit_interrupted;
    }
    tools::print_folded(fmt::format("{} graded now; results in {}\n", end.graded, options.results));
    return is_undecided ? tools::exit_undecided : 0;
}

int show_status(const tools::Project&, const AskOptions& options) {
    const Results results(options.results, Results::Opened::to_read);
    (void)print_table(results);
    const std::string course = results.setting("course");
    tools::print_folded(fmt::format("of {}, with seed {}{}\n", results.setting("folder"), results.setting("seed"),
                                    course.empty() ? "" : ", course.json with SHA-256 " + sha256_of(course).substr(0, 12)));
    return 0;
}

std::vector<std::string> chosen_students(const Results& results, const std::string& file, const std::string& student) {
    std::vector<std::string> all = results.students();
    if (student.empty()) return all;
    if (std::binary_search(all.begin(), all.end(), student)) return {student};
    throw tools::BadInput(fmt::format("no student '{}' in {}; nearest: {}", student, file, fmt::join(tools::nearest(all, student), ", ")));
}

int show_student(const tools::Project&, const AskOptions& options) {
    const Results results(options.results, Results::Opened::to_read);
    std::vector<Graded> all;
    each_by_course(results, chosen_students(results, options.results, options.student),
                   [&](Graded& each) { all.push_back(std::move(each)); });
    const tools::Terminal terminal = tools::terminal_of(stdout);
    std::vector<tools::LabScore> scores;
    for (const Graded& each : all) {
        if (!each.verdict) {
            fmt::print("{}: not graded yet\n", each.lab);
            continue;
        }
        tools::LabScore score = each.verdict->score;
        scores.push_back(score);
        // The commands that a verdict ends with are about a student's own file.
        score.subject = "in a class";
        score.seed.clear();
        fmt::print("{}", tools::explain(score, options.verbose, terminal));
    }
    tools::print_folded(fmt::format("\n{}", tools::table(scores)));
    for (const tools::LabScore& score : scores) {
        if (!score.remark.empty()) fmt::print("{}: {}\n", score.lab, score.remark);
    }
    if (const Course course = course_of(results); !course.labs.empty())
        fmt::print("{:.1f} % of the course, by its weights\n", total_percent(course, scores));
    for (const Graded& each : all) {
        if (!each.verdict) continue;
        const Verdict& verdict = *each.verdict;
        tools::print_folded(fmt::format("{}: {}, SHA-256 {}, seed {}, version {}, sandbox {}\n", each.lab, each.origin,
                                        each.hash.substr(0, 12), verdict.score.seed, verdict.version,
                                        verdict.score.sandbox.empty() ? "none" : verdict.score.sandbox));
    }
    return 0;
}

int show_stats(const tools::Project&, const AskOptions& options) {
    const Results results(options.results, Results::Opened::to_read);
    std::string lab;
    for (const TestFigures& each : results.tests()) {
        if (each.lab != lab) fmt::print("{}{}\n", lab.empty() ? "" : "\n", each.lab);
        lab = each.lab;
        const std::size_t count = each.passed + each.failed;
        tools::print_folded(fmt::format("  {:3.0f} % of {} pass {}\n",
                                        100.0 * static_cast<double>(each.passed) / static_cast<double>(count), count,
                                        each.name.substr(each.name.find('.') + 1)));
        constexpr std::size_t max_shown = 3;
        for (std::size_t i = 0; i < std::min(max_shown, each.causes.size()); ++i)
            tools::print_folded(fmt::format("      {:4} {}\n", each.causes[i].second, each.causes[i].first));
    }
    return 0;
}

}  // namespace lab::classroom
