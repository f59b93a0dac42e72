#include "common/tools/studies/latency.h"

#include <fmt/format.h>

#include "common/emulator/devices/compute_capability.h"
#include "common/report/plots/plots.h"
#include "common/tools/errors.h"
#include "common/tools/studies/latency_text.h"
#include "common/tools/studies/measurement.h"
#include "common/tools/studies/study_output.h"

namespace lab::tools {
namespace {

constexpr std::int64_t max_repeats = 1000;
constexpr std::size_t cells = 4 * 13;  // as latency.cu measures

LatencyFigures figures_of(const Measured& measured) {
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

}  // namespace

int latency(const Project& project, const LatencyOptions& options) {
    if (project.backend != "gpu") {
        throw BadInput(
            "latency is measured on a GPU: the emulator counts instructions and has no cycles; with a GPU: ./lab --backend gpu latency");
    }
    if (options.repeats < 1 || options.repeats > max_repeats) {
        throw BadInput(fmt::format("--repeats {}: give 1 to {}", options.repeats, max_repeats));
    }
    check_files({options.json, options.svg});
    Measurement measurement;
    measurement.file = "latency.cu";
    measurement.arguments = {std::to_string(options.repeats)};
    measurement.without_gpu = "; latency is measured on a GPU only";
    measurement.planned = cells;
    measurement.progress = [](const nlohmann::json& result) {
        return fmt::format("latency · {} chains · {} warps", result.at("chains").get<int>(), result.at("warps").get<int>());
    };
    const LatencyFigures figures = figures_of(measure(project, measurement));
    hand_over(to_text(figures), to_json(figures), {options.json, options.svg}, report::plot_latency);
    return figures.is_interrupted ? exit_interrupted : 0;
}

}  // namespace lab::tools
