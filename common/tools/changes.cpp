#include "common/tools/changes.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/tools/score_text.h"

namespace lab::tools {
namespace {

constexpr std::size_t max_lines = 25;  // of a failure, like in `lab grade`

std::string points_of(const LabScore& before, const LabScore& now) {
    std::string text = fmt::format("{}/{} points", now.earned(), now.points());
    if (before.tests.empty()) return text;
    if (before.earned() == now.earned()) return text + " (as before)";
    return text + fmt::format(" ({} before)", before.earned());
}

std::string first_failure(const LabScore& lab, const TestScore& test, const Terminal& terminal) {
    return fmt::format("\n{} ({}, {} points)\n", terminal.paint(Colour::red, "  " + test.name), test.group, test.points) +
           failure_text(lab, test, 0, max_lines, terminal);
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

std::string describe(const LabScore& before, const LabScore& now, const Terminal& terminal) {
    const auto passing = std::count_if(now.tests.begin(), now.tests.end(), [](const TestScore& test) { return test.passed(); });
    std::string text = fmt::format("{}: {}, {} of {} tests pass\n", now.lab, points_of(before, now), passing, now.tests.size());
    const Changes all = changes(before, now);
    const auto add = [&](Colour colour, const std::string& line) { text += terminal.paint(colour, folded(line, terminal.width)) + "\n"; };
    for (const TestScore* test : all.fixed) add(Colour::green, fmt::format("  + passes now: {} ({} points)", test->name, test->points));
    for (const TestScore* test : all.broken) add(Colour::red, fmt::format("  - fails now: {} ({} points)", test->name, test->points));
    for (const TestScore* test : all.reworded)
        add(Colour::yellow, fmt::format("  ~ fails otherwise: {}: {}", test->name, first_line(test->failures.front())));
    const auto failing = std::find_if(now.tests.begin(), now.tests.end(), [](const TestScore& test) { return !test.passed(); });
    if (failing != now.tests.end()) text += first_failure(now, *failing, terminal);
    return text;
}

}  // namespace lab::tools
