// Counts beside their source lines: `lab profile --source`.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <map>

#include "common/tools/lines.h"
#include "common/tools/safe_files.h"
#include "common/tools/studies/profile.h"

namespace lab::tools {
namespace {

using trace::Counters;
using Access = trace::MemoryCounts Counters::*;
using Count = std::uint64_t trace::MemoryCounts::*;

// "524288 (4.00)": requests, and the cost of each. Atomics count as stores here.
std::string cell(const Counters& line, const std::vector<Access>& groups, Count cost) {
    trace::MemoryCounts sum;
    for (const Access group : groups) sum += line.*group;
    return sum.requests == 0 ? ""
                             : fmt::format("{} ({:.2f})", sum.requests, static_cast<double>(sum.*cost) / static_cast<double>(sum.requests));
}

struct Column {
    const char* head;
    std::vector<Access> groups;
    Count cost;
};
const std::vector<Column>& columns() {
    static const std::vector<Column> all{
        {"global loads", {&Counters::global_load}, &trace::MemoryCounts::sectors},
        {"global stores", {&Counters::global_store, &Counters::global_atomic}, &trace::MemoryCounts::sectors},
        {"shared loads", {&Counters::shared_load}, &trace::MemoryCounts::wavefronts},
        {"shared stores", {&Counters::shared_store, &Counters::shared_atomic}, &trace::MemoryCounts::wavefronts}};
    return all;
}

// A line of source with its counts below it, where the columns leave no room for it.
std::string stacked(std::size_t number, const Counters& line, const std::string& source, std::size_t width) {
    std::string text = fmt::format("{:>5}  {}", number, source).substr(0, width) + "\n";
    std::string counts;
    for (const Column& column : columns()) {
        const std::string value = cell(line, column.groups, column.cost);
        if (!value.empty()) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", column.head, value);
    }
    return counts.empty() ? text : text + fmt::format("{:>7}^ {}\n", "", counts);
}

std::string row(const std::string& number, const std::array<std::string, 4>& cells, const std::string& source) {
    return fmt::format("{:>5} {:>18} {:>18} {:>18} {:>18}  {}\n", number, cells[0], cells[1], cells[2], cells[3], source);
}

std::string of_one_file(const std::string& file, const std::map<std::size_t, Counters>& counts, std::size_t width) {
    const std::vector<std::string> source = std::filesystem::exists(file) ? lines_of(read_whole(file)) : std::vector<std::string>();
    std::string text = file.empty() ? "(lines that the compiler doesn't tell)\n" : file + "\n";
    constexpr std::size_t columns_width = 83;
    constexpr std::size_t usual_source = 60;
    const bool is_stacked = width < columns_width + usual_source;
    if (!is_stacked) text += row("line", {"global loads", "global stores", "shared loads", "shared stores"}, "");
    for (std::size_t number = counts.begin()->first; number <= counts.rbegin()->first; ++number) {
        const auto found = counts.find(number);
        const Counters line = found == counts.end() ? Counters() : found->second;
        const std::string written = number > 0 && number <= source.size() ? source[number - 1] : "";
        if (source.empty() && found == counts.end()) continue;
        std::array<std::string, 4> cells;
        for (std::size_t i = 0; i < cells.size(); ++i) cells.at(i) = cell(line, columns()[i].groups, columns()[i].cost);
        text += is_stacked ? stacked(number, line, written, width) : row(std::to_string(number), cells, written);
    }
    return text;
}

}  // namespace

std::string source_table(const Profile& profile, std::size_t width) {
    if (!profile.launch || profile.launch->lines.empty()) return profile.title + ": no counts by line\n";
    std::map<std::string, std::map<std::size_t, Counters>> files;
    for (const trace::LineCounts& line : profile.launch->lines) files[line.file][line.line] += line.counters;
    std::string text = fmt::format("{}: requests of warps, and sectors or wavefronts a request in brackets\n", profile.title);
    for (const auto& [file, counts] : files) text += of_one_file(file, counts, width);
    return text;
}

}  // namespace lab::tools
