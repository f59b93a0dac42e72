// Proves the claim in a sample's first line by running its lab's suite on it. A mutant fails the named test for the named reason, with the
// message at the end of the sample; an accepted file gets full points, with a GPU on that as well. Exit status 0 if so, 1 if not, 2 for bad
// input.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "common/process/subprocess.h"
#include "common/tools/cuda_source.h"
#include "common/tools/errors.h"
#include "common/tools/safe_files.h"
#include "common/tools/sample.h"
#include "common/tools/self_test/quarter.h"
#include "tests/mutants/claim.h"
#include "tests/mutants/compiled_sample.h"
#include "tests/mutants/golden.h"

namespace {
namespace fs = std::filesystem;
using namespace lab::mutants;
using lab::tools::BadInput;

constexpr const char* message_seed = "1";  // of the inputs of the expected message

struct Arguments {
    std::string file, suite;
    int runs = 1;
    int quarter = 0;
    int at_once = 1;
    bool checks_message = false;
    bool only_first_line = false;  // of that message
    bool update = false;
    bool all_passes = false;
    bool compile_only = false;
    double max_cost = 0;
};

// The suite's report; a discarded value if there is none.
nlohmann::json report_in(const fs::path& file) {
    std::ifstream stream(file);
    return nlohmann::json::parse(stream, nullptr, false);
}

// First line without ratios of modelled times, which depend on the compiler's instructions.
std::string first_line(const std::string& text) {
    static const std::regex modelled(R"(\d+(\.\d+)?(?= times as long))");
    return std::regex_replace(text.substr(0, text.find('\n')), modelled, "#");
}

// Measured times, and the sizes that take long enough for a measurement, are others than the modelled.
std::string without_numbers(const std::string& line) { return std::regex_replace(line, std::regex(R"(\d+(\.\d+)?)"), "#"); }

// Expected line, up to its counts where the emulator's instruction limit has prevented counting.
std::string as_measured(const std::string& expected, const std::string& found) {
    const std::string counted = "; it has ";
    return found.find(counted) != std::string::npos ? expected : expected.substr(0, expected.find(counted));
}

// A suite that runs as our child.
struct Run {
    pid_t child = -1;
    fs::path report;  // of the last repetition; those before it have .0, .1 and so on behind it
    int repetitions = 1;
    bool has_message_seed = false;
};

class SampleCheck {
public:
    SampleCheck(Arguments arguments, const lab::tools::Project& project)
        : arguments_(std::move(arguments)),
          sample_(lab::tools::sample_in(project, fs::absolute(arguments_.file))),
          text_(lab::tools::read_whole(sample_.file)) {
        const auto claim = read_claim(lab::tools::read_sample(text_).claim);
        if (!claim) {
            throw BadInput(
                fmt::format("{}: the first line has to be \"// rejected-by: LabN.Test · reason: text\" (then \" · at: all shapes\", if "
                            "you want) or \"// accepted: what\"",
                            arguments_.file));
        }
        claim_ = *claim;
        program_ = lab::tools::expand(sample_);
        try {
            compiled_ = compile(project, sample_, program_, arguments_.all_passes ? Passes::all : Passes::needed);
        } catch (const BadInput& problem) {
            throw BadInput(fmt::format("{}: {}", arguments_.file, problem.what()));
        }
        kept_ = project.build / "kept";
        reference_ = project.bin(fmt::format("lab{}_reference", sample_.lab));
        if (arguments_.suite.empty()) arguments_.suite = project.bin(fmt::format("lab{}_test", sample_.lab));
        if (!lab::tools::is_in(arguments_.quarter, sample_.name)) arguments_.runs = 1;
        arguments_.checks_message = (arguments_.checks_message || arguments_.only_first_line || arguments_.update) && !claim_.test.empty();
    }

    int judge() {
        int judged = 0;
        for (int started = 0; started < arguments_.runs;) {
            std::vector<Run> batch;
            for (int i = 0; i < arguments_.at_once && started < arguments_.runs; ++i) {
                // The first run checks the expected message; the others are repetitions in one suite, except for concurrent ones.
                const int repetitions = started == 0 || arguments_.at_once > 1 ? 1 : arguments_.runs - started;
                batch.push_back(start_suite(started, repetitions));
                started += repetitions;
            }
            bool all_hold = true;
            for (const Run& run : batch) {  // all of them, even after a failed one: none is left behind
                for (const auto& tests : finish_suite(run)) {
                    std::string problem = objection(claim_, tests);
                    if (problem.empty() && run.has_message_seed) problem = objection_to_messages(tests[0]);
                    ++judged;
                    if (!problem.empty()) fmt::print("{}\nin run {} of {}\n", problem, judged, arguments_.runs);
                    all_hold = all_hold && problem.empty();
                }
            }
            if (!all_hold) return 1;
        }
        return 0;
    }

