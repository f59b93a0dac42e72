// lab-tool: the subcommands of `lab`. The script `lab` installs and builds, then starts this program.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "common/tools/bench.h"
#include "common/tools/counters.h"
#include "common/tools/errors.h"
#include "common/tools/grade.h"
#include "common/tools/hint.h"
#include "common/tools/project.h"
#include "common/tools/reset.h"
#include "common/tools/run_program.h"
#include "common/tools/sample_files.h"
#include "common/tools/self_test.h"
#include "common/tools/studies/device_commands.h"
#include "common/tools/studies/kernel_commands.h"
#include "common/tools/watch.h"

namespace {

using namespace lab::tools;

void describe_grade(CLI::App& app, GradeOptions& options) {
    app.add_option("LAB", options.labs, "lab1, lab2, ...; all labs if none is named");
    app.add_flag("--solutions", options.solutions, "grade the reference solutions in place of labs/");
    app.add_option("--from", options.from, "grade a folder laid out like labs/, or one lab's file, in place of labs/")
        ->type_name("DIR|FILE");
    app.add_option("--json", options.json, "write the scores there")->type_name("FILE");
    app.add_option("--device", options.device, "the GPU to model times for")->type_name("DEVICE");
    app.add_option("--seed", options.seed, "of the random inputs, as a failure names it")->type_name("N");
    app.add_option("--filter", options.filter, "only the tests whose names match, '*' standing for anything")->type_name("PATTERN");
    app.add_flag("-v,--verbose", options.verbose, "show all failures, in full");
}

void describe_run(CLI::App& app, ProgramOptions& options) {
    app.add_option("FILE", options.file, "a CUDA program in one file")->required();
    app.add_option("-I", options.include_folders, "add a folder for #include")->allow_extra_args(false);
    app.add_option("-D", options.defines, "define a macro")->allow_extra_args(false);
    app.add_option("--std", options.standard, "C++ standard: c++14, c++17 (default), c++20");
    app.add_option("-O", options.optimisation, "optimisation of kernels and host code, 0 to 3")->allow_extra_args(false);
    app.add_option("--json", options.json, "write one object a launch there")->type_name("OUT");
    app.add_flag("--report", options.report, "print a table of the launches");
    app.add_option("--device", options.device, "the GPU to model");
    app.add_option("--ptx", options.ptx, "take the kernels from nvcc, or from a file of PTX made of the same source, instead of clang")
        ->type_name("nvcc|FILE");
    app.add_option("--threads", options.threads, "host threads that run blocks; all cores if not given");
    app.add_option("--check", options.checks,
                   "what to look for, and nothing else: races, init, barriers, bounds, api, host, or all, or none")
        ->type_name("CHECKS");
    app.add_option("--order", options.order, "forward (default) or reversed: who has the first turn, of blocks and of a block's warps");
    add_modelling(app, options.modelling);
    app.add_option("--max-instructions", options.max_instructions, "stop a launch after so many warp instructions");
    app.add_flag("--verbose", options.verbose, "print the compiler's commands");
}

void describe_hint(CLI::App& app, HintOptions& options) {
    app.add_option("LAB", options.lab, "lab1, lab2, ...");
    app.add_option("--test", options.test, "a hint for this failing test instead of the first one")->type_name("NAME");
    app.add_flag("--again", options.again, "show the hints given so far, and no new one");
}

void describe_watch(CLI::App& app, WatchOptions& options) {
    app.add_option("LAB", options.lab, "lab1, lab2, ...");
    app.add_flag("--once", options.once, "grade, show the verdict, and end");
}

void describe_reset(CLI::App& app, ResetOptions& options) {
    app.add_option("LAB", options.lab, "lab1, lab2, ...");
    app.add_flag("--dry-run", options.dry_run, "only say what would be done");
}

int dispatch(int count, char** words) {
    CLI::App app{"A CUDA teaching lab: edit labs/, then ./lab grade", "lab"};
    app.require_subcommand(1);
    app.footer("Before any subcommand: --yes (install what is missing without asking), --no-install, --backend emulator|gpu.");
    GradeOptions grade_options;
    ProgramOptions program_options;
    SelfTestOptions test_options;
    SampleOptions sample_options;
    BenchOptions bench_options;
    CountersOptions counters_options;
    HintOptions hint_options;
    WatchOptions watch_options;
    ResetOptions reset_options;
    auto* grade_command = app.add_subcommand("grade", "Grade labs: build what changed, run the suites, show the points");
    describe_grade(*grade_command, grade_options);
    auto* hint_command = app.add_subcommand("hint", "Give the next hint for the first test that fails");
    describe_hint(*hint_command, hint_options);
    auto* watch_command = app.add_subcommand("watch", "Grade a lab again at every save, and show what changed");
    describe_watch(*watch_command, watch_options);
    auto* reset_command = app.add_subcommand("reset", "Put a lab's file back as it was shipped, keeping yours beside it");
    describe_reset(*reset_command, reset_options);
    auto* run_command = app.add_subcommand("run", "Compile a single-file CUDA program and run it in the emulator");
    describe_run(*run_command, program_options);
    run_command->footer("Arguments after -- are the program's own. Exit status: the program's, or 70 when the emulator found a fault.");
    auto* test_command = app.add_subcommand("test", "Run every test of the project");
    test_command->add_option("--only", test_options.only, "just this part; --list names them");
    test_command->add_flag("--list", test_options.list, "name the parts");
    auto* sample_command = app.add_subcommand("sample", "Print a sample of tests/mutants or tests/accepted as a whole file");
    sample_command->add_option("NAME", sample_options.name, "lab3_no_barriers, say; all with their claims if none is named");
    auto* bench_command = app.add_subcommand("bench", "Measure the emulator (Google Benchmark)");
    bench_command->add_option("--filter", bench_options.filter, "only the benchmarks that match");
    bench_command->add_option("--json", bench_options.json, "write the results there")->type_name("FILE");
    bench_command->add_flag("--strict", bench_options.strict, "exit status 1 if a demand is not met");

    auto* counters_command = app.add_subcommand("counters", "Compare the emulator's counters with what Nsight Compute counted on a GPU");
    counters_command->add_option("--hardware", counters_options.hardware, "ncu's CSV, as tests/gpu/on_device.sh makes it")
        ->required()
        ->type_name("FILE");
    counters_command->add_option("--ptx", counters_options.ptx, "the PTX of that run; or nvcc, to compile it now")
        ->default_val("nvcc")
        ->type_name("FILE|nvcc");
    counters_command->add_option("--gpu", counters_options.gpu, "the GPU's name, for the table");
    counters_command->add_option("--table", counters_options.table, "write the table there instead of printing it")->type_name("FILE");

    const auto run_study = add_studies(app);
    const auto run_kernel_study = add_kernel_studies(app, program_options.arguments);

    // What follows `--` belongs to the program of `run`, whatever it looks like. A compiler's -std is our --std.
    std::vector<std::string> own;  // last word first, as CLI11 takes them
    for (int i = 1; i < count; ++i) {
        std::string word = words[i];
        if (word == "--") {
            program_options.arguments.assign(words + i + 1, words + count);
            break;
        }
        if (word.rfind("-std=", 0) == 0) word.insert(0, 1, '-');
        own.insert(own.begin(), std::move(word));
    }
    try {
        app.parse(std::move(own));
    } catch (const CLI::Success& success) {
        return app.exit(success);
    } catch (const CLI::ParseError& error) {
        const auto chosen = app.get_subcommands();
        throw BadInput(fmt::format("{} (see ./lab {}--help)", error.what(), chosen.empty() ? "" : chosen[0]->get_name() + " "));
    }
    const Project project = Project::current();
    if (*grade_command) return grade(project, grade_options);
    if (*hint_command) return hint(project, hint_options);
    if (*watch_command) return watch(project, watch_options);
    if (*reset_command) return reset(project, reset_options);
    if (*run_command) return run_program(project, program_options);
    if (*counters_command) return counters(project, counters_options);
    if (*sample_command) return print_sample(project, sample_options);
    if (*bench_command) return bench(project, bench_options);
    if (const auto status = run_study(project)) return *status;
    if (const auto status = run_kernel_study(project)) return *status;
    return self_test(project, test_options);
}

}  // namespace

int main(int count, char** words) {
    try {
        return dispatch(count, words);
    } catch (const BadInput& problem) {
        fmt::print(stderr, "lab: {}\n", problem.what());
    } catch (const std::exception& problem) {
        fmt::print(stderr, "lab: {}\n", problem.what());
    }
    return exit_bad_input;
}
