// lab-self-test: the subcommands of `lab` that test and measure the project itself.
#include "common/tools/command_line.h"
#include "common/tools/sample_files.h"
#include "common/tools/self_test/bench.h"
#include "common/tools/self_test/self_test.h"

namespace {

using namespace lab::tools;

void describe_test(CLI::App& app, SelfTestOptions& options) {
    app.add_option("NAME", options.names, "single tests by name, as ctest -R takes them, with their output");
    auto* const full = app.add_flag("--full", options.full, "the full tier: all that takes long, too");
    app.add_option("--quarter", options.quarter, "of tests that are many and alike only that quarter, 1 to 4, as CI does")->needs(full);
    app.add_option("--only", options.only, "just this part, or A,B; --list names them");
    app.add_flag("--list", options.list, "name the parts");
}

void describe_bench(CLI::App& app, BenchOptions& options) {
    app.add_option("--filter", options.filter, "only the benchmarks that match");
    app.add_option("--json", options.json, "write the results there")->type_name("FILE");
    app.add_flag("--strict", options.strict, "exit status 1 if a demand is not met");
}

}  // namespace

int main(int count, char** words) {
    const auto app = lab_app();
    SelfTestOptions test_options;
    BenchOptions bench_options;
    SampleOptions sample_options;
    auto* const test_command = app->add_subcommand("test", "Run the project's own tests: what a contributor runs before each commit");
    describe_test(*test_command, test_options);
    auto* const bench_command = app->add_subcommand("bench", "Measure the emulator (Google Benchmark)");
    describe_bench(*bench_command, bench_options);
    auto* const sample_command = app->add_subcommand("sample", "Print a sample of tests/mutants or tests/accepted as a whole file");
    sample_command->add_option("NAME", sample_options.name, "LAB_no_barriers, say; all with their claims if none is named");
    return run_command_line(*app, words_of(count, words), [&] {
        const Project project = Project::current();
        if (*sample_command) return print_sample(project, sample_options);
        return *bench_command ? bench(project, bench_options) : self_test(project, test_options);
    });
}