    // Whether a whole grade of the sample takes at most `max_cost` times the processor time of one of the solution.
    [[nodiscard]] int judge_cost() {
        claim_.test.clear();
        const CompiledSample sample = std::exchange(compiled_, {reference_, {}, {}});
        (void)seconds_of_grade();  // from here on the reference's modelled calls are cached
        const double solution = seconds_of_grade();
        compiled_ = sample;
        const double own = seconds_of_grade();
        fmt::print("{}: {:.1f} s of processor time, {:.2f} times its solution's {:.1f} s; {} times are allowed\n", sample_.name, own,
                   own / solution, solution, arguments_.max_cost);
        return own <= arguments_.max_cost * solution ? 0 : 1;
    }

private:
    // Processor time of a suite and the programs that it runs.
    [[nodiscard]] double seconds_of_grade() const {
        const double before = lab::process::seconds_of_children();
        (void)finish_suite(start_suite(0, 1));
        return lab::process::seconds_of_children() - before;
    }
    // The first run gets the inputs of the expected message; the others fresh ones.
    [[nodiscard]] Run start_suite(int number, int repetitions) const {
        Run run;
        run.repetitions = repetitions;
        run.report = fs::temp_directory_path() / fmt::format("lab-sample-{}-{}.json", ::getpid(), number);
        run.has_message_seed = arguments_.checks_message && number == 0;
        fs::remove(run.report);
        lab::process::Start start;
        start.words = {arguments_.suite,
                       "--runner",
                       compiled_.runner,
                       "--reference",
                       reference_,
                       "--kept",
                       kept_,
                       "--gtest_filter=" + (claim_.test.empty() ? std::string("*") : claim_.test),
                       "--gtest_output=json:" + run.report.string(),
                       "--gtest_repeat=" + std::to_string(repetitions),
                       "--gtest_color=no"};
        if (!compiled_.gpu_runner.empty())
            start.words.insert(start.words.end(), {"--gpu-runner", compiled_.gpu_runner, "--gpu-reference", reference_ + "_gpu"});
        if (!compiled_.kernels.empty()) start.words.insert(start.words.end(), {"--kernels", compiled_.kernels});
        if (arguments_.runs > 1) start.unset = {"LAB_SEED"};  // each run with inputs of its own
        if (run.has_message_seed) {
            start.words.insert(start.words.end(), {"--seed", message_seed});
            // What a race between blocks leaves behind depends on who ran when: one worker always leaves the same.
            start.environment = {{"LAB_THREADS", "1"}};
        }
        run.child = lab::process::start(start);
        return run;
    }

    // The tests of each repetition.
    [[nodiscard]] std::vector<std::vector<Test>> finish_suite(const Run& run) const {
        (void)lab::process::wait_for(run.child);
        std::vector<std::vector<Test>> tests;
        for (int i = 0; i < run.repetitions; ++i) {
            const fs::path file = i + 1 == run.repetitions ? run.report : fs::path(fmt::format("{}.{}", run.report.string(), i));
            const auto report = report_in(file);
            fs::remove(file);
            if (!report.is_object()) fmt::print("{} wrote no report of repetition {}\n", arguments_.suite, i + 1);
            tests.push_back(tests_in(report.is_object() ? report : nlohmann::json::object()));
        }
        return tests;
    }

    // Reason why the messages differ from the sample's; "" if they are equal, or were updated.
    [[nodiscard]] std::string objection_to_messages(const Test& test) const {
        std::string all;
        for (std::size_t at = 0; at < test.messages.size(); ++at) {
            const std::string& message = test.messages[at];
            if (const auto problem = misshapen(message); !problem.empty()) {
                return fmt::format("a message has not the shape that it should have: {}\n{}", problem, message);
            }
            all += (all.empty() ? "" : "\n") + with_short_maps(without_chance(message));
            if (!test.causes[at].empty()) all += fmt::format("{}  cause: {}\n", all.back() == '\n' ? "" : "\n", test.causes[at]);
        }
        const SourceFile own{sample_.source_name(), lab::tools::code_lines(program_)};
        const SourceFile solution{sample_.solution.filename(), lab::tools::code_lines(lab::tools::read_whole(sample_.solution))};
        all = with_code_for_lines(all, own, solution);
        const std::string expected = lab::tools::read_sample(text_).expected;
        if (test.is_measured)
            return difference(without_numbers(as_measured(first_line(expected), first_line(all))), without_numbers(first_line(all)));
        if (arguments_.only_first_line) return difference(first_line(expected), first_line(all));
        if (!arguments_.update) return difference(expected, all);
        std::ofstream file(sample_.file, std::ios::binary);
        file << lab::tools::with_expected(text_, all);
        return file ? "" : fmt::format("{} can't be written", arguments_.file);
    }

    Arguments arguments_;
    lab::tools::Sample sample_;
    std::string text_, program_;
    Claim claim_;
    CompiledSample compiled_;
    std::string reference_, kept_;
};

}  // namespace

int main(int argc, char** argv) {
    Arguments arguments;
    CLI::App app{"Checks that a suite rejects a mutant for the reason in its first line, or accepts an accepted file."};
    app.add_option("--file", arguments.file, "the sample, a .diff")->required();
    app.add_option("--suite", arguments.suite, "another suite than its lab's");
    app.add_option("--runs", arguments.runs, "how often, each time with fresh inputs")
        ->envname("LAB_MUTANT_RUNS")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--quarter", arguments.quarter, "samples of the other quarters are judged once; 0: none is")
        ->envname("LAB_QUARTER")
        ->check(CLI::Range(0, 4));
    app.add_option("--at-once", arguments.at_once, "how many of the runs at the same time: for those that only wait for a limit")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_flag("--message", arguments.checks_message, "in the first run, compare the message with the expected one");
    app.add_flag("--first-line", arguments.only_first_line, "in the first run, compare the message's first line with the expected one's");
    app.add_flag("--update", arguments.update, "write that message into the sample")->envname("LAB_UPDATE_GOLDEN");
    app.add_flag("--all-passes", arguments.all_passes, "compile the host's code, even if it is the solution's");
    app.add_flag("--compile-only", arguments.compile_only, "run nothing");
    app.add_option("--cost", arguments.max_cost, "judge instead how many times the solution's processor time a whole grade may take");
    CLI11_PARSE(app, argc, argv);
    try {
        SampleCheck check(arguments, lab::tools::Project::current());
        return arguments.compile_only ? 0 : arguments.max_cost > 0 ? check.judge_cost() : check.judge();
    } catch (const BadInput& problem) {
        fmt::print(stderr, "{}\n", problem.what());
        return 2;
    }
}
