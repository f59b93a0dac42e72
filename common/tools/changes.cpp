#include "common/tools/changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace lab::tools {
namespace {

constexpr std::size_t max_lines = 25;  // of a failure, like in `lab grade`

std::string points_of(const LabScore& before, const LabScore& now) {
    std::string text = fmt::format("{}/{} points", now.earned(), now.points());
    if (before.tests.empty()) return text;
    if (before.earned() == now.earned()) return text + " (as before)";
    return text + fmt::format(" ({} before)", before.earned());
}

std::string first_failure(const TestScore& test) {
    std::string text = fmt::format("\n  {} ({}, {} points)\n", test.name, test.group, test.points);
    std::istringstream lines(test.failures.front());
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line) && count < max_lines; ++count) text += "      " + line + "\n";
    return text;
}

}  // namespace

Changes changes(const LabScore& before, const LabScore& now) {
    Changes found;
    for (const TestScore& test : now.tests) {
        const auto same = [&](const TestScore& earlier) { return earlier.name == test.name; };
        const auto earlier = std::find_if(before.tests.begin(), before.tests.end(), same);
        if (earlier == before.tests.end()) continue;
        if (test.passed() && !earlier->passed()) found.fixed.push_back(&test);
        if (!test.passed() && earlier->passed()) found.broken.push_back(&test);
        if (!test.passed() && !earlier->passed() && first_line(test.failures.front()) != first_line(earlier->failures.front()))
            found.reworded.push_back(&test);
    }
    return found;
}

std::string describe(const LabScore& before, const LabScore& now) {
    const auto passing = std::count_if(now.tests.begin(), now.tests.end(), [](const TestScore& test) { return test.passed(); });
    std::string text = fmt::format("{}: {}, {} of {} tests pass\n", now.lab, points_of(before, now), passing, now.tests.size());
    const Changes all = changes(before, now);
    for (const TestScore* test : all.fixed) text += fmt::format("  + passes now: {} ({} points)\n", test->name, test->points);
    for (const TestScore* test : all.broken) text += fmt::format("  - fails now: {} ({} points)\n", test->name, test->points);
    for (const TestScore* test : all.reworded)
        text += fmt::format("  ~ fails otherwise: {}: {}\n", test->name, first_line(test->failures.front()));
    const auto failing = std::find_if(now.tests.begin(), now.tests.end(), [](const TestScore& test) { return !test.passed(); });
    if (failing != now.tests.end()) text += first_failure(*failing);
    return text;
}

}  // namespace lab::tools
