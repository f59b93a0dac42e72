#include "common/tools/self_test/self_test.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/times.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "common/tools/errors.h"
#include "common/tools/process.h"
#include "common/tools/terminal.h"

namespace lab::tools {
namespace {

std::vector<Part> parts_for(const SelfTestOptions& options) {
    std::vector<Part> parts = all_parts();
    if (options.only.empty()) {
        if (!options.full) std::erase_if(parts, [](const Part& part) { return part.is_full_only; });
        return parts;
    }
    std::vector<std::string> names;
    for (const Part& part : parts) names.push_back(part.name);
    std::erase_if(parts, [&](const Part& part) { return ("," + options.only + ",").find("," + part.name + ",") == std::string::npos; });
    const auto asked = static_cast<std::size_t>(std::count(options.only.begin(), options.only.end(), ',')) + 1;
    if (parts.size() != asked) throw BadInput(fmt::format("unknown part '{}'; there are: {}", options.only, fmt::join(names, ", ")));
    return parts;
}

// Processor time of this process and of all that it has waited for, in seconds.
double cpu_seconds() {
    tms ticks{};
    (void)times(&ticks);
    return static_cast<double>(ticks.tms_utime + ticks.tms_stime + ticks.tms_cutime + ticks.tms_cstime) /
           static_cast<double>(sysconf(_SC_CLK_TCK));
}

PartResult run_part(const Part& part, const Project& project, const SelfTestOptions& options) {
    print_folded(fmt::format("{:<11}  {} ...\n", part.name, part.what));
    std::fflush(stdout);
    const auto start = std::chrono::steady_clock::now();
    const double cpu_start = cpu_seconds();
    PartResult result;
    {
        Progress progress;
        result = part.run({project, progress, options.full, options.quarter});
    }
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result.cpu_seconds = cpu_seconds() - cpu_start;
    if (!result.text.empty()) fmt::print("{}{}", result.text, result.text.back() == '\n' ? "" : "\n");
    fmt::print("{:<12} {} passed, {} failed{} ({:.0f} s)\n", part.name, result.passed, result.failed,
               result.not_run == 0 ? "" : fmt::format(", {} not run", result.not_run), result.seconds);
    std::fflush(stdout);
    return result;
}

}  // namespace

PartResult operator+(const PartResult& a, const PartResult& b) {
    return {a.passed + b.passed, a.failed + b.failed,   a.not_run + b.not_run,
            a.text + b.text,     a.seconds + b.seconds, a.cpu_seconds + b.cpu_seconds};
}

std::string table_row(const std::string& name, const PartResult& result) {
    return fmt::format("{:<12} {:>6} passed {:>4} failed {:>4} not run {:>6.0f} s {:>6.0f} s CPU\n", name, result.passed, result.failed,
                       result.not_run, result.seconds, result.cpu_seconds);
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
    keep_going_on_interrupt();
    PartResult total;
    std::string table;
    std::string failed_part;
    for (const Part& part : parts) {
        const PartResult result = run_part(part, project, options);
        if (result.failed > 0 && failed_part.empty()) failed_part = part.name;
        table += table_row(part.name, result);
        total = total + result;
        if (interrupted()) break;
    }
    if (parts.size() > 1) fmt::print("\n{}{}", table, table_row("all", total));
    if (!failed_part.empty())
        fmt::print("\nagain, one part at a time: ./lab test {}--only {}\n", options.full ? "--full " : "", failed_part);
    fmt::print("\n{} passed, {} failed{}{}\n", total.passed, total.failed,
               total.not_run == 0 ? "" : fmt::format(", {} not run", total.not_run), interrupted() ? " (interrupted)" : "");
    if (interrupted()) return exit_interrupted;
    return total.failed == 0 && total.passed > 0 ? 0 : 1;
}

}  // namespace lab::tools
