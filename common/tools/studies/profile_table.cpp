// The table of `lab profile`: one line a metric, one column a kernel.
#include <fmt/format.h>

#include <algorithm>

#include "common/tools/studies/profile.h"

namespace lab::tools {
namespace {

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
        return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
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
    const auto has = [&](const auto& figure) {
        return std::any_of(profiles.all.begin(), profiles.all.end(),
                           [&](const Profile& each) { return figure(each.throughput).has_value(); });
    };
    const auto flops = [](const Throughput& each) { return each.gflop_per_s; };
    const auto bytes = [](const Throughput& each) { return each.gb_per_s; };
    const auto share = [](const Throughput& each) { return each.roofline; };
    if (has(flops))
        grid->add("arithmetic", of([](const Profile& each) { return optional(each.throughput.gflop_per_s, "{:.1f} GFLOP/s"); }));
    if (has(bytes))
        grid->add("effective bandwidth", of([](const Profile& each) { return optional(each.throughput.gb_per_s, "{:.1f} GB/s"); }));
    if (has(share)) {
        grid->add("share of the roofline", of([](const Profile& each) {
                      return each.throughput.roofline ? fmt::format("{:.1f} % ({})", *each.throughput.roofline * 100, each.throughput.side)
                                                      : "-";
                  }));
    }
    grid->add("occupancy is limited by", of(occupancy_limit));
    grid->add(profiles.device.is_modelled ? "time is limited by (model)" : "time is limited by (roofline)", of(limit_of));
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

}  // namespace lab::tools
