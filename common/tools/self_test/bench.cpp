#include "common/tools/self_test/bench.h"

#include <fmt/format.h>

#include <filesystem>

#include "common/tools/errors.h"
#include "common/tools/lab_runner.h"

namespace lab::tools {

int bench(const Project& project, const BenchOptions& options) {
    {
        Progress progress;
        // A build that was configured before Google Benchmark was installed lacks the target.
        if (!run({{"ninja", "-C", project.build.string(), "-t", "query", "lab-bench"}, {}, {}}).ok()) {
            const Ending configured = run({{"cmake", "-DLAB_BENCH=ON", project.build.string()}, {}, {}});
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

}  // namespace lab::tools
