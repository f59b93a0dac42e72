#include "common/tools/studies/bandwidth.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "common/emulator/devices/device.h"
#include "common/report/chart.h"
#include "common/report/plots/plots.h"
#include "common/tools/errors.h"
#include "common/tools/studies/measurement.h"
#include "common/tools/studies/study_device.h"
#include "common/tools/studies/study_output.h"

namespace lab::tools {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::uint64_t least_bytes = 4;  // saxpy needs a float

std::uint64_t size_in(const std::string& list, const std::string& word) {
    const auto wrong = [&](const char* why) {
        return BadInput(fmt::format("--sizes {}: '{}' {}; give bytes from {} up, with K, M or G for 1024 of the one before, as in 4K,1M",
                                    list, word, why, least_bytes));
    };
    if (!word.empty() && word[0] == '-') throw wrong("is negative");
    const std::size_t digits = std::min(word.size(), word.find_first_not_of("0123456789"));
    if (digits == 0 || word.size() > digits + 1) throw wrong("is no size");
    if (digits > 15) throw wrong("is too large");
    std::uint64_t bytes = std::stoull(word.substr(0, digits));
    if (digits < word.size()) {
        const std::size_t power = std::string("KMG").find(word[digits]);
        if (power == std::string::npos) throw wrong("is no size");
        bytes <<= 10 * (power + 1);
    }
    if (bytes < least_bytes) throw wrong(bytes == 0 ? "is 0" : "is too small");
    return bytes;
}

std::vector<std::uint64_t> usual_sizes(const Project& project) {
    const std::uint64_t most = project.backend == "gpu" ? 256 << 20 : 64 << 20;
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t bytes = 1024; bytes <= most; bytes *= 2) sizes.push_back(bytes);
    return sizes;
}

// Each size needs pageable and pinned host memory, and three buffers on the device, which the emulator allocates on the host as well.
void check_memory(const devices::Device* modelled, std::uint64_t most) {
    const auto mib = [](std::uint64_t bytes) { return bytes >> 20; };
    if (modelled != nullptr && most > modelled->memory_bytes / 3) {
        throw BadInput(fmt::format("--sizes takes three arrays of {} MiB on the device: the {} MiB of {} are less", mib(most),
                                   mib(modelled->memory_bytes), modelled->id));
    }
    const std::uint64_t buffers = modelled != nullptr ? 5 : 2;
    if (const auto available = available_memory(); available && most > *available / buffers) {
        throw BadInput(fmt::format("--sizes takes {} buffers of {} MiB in this machine's memory: {} MiB are free", buffers, mib(most),
                                   mib(*available)));
    }
}

BandwidthFigures bandwidth_figures(const Measured& measured) {
    BandwidthFigures figures;
    figures.is_interrupted = measured.is_interrupted;
    if (measured.about.is_object()) figures.peak_gb_per_s = measured.about.value("peak_gb_per_s", 0.0);
    for (const Path& path : paths()) {
        PathTimes times{&path, {}};
        for (const auto& result : measured.results) {
            if (result.at("path") == path.id) times.transfers.push_back({result.at("bytes"), result.at("ms")});
        }
        if (!times.transfers.empty()) figures.times.push_back(std::move(times));
    }
    return figures;
}

// Bytes by milliseconds, in 10^9 bytes a second.
double rate(double bytes, double ms) { return bytes / ms * 1e-6; }

