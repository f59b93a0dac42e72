// The tables of `lab profile`: one line a metric, one column a kernel; with --source, counts beside their source lines.
#include <fmt/format.h>

#include <algorithm>
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

constexpr std::size_t label_width = 40;

// Lines of the table: a label, a cell for each column, and Nsight Compute's name.
class Grid {
public:
    Grid(const Profiles& profiles) {
        for (const Profile& profile : profiles.all) {
            heads_.push_back(profile.title);
            if (profile.hardware) heads_.emplace_back("ncu's count");
        }
    }
    void add(const std::string& label, std::vector<std::string> cells, const std::string& ncu = {}) {
        lines_.push_back({label, std::move(cells), ncu});
    }
    // Columns that don't fit `width` stand below the others. Nsight Compute's names are there where all of it fits one line.
    [[nodiscard]] std::string text(const std::string& first_head, const std::string& last_head, std::size_t width) const {
        std::vector<std::size_t> widths;
        std::size_t sum = label_width;
        for (std::size_t i = 0; i < heads_.size(); ++i) {
            std::size_t widest = heads_[i].size();
            for (const Line& line : lines_) widest = std::max(widest, line.cells[i].size());
            widths.push_back(widest);
            sum += 2 + widest;
        }
        std::size_t longest_name = 0;
        for (const Line& line : lines_) longest_name = std::max(longest_name, line.ncu.size());
        const bool has_names = sum + 2 + longest_name <= width;
        std::string text;
        for (std::size_t first = 0, last = 0; first < heads_.size(); first = last) {
            std::size_t used = label_width;
            for (last = first; last < heads_.size() && (last == first || used + 2 + widths[last] <= width); ++last)
                used += 2 + widths[last];
            text += (first == 0 ? "" : "\n") + row({first_head, heads_, has_names ? last_head : ""}, widths, first, last);
            for (const Line& line : lines_) text += row({line.label, line.cells, has_names ? line.ncu : ""}, widths, first, last);
        }
        if (!has_names) text += "Nsight Compute's names: handouts/profiling.md, or a wider terminal\n";
        return text;
    }

private:
    struct Line {
        std::string label;
        std::vector<std::string> cells;
        std::string ncu;
    };
    // The cells from `first` up to `last`.
    [[nodiscard]] static std::string row(const Line& line, const std::vector<std::size_t>& widths, std::size_t first, std::size_t last) {
        std::string text = fmt::format("{:<{}}", line.label, label_width);
        for (std::size_t i = first; i < last; ++i) text += fmt::format("  {:>{}}", line.cells[i], widths[i]);
        if (!line.ncu.empty()) text += "  " + line.ncu;
        return trimmed(text) + "\n";
    }
    std::vector<std::string> heads_;
    std::vector<Line> lines_;
};

// A cell for each column, the hardware's own ones included.
template <typename Emulated, typename Hardware>
std::vector<std::string> cells(const Profiles& profiles, const Emulated& emulated, const Hardware& hardware) {
    std::vector<std::string> texts;
    for (const Profile& profile : profiles.all) {
        texts.push_back(emulated(profile));
        if (profile.hardware) texts.push_back(hardware(profile));
    }
    return texts;
}

std::string value(const Figures& figures, const Metric& metric) {
    const auto found = figures.find(metric.nvprof);
    return found == figures.end() ? "-" : show(found->second, metric.unit);
}

std::string optional(const std::optional<double>& figure, const char* format) {
    return figure ? fmt::format(fmt::runtime(format), *figure) : "-";
}

std::string label_of(const Metric& metric, const Profiles& profiles) {
    if (metric.nvprof == "time") return fmt::format("time ({})", profiles.device.is_modelled ? "modelled" : "measured");
    const bool is_emulated =
        std::any_of(profiles.all.begin(), profiles.all.end(), [](const Profile& each) { return each.launch.has_value(); });
    return metric.nvprof == "achieved_occupancy" && is_emulated ? metric.nvprof + " (theoretical)" : metric.nvprof;
}

std::string limit_of(const Profile& profile) {
    if (profile.launch && !profile.launch->bound.empty()) return profile.launch->bound;
    return profile.throughput.side.empty() ? "-" : profile.throughput.side;
}

std::string occupancy_limit(const Profile& profile) {
    return profile.launch && !profile.launch->occupancy.limit.empty() ? profile.launch->occupancy.limit : "-";
}

void add_throughput(const Profiles& profiles, Grid* grid) {
    const auto of = [&](const auto& text) { return cells(profiles, text, [](const Profile&) { return std::string(); }); };
    const auto has = [&](std::optional<double> Throughput::*figure) {
        return std::ranges::any_of(profiles.all, [&](const Profile& each) { return (each.throughput.*figure).has_value(); });
    };
    if (has(&Throughput::gflop_per_s))
        grid->add("arithmetic", of([](const Profile& each) { return optional(each.throughput.gflop_per_s, "{:.1f} GFLOP/s"); }));
    if (has(&Throughput::gb_per_s))
        grid->add("effective bandwidth", of([](const Profile& each) { return optional(each.throughput.gb_per_s, "{:.1f} GB/s"); }));
    const auto share = [](const Profile& each) {
        const Throughput& rates = each.throughput;
        return rates.roofline ? fmt::format("{:.1f} % ({})", *rates.roofline * 100, rates.side) : "-";
    };
    if (has(&Throughput::roofline)) grid->add("share of the roofline", of(share));
    grid->add("occupancy is limited by", of(occupancy_limit));
    grid->add(profiles.device.is_modelled ? "time is limited by (model)" : "time is limited by (roofline)", of(limit_of));
}

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

std::string table(const Profiles& profiles, std::size_t width) {
    std::string text;
    for (const Profile& profile : profiles.all) text += profile.subject + "\n";
    text += fmt::format("times are {}\n\n", profiles.device.says());
    Grid grid(profiles);
    for (const Metric& metric : metrics()) {
        grid.add(label_of(metric, profiles),
                 cells(
                     profiles, [&](const Profile& each) { return value(each.figures, metric); },
                     [&](const Profile& each) { return value(*each.hardware, metric); }),
                 metric.ncu);
    }
    add_throughput(profiles, &grid);
    text += grid.text("nvprof's name", "Nsight Compute's name", width);
    for (const std::string& note : profiles.notes) text += "note: " + note + "\n";
    return text;
}

std::string source_table(const Profile& profile, std::size_t width) {
    if (!profile.launch || profile.launch->lines.empty()) return profile.title + ": no counts by line\n";
    std::map<std::string, std::map<std::size_t, Counters>> files;
    for (const trace::LineCounts& line : profile.launch->lines) files[line.file][line.line] += line.counters;
    std::string text = fmt::format("{}: requests of warps, and sectors or wavefronts a request in brackets\n", profile.title);
    for (const auto& [file, counts] : files) text += of_one_file(file, counts, width);
    return text;
}

}  // namespace lab::tools
