// lab-self-test: the subcommands of `lab` that test and measure the project itself.
#include <fmt/format.h>

#include <filesystem>

#include "common/tools/command_line.h"
#include "common/tools/errors.h"
#include "common/tools/lab_runner.h"
#include "common/tools/sample.h"
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

// Options of `lab bench`: the project's own measurements.
struct BenchOptions {
    std::string filter;
    std::string json;
    bool strict = false;  // exit status 1 if a target isn't met
};

void describe_bench(CLI::App& app, BenchOptions& options) {
    app.add_option("--filter", options.filter, "only the benchmarks that match");
    app.add_option("--json", options.json, "write the results there")->type_name("FILE");
    app.add_flag("--strict", options.strict, "exit status 1 if a demand is not met");
}

void describe_sample(CLI::App& app, SampleOptions& options) {
    app.add_option("NAME", options.name, "LAB_no_barriers, say; all with their claims if none is named");
}

int bench(const Project& project, const BenchOptions& options) {
    {
        Progress progress;
        // A build that was configured before Google Benchmark was installed lacks the target.
        if (!run({{"ninja", "-C", project.build.string(), "-t", "query", "lab-bench"}}).ok()) {
            const Ending configured = run({{"cmake", "-DLAB_BENCH=ON", project.build.string()}});
            if (!configured.ok()) throw BadInput("the benchmarks can't be configured:\n" + configured.output);
        }
        const Ending built = build_targets(project.build, {"lab-bench"}, {progress, {}});
        if (!built.ok()) throw BadInput("the benchmarks do not build:\n" + built.output);
    }
    Command command{{project.bin("lab-bench").string()}, project.root.string(), {}};
    if (!options.filter.empty()) command.words.push_back("--benchmark_filter=" + options.filter);
    if (options.strict) command.words.push_back("--strict");
    if (!options.json.empty()) {
        command.words.push_back("--benchmark_out=" + std::filesystem::absolute(options.json).string());
        command.words.push_back("--benchmark_out_format=json");
    }
    return run_in_terminal(command).status;
}

}  // namespace

int main(int count, char** words) {
    Commands commands;
    commands.add("test", "Run the project's own tests: what a contributor runs before each commit", describe_test, self_test);
    commands.add("bench", "Measure the emulator (Google Benchmark)", describe_bench, bench);
    commands.add("sample", "Print a sample of tests/mutants or tests/accepted as a whole file", describe_sample, print_sample);
    return commands.run(words_of(count, words));
}
