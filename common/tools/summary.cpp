#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "common/tools/score_text.h"

namespace lab::tools {
namespace {

// A table cell with this text, verbatim. A backslash escapes any punctuation in Markdown; HTML begins with < or &.
std::string cell(const std::string& text) {
    constexpr std::string_view escaped = "\\`*_{}[]()#|~$!>@";
    std::string result;
    for (const char c : text) {
        if (c == '<') {
            result += "&lt;";
        } else if (c == '&') {
            result += "&amp;";
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            result += ' ';
        } else {
            if (escaped.find(c) != std::string_view::npos) result += '\\';
            result += c;
        }
    }
    return result;
}

std::string share(double earned, double points) { return fmt::format("{:.6g}/{:.6g}", earned, points); }

// The text up to its second line break: for a compile error, a summary and the compiler's first line.
std::string first_two_lines(const std::string& text) {
    const std::size_t first = text.find('\n');
    if (first == std::string::npos) return text;
    std::string second = text.substr(first + 1, text.find('\n', first + 1) - first - 1);
    second.erase(0, second.find_first_not_of(' '));
    return text.substr(0, first) + " " + second;
}

std::string row_of(const LabScore& lab) {
    return fmt::format("| {} | {} | {} of {} |\n", cell(lab.lab + " " + lab.title), share(lab.earned(), lab.points()), lab.passing(),
                       lab.tests.size());
}

std::string failures_of(const LabScore& lab) {
    std::string rows;
    if (!lab.trouble.empty()) rows += fmt::format("| {} | | | {} |\n", cell(lab.lab), cell(first_two_lines(lab.trouble)));
    for (const TestScore& test : lab.tests) {
        if (test.passed() || !test.has_run) continue;
        const std::string points = test.is_undecided ? "undecided" : share(test.earned, test.points);
        const std::string why = test.failures.empty() ? "" : first_line(test.failures.front());
        rows += fmt::format("| {} | {} | {} | {} |\n", cell(lab.lab), cell(test.name), points, cell(why));
    }
    return rows;
}

}  // namespace

std::string markdown_summary(const std::vector<LabScore>& labs) {
    double earned = 0;
    double points = 0;
    std::string rows;
    std::string failures;
    std::string backend;
    for (const LabScore& lab : labs) {
        earned += lab.earned();
        points += lab.points();
        rows += row_of(lab);
        failures += failures_of(lab);
        if (!lab.backend.empty()) backend = lab.backend;
    }
    std::string text =
        fmt::format("## {} points\n\n| lab | points | tests passed |\n| --- | ---: | ---: |\n{}", share(earned, points), rows);
    if (!failures.empty()) text += "\n| lab | test | points | why |\n| --- | --- | ---: | --- |\n" + failures;
    if (!backend.empty()) text += fmt::format("\nGraded on: {}\n", cell(backend));
    return text;
}

}  // namespace lab::tools
