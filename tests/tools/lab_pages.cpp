#include "tests/tools/lab_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <sstream>

#include "common/tools/errors.h"
#include "common/tools/lines.h"
#include "common/tools/process.h"
#include "common/tools/project.h"
#include "common/tools/safe_files.h"
#include "tests/tools/sandbox.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

std::string without_outer_blanks(const std::string& text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

bool is_group(const std::string& word) {
    constexpr std::array groups{"correct", "safe", "technique", "fast", "host"};
    return std::find(groups.begin(), groups.end(), word) != groups.end();
}

using Rows = std::vector<std::string>;

// Reports the row, counted from 1, in which a table differs from the folders.
void compare(const std::string& page, const Rows& there, const Rows& expected, std::vector<std::string>* differences) {
    for (std::size_t i = 0; i < std::max(there.size(), expected.size()); ++i) {
        const std::string is = i < there.size() ? there[i] : "none";
        const std::string has_to_be = i < expected.size() ? expected[i] : "none";
        if (is != has_to_be)
            differences->push_back(fmt::format("{}: row {} of the labs is '{}', has to be '{}'", page, i + 1, is, has_to_be));
    }
}

// "Lab 3 · Shared-memory tiling" of "# Lab 3 · Shared-memory tiling".
std::string title_of(const std::string& handout) {
    const std::string line = handout.substr(0, handout.find('\n'));
    return line.rfind("# ", 0) == 0 ? line.substr(2) : line;
}

}  // namespace

std::vector<std::vector<std::string>> table_rows(const std::string& markdown) {
    std::vector<std::vector<std::string>> rows;
    for (const std::string& line : lines_of(markdown)) {
        if (line.rfind("| ", 0) != 0) continue;
        std::vector<std::string> cells;
        std::istringstream rest(line.substr(1));
        for (std::string cell; std::getline(rest, cell, '|');) cells.push_back(without_outer_blanks(cell));
        rows.push_back(std::move(cells));
    }
    return rows;
}

std::vector<std::string> differences_of_pages(const fs::path& root) {
    std::vector<std::string> differences;
    Rows readme;
    Rows plan;
    for (const Lab& lab : labs_in(root / "labs")) {
        readme.push_back(fmt::format("{}: `labs/{}/{}`", lab.name(), lab.folder, lab.file));
        const std::string page = "handouts/" + lab.folder + ".md";
        if (!fs::exists(root / page)) {
            differences.push_back(page + ": there is no such handout");
            continue;
        }
        const std::string title = title_of(read_whole(root / page));
        if (title.rfind(fmt::format("Lab {} · ", lab.number), 0) != 0)
            differences.push_back(fmt::format("{}: its first line is '{}', has to begin with '# Lab {} · '", page, title, lab.number));
        plan.push_back(fmt::format("[{}]({}.md)", title, lab.folder));
    }
    static const std::regex lab_name("lab[0-9]+");
    Rows in_readme;
    for (const auto& row : table_rows(read_whole(root / "README.md"))) {
        if (row.size() >= 3 && std::regex_match(row[0], lab_name)) in_readme.push_back(row[0] + ": " + row[2]);
    }
    Rows in_plan;
    for (const auto& row : table_rows(read_whole(root / "handouts/README.md"))) {
        if (row[0].rfind("[Lab ", 0) == 0) in_plan.push_back(row[0]);
    }
    compare("README.md", in_readme, readme, &differences);
    compare("handouts/README.md", in_plan, plan, &differences);
    return differences;
}

std::vector<TestScore> described_tests(const fs::path& bin, const std::string& lab) {
    const Sandbox box;
    const fs::path report = box.folder() / "report.json";
    const std::string reference = (bin / (lab + "_reference")).string();
    const Ending ending = run({{(bin / (lab + "_test")).string(), "--describe", "--runner", reference, "--reference", reference,
                                "--gtest_output=json:" + report.string()},
                               {},
                               {}});
    if (!fs::exists(report)) throw BadInput(lab + " does not describe its tests: " + ending.output);
    std::string backend;
    return read_scores(nlohmann::json::parse(read_whole(report)), &backend);
}

std::vector<std::string> differences_of_points(const std::string& handout, const std::vector<TestScore>& tests) {
    std::vector<std::string> differences;
    std::map<std::string, double> points;
    double sum = 0;
    for (const TestScore& test : tests) {
        points[test.group] += test.points;
        sum += test.points;
    }
    if (sum != 100) differences.push_back(fmt::format("the suite's tests have {} points, not 100", sum));
    static const std::regex share(R"(\(([0-9]+)\))");
    for (const auto& row : table_rows(handout)) {
        if (row.size() < 3 || !is_group(row[0])) continue;
        const auto group = points.find(row[0]);
        const std::string worth = group == points.end() ? "none" : fmt::format("{}", group->second);
        if (row[1] != worth) differences.push_back(fmt::format("{}: the handout says {}, the suite {}", row[0], row[1], worth));
        int shares = 0;
        const std::sregex_iterator end;
        for (std::sregex_iterator at(row[2].begin(), row[2].end(), share); at != end; ++at) shares += std::stoi((*at)[1]);
        if (shares != 0 && std::to_string(shares) != row[1])
            differences.push_back(fmt::format("{}: {} points are shared out as {}", row[0], row[1], shares));
        if (group != points.end()) points.erase(group);
    }
    for (const auto& [group, worth] : points) differences.push_back(fmt::format("{}: {} points, and no row in the handout", group, worth));
    return differences;
}

}  // namespace lab::tools
