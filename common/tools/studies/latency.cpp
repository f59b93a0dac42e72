#include "common/tools/studies/latency.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "common/emulator/devices/compute_capability.h"
#include "common/report/plots/plots.h"
#include "common/tools/errors.h"
#include "common/tools/studies/measurement.h"
#include "common/tools/studies/study_output.h"

namespace lab::tools {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t planned_cells = 4 * 13;  // as latency.cu measures

LatencyFigures latency_figures(const Measured& measured) {
    LatencyFigures figures;
    figures.is_interrupted = measured.is_interrupted;
    if (!measured.about.is_object()) return figures;
    figures.device = measured.about.value("device", "");
    const auto limits = devices::limits_of(measured.about.value("major", 0), measured.about.value("minor", 0));
    if (limits) figures.peak = limits->fp32_per_clock;
    for (const auto& result : measured.results) {
        figures.cells.push_back({result.at("chains"), result.at("warps"), result.at("steps"), result.at("cycles")});
    }
    return figures;
}

constexpr double hidden = 0.9;  // share of the peak at which latency counts as hidden
constexpr std::array<char, 4> marks{'1', '2', '3', '4'};

std::string times(int chains) { return fmt::format("{} chain{}", chains, chains == 1 ? "" : "s"); }

std::string shares(const LatencyFigures& figures) {
    std::map<int, std::map<int, double>> by_warps;
    for (const LatencyCell& cell : figures.cells) by_warps[cell.warps][cell.chains] = figures.share(cell);
    std::string text = fmt::format("{:>8}", "warps");
    for (int chains = 1; chains <= 4; ++chains) text += fmt::format(" {:>9}", times(chains));
    text += '\n';
    for (const auto& [warps, of_chains] : by_warps) {
        text += fmt::format("{:>8}", warps);
        for (int chains = 1; chains <= 4; ++chains) {
            const auto found = of_chains.find(chains);
            text += fmt::format(" {:>9}", found == of_chains.end() ? "-" : fmt::format("{:.0f} %", 100 * found->second));
        }
        text += '\n';
    }
    return text;
}

std::string drawing(const LatencyFigures& figures) {
    std::vector<Series> series;
    for (int chains = 1; chains <= 4; ++chains) {
        Series& drawn = series.emplace_back(Series{times(chains), marks[static_cast<std::size_t>(chains - 1)], {}});
        for (const LatencyCell& cell : figures.cells) {
            if (cell.chains == chains) drawn.points.emplace_back(cell.warps, 100 * std::min(1.0, figures.share(cell)));
        }
    }
    const Axis x{"warps on the SM", false, 0, 32, [](double value) { return fmt::format("{:.0f}", value); }};
    const Axis y{"of peak", false, 0, 100, [](double value) { return fmt::format("{:.0f} %", value); }};
    return plot(series, x, y) + fmt::format("{:12}where two coincide, the one further down this list is shown\n", "");
}

// Little's law: outstanding operations are latency times throughput.
std::string in_flight(const LatencyFigures& figures) {
    const auto latency = figures.latency();
    if (!latency || figures.peak == 0) return {};
    const double operations = *latency * figures.peak;
    std::string text = fmt::format("{:.1f} cycles, {:.0f} a clock: {:.0f} operations in flight hide it, {:.1f} warps of one chain\n",
                                   *latency, figures.peak, operations, operations / 32);
    for (int chains = 1; chains <= 4; ++chains) {
        const auto needed = figures.warps_needed(chains);
        text += fmt::format("  {}: {:.1f} warps by that, {} measured for 90 % of the peak\n", times(chains), operations / 32 / chains,
                            needed ? std::to_string(*needed) : "more than were");
    }
    return text;
}

}  // namespace

int latency(const Project& project, const LatencyOptions& options) {
    if (project.backend != "gpu") {
        throw BadInput(
            "latency is measured on a GPU: the emulator counts instructions and has no cycles; with a GPU: ./lab --backend gpu latency");
    }
    check_repeats(options.repeats);
    check_files(options);
    Measurement measurement;
    measurement.file = "common/tools/studies/latency.cu";
    measurement.arguments = {std::to_string(options.repeats)};
    measurement.without_gpu = "; latency is measured on a GPU only";
    measurement.planned = planned_cells;
    measurement.progress = [](const nlohmann::json& result) {
        return fmt::format("latency · {} chains · {} warps", result.at("chains").get<int>(), result.at("warps").get<int>());
    };
    const LatencyFigures figures = latency_figures(measure(project, measurement));
    hand_over(to_text(figures), to_json(figures), options, report::plot_latency);
    return figures.is_interrupted ? exit_interrupted : 0;
}

std::optional<double> LatencyFigures::latency() const {
    for (const LatencyCell& cell : cells) {
        if (cell.chains == 1 && cell.warps == 1) return cell.cycles_a_step();
    }
    return std::nullopt;
}

double LatencyFigures::share(const LatencyCell& cell) const {
    double whole = peak;
    if (whole == 0) {
        for (const LatencyCell& each : cells) whole = std::max(whole, each.fma_per_clock());
    }
    return cell.fma_per_clock() / whole;
}

std::optional<int> LatencyFigures::warps_needed(int chains) const {
    std::optional<int> fewest;
    for (const LatencyCell& cell : cells) {
        if (cell.chains == chains && share(cell) >= hidden && (!fewest || cell.warps < *fewest)) fewest = cell.warps;
    }
    return fewest;
}

std::string to_text(const LatencyFigures& figures) {
    if (figures.cells.empty()) return "interrupted: nothing was done yet\n";
    std::string text = fmt::format("x = a x + b in chains, one block on one SM; measured on {}\n", figures.device);
    if (const auto latency = figures.latency())
        text += fmt::format("one warp, one chain: {:.2f} cycles from one fma to the next\n", *latency);
    text += figures.peak > 0 ? fmt::format("\nshare of the peak, {:.0f} fma a clock:\n", figures.peak)
                             : "\nshare of the best that was measured, as the peak of this GPU is not known here:\n";
    text += shares(figures) + "\n" + drawing(figures);
    if (const std::string needed = in_flight(figures); !needed.empty()) text += "\n" + needed;
    if (figures.is_interrupted) text += "\ninterrupted: this is what was done\n";
    return text;
}

OrderedJson to_json(const LatencyFigures& figures) {
    OrderedJson all = {
        {"times", "measured on " + figures.device}, {"interrupted", figures.is_interrupted}, {"peak_fma_per_clock", figures.peak}};
    if (const auto latency = figures.latency()) {
        all["latency_cycles"] = *latency;
        all["operations_in_flight"] = *latency * figures.peak;
    }
    all["cells"] = OrderedJson::array();
    for (const LatencyCell& cell : figures.cells) {
        all["cells"].push_back({{"chains", cell.chains},
                                {"warps", cell.warps},
                                {"steps", cell.steps},
                                {"cycles", cell.cycles},
                                {"cycles_a_step", cell.cycles_a_step()},
                                {"fma_per_clock", cell.fma_per_clock()},
                                {"share", figures.share(cell)}});
    }
    return all;
}

}  // namespace lab::tools
