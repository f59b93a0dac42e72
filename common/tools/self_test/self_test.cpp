#include "common/tools/self_test/self_test.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "common/tools/errors.h"
#include "common/tools/process.h"
#include "common/tools/self_test/quarter.h"
#include "common/tools/terminal.h"

namespace lab::tools {
namespace {

std::vector<Part> parts_for(const SelfTestOptions& options) {
    std::vector<Part> parts = all_parts();
    if (options.only.empty()) {
        if (!options.full && !options.ci) std::erase_if(parts, [](const Part& part) { return part.is_full_only; });
        return parts;
    }
    std::vector<std::string> names;
    for (const Part& part : parts) names.push_back(part.name);
    std::erase_if(parts, [&](const Part& part) { return part.name != options.only; });
    if (parts.empty()) throw BadInput(fmt::format("unknown part '{}'; there are: {}", options.only, fmt::join(names, ", ")));
    return parts;
}

// Processor time of this process and of all that it has waited for, in seconds.
double cpu_seconds() {
    double seconds = 0;
    for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage usage{};
        getrusage(who, &usage);
        for (const timeval& time : {usage.ru_utime, usage.ru_stime})
            seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    }
    return seconds;
}

PartTime run_part(const Part& part, const Project& project, bool is_full, int quarter) {
    print_folded(fmt::format("{:<11}  {} ...\n", part.name, part.what));
    std::fflush(stdout);
    const auto start = std::chrono::steady_clock::now();
    const double cpu_start = cpu_seconds();
    PartTime done{part.name, {}};
    {
        Progress progress;
        done.result = part.run({project, progress, is_full, quarter});
    }
    done.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    done.cpu_seconds = cpu_seconds() - cpu_start;
    const PartResult& result = done.result;
    if (!result.text.empty()) fmt::print("{}{}", result.text, result.text.back() == '\n' ? "" : "\n");
    fmt::print("{:<12} {} passed, {} failed{} ({:.0f} s)\n", part.name, result.passed, result.failed,
               result.not_run == 0 ? "" : fmt::format(", {} not run", result.not_run), done.seconds);
    std::fflush(stdout);
    return done;
}

}  // namespace

PartResult operator+(const PartResult& a, const PartResult& b) {
    return {a.passed + b.passed, a.failed + b.failed, a.not_run + b.not_run, a.text + b.text};
}

std::string table_of(const std::vector<PartTime>& parts) {
    std::string text = fmt::format("{:<12} {:>7} {:>7} {:>8} {:>7} {:>7}\n", "part", "passed", "failed", "not run", "s", "CPU s");
    for (const auto& [name, result, seconds, cpu] : parts)
        text +=
            fmt::format("{:<12} {:>7} {:>7} {:>8} {:>7.0f} {:>7.0f}\n", name, result.passed, result.failed, result.not_run, seconds, cpu);
    return text;
}

int self_test(const Project& project, const SelfTestOptions& options) {
    if (options.list) {
        for (const Part& part : all_parts())
            print_folded(fmt::format("{:<11}  {}{}\n", part.name, part.what, part.is_full_only ? " (full tier only)" : ""));
        return 0;
    }
    if (!options.names.empty()) {
        if (!options.only.empty()) throw BadInput("--only names a part, other words single tests: give one or the other");
        return run_single_tests(project, options.names);
    }
    const std::vector<Part> parts = parts_for(options);
    std::string tier = options.full ? "--full " : "";
    int quarter = options.quarter;
    if (options.ci) {
        const Draw draw = quarter == 0 ? draw_quarter(project.root) : Draw{quarter, "as asked"};
        quarter = draw.quarter;
        tier = quarter == 0 ? "--full " : fmt::format("--ci --quarter {} ", quarter);
        print_folded(fmt::format("of mutants and their second pass, block shapes, slow unit tests and lint {}: {}; again: ./lab test {}\n",
                                 quarter == 0 ? "all" : fmt::format("quarter {} of 4", quarter), draw.from, tier));
    }
    keep_going_on_interrupt();
    PartTime total{"all", {}};
    std::vector<PartTime> done;
    std::string failed_part;
    for (const Part& part : parts) {
        done.push_back(run_part(part, project, options.full || options.ci, quarter));
        if (done.back().result.failed > 0 && failed_part.empty()) failed_part = part.name;
        total.result = total.result + done.back().result;
        total.seconds += done.back().seconds;
        total.cpu_seconds += done.back().cpu_seconds;
        if (interrupted()) break;
    }
    done.push_back(total);
    if (done.size() > 2) fmt::print("\n{}", table_of(done));
    if (!failed_part.empty()) fmt::print("\nagain, one part at a time: ./lab test {}--only {}\n", tier, failed_part);
    const auto& [passed, failed, not_run, text] = total.result;
    fmt::print("\n{} passed, {} failed{}{}\n", passed, failed, not_run == 0 ? "" : fmt::format(", {} not run", not_run),
               interrupted() ? " (interrupted)" : "");
    if (interrupted()) return exit_interrupted;
    return failed == 0 && passed > 0 ? 0 : 1;
}

}  // namespace lab::tools
