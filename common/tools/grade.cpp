#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdlib>

#include "common/tools/errors.h"
#include "common/tools/grade_lab.h"
#include "common/tools/lines.h"
#include "common/tools/process.h"
#include "common/tools/safe_files.h"
#include "common/tools/score_text.h"
#include "common/tools/subcommands.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Labs of --from.
std::vector<Lab> labs_of(const Project& project, const GradeOptions& options) {
    if (options.from.empty()) return project.select(options.labs);
    if (!fs::exists(options.from)) throw BadInput(fmt::format("--from {}: no such file or folder", options.from));
    std::vector<Lab> labs = project.select(options.labs);
    if (fs::is_directory(options.from)) {
        if (!options.labs.empty()) return labs;
        std::vector<Lab> handed_in;
        for (const Lab& lab : labs) {
            if (!submission(project, lab, options.from).empty()) handed_in.push_back(lab);
        }
        if (handed_in.empty()) {
            throw BadInput(
                fmt::format("--from {}: holds no lab's file; expected for instance {}/{}", options.from, labs[0].folder, labs[0].file));
        }
        return handed_in;
    }
    if (!fs::is_regular_file(options.from)) throw BadInput(fmt::format("--from {}: neither a file nor a folder", options.from));
    if (options.labs.size() == 1) return labs;
    if (options.labs.empty()) {
        const std::string name = fs::path(options.from).filename();
        for (const Lab& lab : labs) {
            if (name == lab.file) return {lab};
        }
        throw BadInput(
            fmt::format("--from {}: can't tell which lab this is by its name; say it: ./lab grade LAB --from FILE", options.from));
    }
    throw BadInput("--from with a single file grades one lab; name just that one");
}

void write_json(const std::string& path, const std::vector<LabScore>& scores, const Project& project) {
    nlohmann::json json = to_json(scores);
    json["backend"] = project.backend;
    json["version"] = LAB_VERSION;
    json["architecture"] = LAB_ARCHITECTURE;
    write_result("--json", path, json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

// Reason why a --filter leaves nothing to grade; "" if some lab has a matching test, or was not fully graded.
std::string no_test_matches(const std::vector<LabScore>& scores, const std::string& filter) {
    if (filter.empty() || scores.empty()) return {};
    std::vector<std::string> names;
    for (const LabScore& score : scores) {
        if (!score.trouble.empty() || score.was_judged() || score.stopped) return {};
        for (const TestScore& test : score.tests) names.push_back(test.name);
    }
    if (names.empty()) return {};
    return fmt::format("--filter {}: no test has such a name; nearest: {}", filter, fmt::join(nearest(std::move(names), filter), ", "));
}

// Checks the emulator's environment variables, since a suite would report that the student's program ended at once.
void check_environment() {
    const char* const threads = std::getenv("LAB_THREADS");
    const std::string text = threads == nullptr ? "" : threads;
    if (text.find_first_not_of("0123456789") != std::string::npos)
        throw BadInput(fmt::format("LAB_THREADS={}: give a whole number from 0 up", text));
}

void check_report(const GradeOptions& options, const std::vector<Lab>& labs) {
    if (options.report.empty()) return;
    if (labs.size() != 1) throw BadInput("--report is about one lab: name it: ./lab grade LAB --report report.html");
    if (options.seed || !options.filter.empty() || !options.device.empty())
        throw BadInput(
            "--report shows the whole suite's verdict: leave out --seed, --filter and --device; ./lab report has a --device of its own");
    check_result_file("--report", options.report);
}

// By the program that has the emulator's records; the script `lab` has built it. It takes the verdict that was kept.
void write_report(const Project& project, const GradeOptions& options, const Lab& lab) {
    Command command{{project.bin("lab-study").string(), "report", lab.name(), "--out", options.report}};
    if (options.solutions) command.words.emplace_back("--solution");
    if (!options.from.empty()) command.add({"--from", options.from});
    std::fflush(stdout);
    const Ending ending = run_in_terminal(command);
    if (!ending.ok()) fmt::print(stderr, "lab: --report {}: no page was written; ./lab report {} tells why\n", options.report, lab.name());
}

}  // namespace

int grade(const Project& project, const GradeOptions& options) {
    if (options.solutions && !options.from.empty()) throw BadInput("--solutions and --from exclude each other");
    if (options.solutions && is_bundle(project.build)) throw BadInput("--solutions: a students' bundle has none");
    const std::vector<Lab> labs = labs_of(project, options);
    (void)modelled_device(project, options);  // before anything is built
    if (!options.json.empty()) check_result_file("--json", options.json);
    if (!options.summary.empty()) check_result_file("--summary", options.summary);
    check_report(options, labs);
    check_environment();
    const Clock::time_point start = Clock::now();
    keep_going_on_interrupt();
    std::vector<LabScore> scores;
    {
        Progress progress;
        for (const Lab& lab : labs) {
            if (interrupted()) break;
            scores.push_back(grade_lab(project, lab, options, {progress, {}}));
        }
    }
    if (const std::string none = no_test_matches(scores, options.filter); !none.empty()) throw BadInput(none);
    bool full = scores.size() == labs.size();
    bool is_undecided = false;
    const Terminal terminal = terminal_of(stdout);
    std::string backend = "the emulator, which models the times of kernels";
    std::string sandbox;
    for (const LabScore& score : scores) {
        full = full && score.full();
        is_undecided = is_undecided || score.undecided() > 0 || score.is_undecided;
        if (!score.backend.empty()) backend = score.backend;
        if (backend == "emulator and gpu") backend = "the emulator, values and speed also on the GPU";
        if (!score.sandbox.empty()) sandbox = ", in a sandbox: " + score.sandbox;
        fmt::print("{}", explain(score, options.verbose, terminal));
    }
    print_folded(fmt::format("\n{}\ngraded in {:.1f} s on {}{}\n", table(scores), seconds_since(start), backend, sandbox));
    if (!options.json.empty()) write_json(options.json, scores, project);
    if (!options.summary.empty()) write_result("--summary", options.summary, markdown_summary(scores));
    if (!options.report.empty() && !interrupted()) write_report(project, options, labs.front());
    if (interrupted()) {
        fmt::print("interrupted: the table holds what was done\n");
        return exit_interrupted;
    }
    if (is_undecided) return exit_undecided;
    return full ? exit_full_marks : exit_marks_lost;
}

}  // namespace lab::tools
