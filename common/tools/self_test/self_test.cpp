#include "common/tools/self_test/self_test.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/times.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "common/tools/errors.h"
#include "common/tools/lab_runner.h"
#include "common/tools/lines.h"
#include "common/tools/process.h"
#include "common/tools/terminal.h"

namespace lab::tools {
namespace fs = std::filesystem;
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

// ctest's output without passed tests, so that a failure isn't lost among a thousand lines.
std::string without_passed(const std::string& output) {
    std::string text;
    for (const std::string& line : lines_of(output)) {
        const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
        const bool starts = line.compare(begin, 6, "Start ") == 0;
        const bool passed = line.find(" Test ") != std::string::npos && line.find("   Passed ") != std::string::npos;
        if (!starts && !passed) text += line + "\n";
    }
    return text;
}

std::string cores() { return std::to_string(std::max(1U, std::thread::hardware_concurrency())); }

// " 12/1083 Test  #34: Name ....   Passed" as "12 of 1083 · Name"; "" for any other line.
std::string test_in(const std::string& line) {
    unsigned done = 0;
    unsigned all = 0;
    unsigned number = 0;
    if (std::sscanf(line.c_str(), "%u/%u Test #%u:", &done, &all, &number) != 3) return {};
    const std::size_t name = line.find(": ") + 2;
    return fmt::format("{} of {} · {}", done, all, line.substr(name, line.find(' ', name) - name));
}

// Names of ctest's tests, all or those that match.
std::vector<std::string> names_of(const Project& project, const std::string& pattern = ".*") {
    const Ending listed = run({{"ctest", "--test-dir", project.build.string(), "--show-only=json-v1", "-R", pattern}});
    const std::size_t begin = listed.output.find('{');
    const nlohmann::json json =
        nlohmann::json::parse(begin == std::string::npos ? listed.output : listed.output.substr(begin), nullptr, false);
    if (!json.is_object()) throw BadInput(fmt::format("ctest lists no tests:\n{}", listed.output));
    std::vector<std::string> names;
    for (const auto& test : json.value("tests", nlohmann::json::array())) names.push_back(test.value("name", ""));
    return names;
}

// Possible inputs: whole names, and their parts between dots.
std::vector<std::string> words_in(const std::vector<std::string>& names) {
    std::set<std::string> words(names.begin(), names.end());
    for (const std::string& name : names) {
        for (std::size_t begin = 0; begin < name.size();) {
            const std::size_t end = std::min(name.find('.', begin), name.size());
            words.insert(name.substr(begin, end - begin));
            begin = end + 1;
        }
    }
    return {words.begin(), words.end()};
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

std::string last_lines(const std::string& text, std::size_t count) {
    std::size_t at = text.size();
    while (at > 0 && count > 0) {
        const std::size_t end = text.rfind('\n', at - 1);
        if (end == std::string::npos) return text;
        at = end;
        --count;
    }
    return text.substr(std::min(text.size(), at + 1));
}

PartResult judge(const Ending& ending, const std::string& what) {
    if (ending.ok()) return {1, 0, 0, {}};
    return {0, 1, 0, fmt::format("{} failed (status {}):\n{}", what, ending.status, last_lines(ending.output, 60))};
}

PartResult build(const PartRun& part, const fs::path& folder, const std::vector<std::string>& targets) {
    std::vector<std::string> words{"-k", "0"};
    words.insert(words.end(), targets.begin(), targets.end());
    return judge(build_targets(folder, words, {part.progress, {}}), "the build in " + folder.string());
}

PartResult ctest(const PartRun& part, const fs::path& folder, const std::vector<std::string>& selection, const Environment& environment) {
    Command command{{"ctest", "--test-dir", folder.string(), "--output-on-failure", "--no-tests=error", "-j", cores()}, {}, environment};
    command.add(selection);
    const Ending ending = run(command, [&](const std::string& line) {
        if (const std::string test = test_in(line); !test.empty()) part.progress.show(test);
    });
    PartResult result;
    bool counted = false;
    for (const std::string& line : lines_of(ending.output)) {
        int percent = 0;
        int failed = 0;
        int all = 0;
        if (std::sscanf(line.c_str(), "%d%% tests passed, %d tests failed out of %d", &percent, &failed, &all) == 3) {
            result.failed = failed;
            result.passed += all - failed;
            counted = true;
        }
        if (line.find("***Skipped") != std::string::npos) {  // ctest counts it as passed
            ++result.not_run;
            --result.passed;
        }
    }
    if (!counted) result.failed = 1;
    if (result.failed > 0) result.text = last_lines(without_passed(ending.output), 200);
    return result;
}

PartResult configure(const PartRun& part, const fs::path& folder, const std::vector<std::string>& options, const Environment& environment) {
    Command command{{"cmake", "-S", part.project.root.string(), "-B", folder.string(), "-G", "Ninja", "-DLAB_TESTS=ON",
                     "-DLAB_WARNINGS_ARE_ERRORS=ON", "-DLAB_PRECOMPILED_TOOLKIT=ON"},
                    {},
                    environment};
    command.add(options);
    part.progress.show("configuring " + folder.filename().string());
    return judge(run(command), "configuring " + folder.string());
}

int run_single_tests(const Project& project, const std::vector<std::string>& names) {
    {
        Progress progress;
        const PartResult built = build({project, progress}, project.build);
        if (built.failed > 0) throw BadInput(built.text);
    }
    const std::vector<std::string> all = names_of(project);
    for (const std::string& name : names) {
        const auto has_it = [&](const std::string& one) { return one.find(name) != std::string::npos; };
        if (std::none_of(all.begin(), all.end(), has_it) && names_of(project, name).empty())
            throw BadInput(fmt::format("no test is named '{}'; near it: {}; all: ctest --preset tests -N", name,
                                       fmt::join(nearest(words_in(all), name), ", ")));
    }
    return run_in_terminal({{"ctest", "--test-dir", project.build.string(), "--verbose", "-R", fmt::format("{}", fmt::join(names, "|"))}})
        .status;
}

}  // namespace lab::tools
