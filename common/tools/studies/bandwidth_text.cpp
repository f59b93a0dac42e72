#include "common/tools/studies/bandwidth_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "common/tools/studies/text_plot.h"

namespace lab::tools {
namespace {

using OrderedJson = nlohmann::ordered_json;

// Bytes by milliseconds, in 10^9 bytes a second.
double rate(double bytes, double ms) { return bytes / ms * 1e-6; }

std::string fits(const BandwidthFigures& figures) {
    constexpr const char* row = "{:<26} {:>10} {:>12} {:>12} {:>10}\n";
    std::string text = fmt::format(row, "", "alpha, us", "beta, GB/s", "n1/2", "fit's error");
    for (const PathTimes& each : figures.times) {
        const auto line = each.fitted();
        if (!line) continue;
        text += fmt::format(row, each.path->title, fmt::format("{:.2f}", line->alpha_us), fmt::format("{:.1f}", line->gb_per_s),
                            line->half_bytes > 0 ? size_text(line->half_bytes) : "-", fmt::format("{:.1f} %", 100 * line->error));
    }
    return text;
}

// One line per size, one column per path.
std::string rates(const BandwidthFigures& figures) {
    std::map<double, std::map<const Path*, double>> by_size;
    for (const PathTimes& each : figures.times) {
        for (const auto& [bytes, ms] : each.transfers) by_size[bytes][each.path] = rate(bytes * each.path->moved, ms);
    }
    std::string text = fmt::format("{:>10}", "GB/s");
    for (const PathTimes& each : figures.times) text += fmt::format(" {:>9}", fmt::format("{}", each.path->mark));
    text += '\n';
    for (const auto& [bytes, of_paths] : by_size) {
        text += fmt::format("{:>10}", size_text(bytes));
        for (const PathTimes& each : figures.times) {
            const auto found = of_paths.find(each.path);
            text += fmt::format(" {:>9}", found == of_paths.end() ? "-" : fmt::format("{:.4g}", found->second));
        }
        text += '\n';
    }
    return text;
}

std::string drawing(const BandwidthFigures& figures) {
    std::vector<Series> series;
    Axis x{"bytes of an array", true, 0, 0, size_text};
    Axis y{"GB/s", true, 0, 0, [](double value) { return value < 1000 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value); }};
    for (const PathTimes& each : figures.times) {
        Series& drawn = series.emplace_back(Series{each.path->title, each.path->mark, {}});
        for (const auto& [bytes, ms] : each.transfers) {
            const double value = rate(bytes * each.path->moved, ms);
            drawn.points.emplace_back(bytes, value);
            x.least = x.least == 0 ? bytes : std::min(x.least, bytes);
            x.most = std::max(x.most, bytes);
            y.least = y.least == 0 ? value : std::min(y.least, value);
            y.most = std::max(y.most, value);
        }
    }
    if (x.least == x.most || y.least == y.most) return {};
    return "\n" + plot(series, x, y) + fmt::format("{:12}where two coincide, the one further down this list is shown\n", "");
}

// 2 operations for 12 bytes: memory bounds saxpy, not arithmetic.
std::string saxpy_beside_its_bound(const BandwidthFigures& figures) {
    const PathTimes* const saxpy = figures.of("saxpy");
    if (saxpy == nullptr || saxpy->transfers.empty()) return {};
    const auto& [bytes, ms] = saxpy->transfers.back();
    const double moved = rate(bytes * saxpy->path->moved, ms);
    std::string text = fmt::format(
        "\nsaxpy, z = a x + y, does 2 operations for 12 bytes of memory. With arrays of {} it moves {:.1f} GB/s: {:.1f} GFLOP/s.\n",
        size_text(bytes), moved, moved / 6);
    const auto beside = [&](const std::string& what, double bound) {
        text +=
            fmt::format("  {}: {:.1f} GB/s, {:.1f} GFLOP/s; saxpy gets {:.0f} % of that\n", what, bound, bound / 6, 100 * moved / bound);
    };
    if (figures.peak_gb_per_s > 0) beside("bound by memory's clock and width", figures.peak_gb_per_s);
    if (const PathTimes* const copy = figures.of("device_to_device"); copy != nullptr && copy->fitted()) {
        beside("bound by what a copy reads and writes, twice its beta", 2 * copy->fitted()->gb_per_s);
    }
    if (figures.peak_gb_per_s > 0 && moved > figures.peak_gb_per_s)
        text += "  More than memory can give: arrays as small as these stay in a cache.\n";
    return text;
}

}  // namespace

const std::vector<Path>& paths() {
    static const std::vector<Path> all{{"host_to_device_pageable", "host to device, pageable", 'h', 1},
                                       {"host_to_device_pinned", "host to device, pinned", 'H', 1},
                                       {"device_to_host_pageable", "device to host, pageable", 'd', 1},
                                       {"device_to_host_pinned", "device to host, pinned", 'D', 1},
                                       {"device_to_device", "within the device", 'c', 1},
                                       {"saxpy", "saxpy (all that it moves)", 's', 3}};
    return all;
}

std::optional<AlphaBeta> PathTimes::fitted() const {
    if (transfers.size() < 2) return std::nullopt;
    std::vector<Transfer> moved = transfers;
    for (Transfer& each : moved) each.bytes *= path->moved;
    return fit(moved);
}

const PathTimes* BandwidthFigures::of(const std::string& id) const {
    const auto found = std::find_if(times.begin(), times.end(), [&](const PathTimes& each) { return each.path->id == id; });
    return found == times.end() ? nullptr : &*found;
}

std::string to_text(const BandwidthFigures& figures) {
    if (figures.times.empty()) return "interrupted: nothing was done yet\n";
    std::string text = fmt::format(
        "times are {}, event to event\nt = alpha + n / beta; n1/2 = alpha beta is the size that gets half of beta\n\n", figures.says);
    text += fits(figures) + "\n" + rates(figures) + drawing(figures) + saxpy_beside_its_bound(figures);
    if (figures.is_interrupted) text += "\ninterrupted: this is what was done\n";
    return text;
}

OrderedJson to_json(const BandwidthFigures& figures) {
    OrderedJson all = {{"times", figures.says}, {"peak_gb_per_s", figures.peak_gb_per_s}, {"interrupted", figures.is_interrupted}};
    all["paths"] = OrderedJson::array();
    for (const PathTimes& each : figures.times) {
        OrderedJson of_path = {{"path", each.path->id}, {"moved_bytes_a_byte", each.path->moved}};
        if (const auto line = each.fitted()) {
            of_path["alpha_us"] = line->alpha_us;
            of_path["beta_gb_per_s"] = line->gb_per_s;
            of_path["half_power_bytes"] = line->half_bytes;
            of_path["relative_error"] = line->error;
        }
        of_path["transfers"] = OrderedJson::array();
        for (const auto& [bytes, ms] : each.transfers) {
            of_path["transfers"].push_back({{"bytes", bytes}, {"ms", ms}, {"gb_per_s", rate(bytes * each.path->moved, ms)}});
        }
        all["paths"].push_back(of_path);
    }
    return all;
}

std::string size_text(double bytes) {
    constexpr double k = 1024;
    if (bytes >= k * k * k) return fmt::format("{:.4g} GiB", bytes / (k * k * k));
    if (bytes >= k * k) return fmt::format("{:.4g} MiB", bytes / (k * k));
    if (bytes >= k) return fmt::format("{:.4g} KiB", bytes / k);
    return fmt::format("{:.4g} B", bytes);
}

}  // namespace lab::tools
