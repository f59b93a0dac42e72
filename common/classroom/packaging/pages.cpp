#include "common/classroom/packaging/pages.h"

#include <fmt/format.h>

#include <regex>

#include "common/tools/lines.h"
#include "common/tools/safe_files.h"

namespace lab::classroom {
namespace fs = std::filesystem;

void drop_dead_links(const fs::path& page) {
    static const std::regex link(R"(\[([^\]]+)\]\(([^):#]+)(#[^)]*)?\))");
    const std::string text = tools::read_whole(page);
    std::string kept;
    auto end = text.begin();
    for (std::sregex_iterator at(text.begin(), text.end(), link), none; at != none; ++at) {
        kept.append(end, (*at)[0].first);
        kept += fs::exists(page.parent_path() / at->str(2)) ? at->str() : at->str(1);
        end = (*at)[0].second;
    }
    kept.append(end, text.end());
    if (kept != text) tools::replace_file(page, kept);
}

void rewrite_points(const fs::path& page, const std::vector<tools::TestScore>& tests, const std::map<std::string, double>& points) {
    tools::LabScore suite, course;
    suite.tests = course.tests = tests;
    tools::use_points(points, &course);
    std::map<std::string, double> before, after;
    std::map<std::string, bool> has_own;
    for (std::size_t i = 0; i < tests.size(); ++i) {
        before[tests[i].group] += tests[i].points;
        after[tests[i].group] += course.tests[i].points;
        has_own[tests[i].group] |= points.count(tests[i].name.substr(tests[i].name.find('.') + 1)) > 0;
    }
    static const std::regex row(R"(\| ([a-z]+) \| (\d+) (\|.*))"), part(R"( \((\d+)\))");
    const std::regex total(fmt::format(" of {:.6g} points", suite.points()));
    std::string text;
    for (const std::string& line : tools::lines_of(tools::read_whole(page))) {
        std::smatch found;
        if (!std::regex_match(line, found, row) || before[found.str(1)] == 0) {
            text += std::regex_replace(line, total, fmt::format(" of {:.6g} points", course.points())) + "\n";
            continue;
        }
        const std::string group = found.str(1), rest = found.str(3);
        text += fmt::format("| {} | {:.6g} ", group, after[group]);
        auto end = rest.begin();
        for (std::sregex_iterator at(rest.begin(), rest.end(), part), none; at != none; end = (*at++)[0].second) {
            text.append(end, (*at)[0].first);
            if (!has_own[group]) text += fmt::format(" ({:.3g})", std::stod(at->str(1)) * after[group] / before[group]);
        }
        text.append(end, rest.end());
        text += "\n";
    }
    tools::replace_file(page, text);
}

}  // namespace lab::classroom
