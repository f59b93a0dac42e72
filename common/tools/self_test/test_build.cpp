#include "common/tools/self_test/test_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "common/tools/lab_runner.h"
#include "common/tools/lines.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

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

}  // namespace

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
    command.words.insert(command.words.end(), selection.begin(), selection.end());
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
    command.words.insert(command.words.end(), options.begin(), options.end());
    part.progress.show("configuring " + folder.filename().string());
    return judge(run(command), "configuring " + folder.string());
}

}  // namespace lab::tools