std::string fits(const BandwidthFigures& figures) {
    constexpr const char* row = "{:<26} {:>10} {:>12} {:>12} {:>10}\n";
    std::string text = fmt::format(row, "", "alpha, us", "beta, GB/s", "n1/2", "fit's error");
    for (const PathTimes& each : figures.times) {
        const auto line = each.fitted();
        if (!line) continue;
        text += fmt::format(row, each.path->title, fmt::format("{:.2f}", line->alpha_us), fmt::format("{:.1f}", line->gb_per_s),
                            line->half_bytes > 0 ? report::bytes_text(line->half_bytes) : "-", fmt::format("{:.1f} %", 100 * line->error));
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
        text += fmt::format("{:>10}", report::bytes_text(bytes));
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
    report::Range sizes, rates;
    for (const PathTimes& each : figures.times) {
        Series& drawn = series.emplace_back(Series{each.path->title, each.path->mark, {}});
        for (const auto& [bytes, ms] : each.transfers) {
            const double value = rate(bytes * each.path->moved, ms);
            drawn.points.emplace_back(bytes, value);
            sizes.add(bytes);
            rates.add(value);
        }
    }
    if (sizes.least == sizes.most || rates.least == rates.most) return {};
    const auto rate_text = [](double value) { return value < 1000 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value); };
    const Axis x{"bytes of an array", true, sizes.least, sizes.most, report::bytes_text};
    const Axis y{"GB/s", true, rates.least, rates.most, rate_text};
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
        report::bytes_text(bytes), moved, moved / 6);
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

std::vector<std::uint64_t> sizes_in(const std::string& list) {
    std::vector<std::uint64_t> sizes;
    std::istringstream words(list + ",");
    for (std::string word; std::getline(words, word, ',');) sizes.push_back(size_in(list, word));
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    if (sizes.size() < 2)
        throw BadInput(fmt::format("--sizes {}: give two different sizes or more, as a line is fitted through them", list));
    return sizes;
}

int bandwidth(const Project& project, const BandwidthOptions& options) {
    const bool is_gpu = project.backend == "gpu";
    if (is_gpu && !options.device.empty()) {
        throw BadInput(fmt::format("--device {}: the GPU that is there is measured; to model another: ./lab --backend emulator bandwidth",
                                   options.device));
    }
    check_repeats(options.repeats);
    check_files(options);
    const devices::Device* const modelled = is_gpu ? nullptr : &known_device(options.device);
    const std::vector<std::uint64_t> sizes = options.sizes.empty() ? usual_sizes(project) : sizes_in(options.sizes);
    check_memory(modelled, sizes.back());

    Measurement measurement;
    measurement.file = "common/tools/studies/bandwidth.cu";
    // A modelled time is always the same.
    measurement.arguments = {fmt::format("{}", fmt::join(sizes, ",")), std::to_string(is_gpu ? options.repeats : 1)};
    measurement.device = modelled == nullptr ? "" : modelled->found_as;
    measurement.without_gpu = "; without one, ./lab --backend emulator bandwidth models one";
    measurement.planned = sizes.size() * paths().size();
    measurement.progress = [](const nlohmann::json& result) {
        return fmt::format("bandwidth · {} · {}", result.at("path").get<std::string>(),
                           report::bytes_text(result.at("bytes").get<double>()));
    };
    const Measured measured = measure(project, measurement);
    BandwidthFigures figures = bandwidth_figures(measured);
    if (measured.about.is_object()) {
        figures.says = modelled == nullptr ? "measured on " + measured.about.value("device", "") : "modelled for " + modelled->id;
    }
    hand_over(to_text(figures), to_json(figures), options, report::plot_bandwidth);
    return figures.is_interrupted ? exit_interrupted : 0;
}

AlphaBeta fit(const std::vector<Transfer>& transfers) {
    // Minimises the sum of ((a + b n - t) / t)^2 over a and b: two linear equations, with weights 1 / t^2.
    double w = 0, wn = 0, wnn = 0, wt = 0, wnt = 0;
    for (const auto& [n, t] : transfers) {
        const double weight = 1 / (t * t);
        w += weight;
        wn += weight * n;
        wnn += weight * n * n;
        wt += weight * t;
        wnt += weight * n * t;
    }
    const double determinant = w * wnn - wn * wn;
    const double a = (wt * wnn - wnt * wn) / determinant;  // ms
    const double b = (w * wnt - wn * wt) / determinant;    // ms a byte
    double squares = 0;
    for (const auto& [n, t] : transfers) squares += std::pow((a + b * n - t) / t, 2);
    return {a * 1e3, 1e-6 / b, a / b, std::sqrt(squares / static_cast<double>(transfers.size()))};
}

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

}  // namespace lab::tools
