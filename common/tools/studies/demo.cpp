#include "common/tools/studies/demo.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>

#include "common/report/plots/plots.h"
#include "common/tools/errors.h"
#include "common/tools/studies/block_shapes.h"
#include "common/tools/studies/figures.h"
#include "common/tools/studies/study_output.h"
#include "common/tools/studies/study_runner.h"

namespace lab::tools {
namespace {

constexpr int runs = 5;  // and their mean, like in the source texts
constexpr int usual_side = 1024;
constexpr int max_side = 16384;

bool is_product(DemoStep step) { return step <= DemoStep::tiled_product; }
bool is_cpu(DemoStep step) { return step == DemoStep::cpu_product || step == DemoStep::cpu_transpose; }

bool has_lab(const Project& project, const std::string& lab) {
    const std::vector<Lab> labs = project.labs();
    return std::any_of(labs.begin(), labs.end(), [&](const Lab& each) { return each.name() == lab; });
}

StudyAsk ask_for_step(const StudyKernel& kernel, int side, const StudyDevice& device) {
    const int own_side = is_product(*kernel.demo_step) ? side : 2 * side;
    StudyAsk ask = ask_for(kernel, {std::to_string(own_side), "float", true}, device);
    if (!kernel.is_on_host) ask.block = block_for(kernel, "", ask.size, device);
    // A GPU that was idle during the CPU's runs is slow at first: after a single launch the copy took 0.025 ms on an H200, after many
    // 0.016.
    ask.warm_up = kernel.is_on_host ? 0 : 50;
    return ask;
}

// Calls of each kernel of the present labs. A transpose on the CPU alone shows no speed-up.
std::vector<StudyAsk> asks_for(const Project& project, int side, const StudyDevice& device) {
    const auto is_there = [&](const StudyKernel& kernel) { return has_lab(project, kernel.lab); };
    const std::vector<StudyKernel>& kernels = demo_kernels();
    const bool has_transposes = std::any_of(kernels.begin(), kernels.end(), [&](const StudyKernel& kernel) {
        return !is_product(*kernel.demo_step) && !kernel.is_on_host && is_there(kernel);
    });
    std::vector<StudyAsk> asks;
    for (const StudyKernel& kernel : kernels) {
        if (is_there(kernel) && (is_product(*kernel.demo_step) || has_transposes)) asks.push_back(ask_for_step(kernel, side, device));
    }
    return asks;
}

// Five runs, or one if the time is modelled and thus constant. False when interrupted.
bool run_step(StudyRunner& runner, StudyAsk ask, Progress& progress, Demo* demo, DemoRow* row) {
    if (row->is_modelled) ask.warm_up = 0;
    for (int run = 0; run < (row->is_modelled ? 1 : runs); ++run) {
        progress.show(fmt::format("{} ({}), run {} of {}", name_of(row->step), row->kernel, run + 1, row->is_modelled ? 1 : runs));
        StudyDevice cpu;  // tells nothing about the GPU
        const StudyResult result = runner.run(ask, is_cpu(row->step) ? &cpu : &demo->device);
        if (result.stopped) return false;
        row->times_ms.insert(row->times_ms.end(), result.times_ms.begin(), result.times_ms.end());
    }
    return true;
}

std::string line(const std::string& what, const std::string& time, const std::string& kind, const std::string& rate,
                 const std::string& gain) {
    const std::string text = fmt::format("{:<24}{:>14}  {:<9}{:>12}{:>10}", what, time, kind, rate, gain);
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

// Function and published figure of each step: columns that don't fit beside the times.
std::string line_of_source(const std::string& what, const std::string& kernel, const std::string& published) {
    const std::string text = fmt::format("{:<23}{:<23}{}", what, kernel, published);
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

std::string group(const Demo& demo, bool products, const PublishedFor& published) {
    const int side = products ? demo.side : 2 * demo.side;
    std::string text =
        line(fmt::format("{} {}x{}", products ? "product" : "transpose", side, side), "time", "", products ? "GFLOP/s" : "GB/s", "gain");
    std::string sources = line_of_source("", "function", "published: " + (products ? published.product_head : published.transpose_head));
    double cpu_ms = 0;
    bool is_any = false;
    for (const DemoRow& row : demo.rows) {
        if (is_product(row.step) != products || row.times_ms.empty()) continue;
        is_any = true;
        if (is_cpu(row.step)) cpu_ms = row.mean_ms();
        const double rate = (products ? row.work.flops : row.work.bytes) / row.mean_ms() * 1e-6;
        const std::string gain = is_cpu(row.step) || cpu_ms <= 0 ? "" : fmt::format("{:.0f}x", cpu_ms / row.mean_ms());
        text += line(std::string(name_of(row.step)), fmt::format("{:.4f} ms", row.mean_ms()), row.is_modelled ? "modelled" : "measured",
                     fmt::format("{:.1f}", rate), gain);
        sources += line_of_source(std::string(name_of(row.step)), row.kernel, published.figure(row.step));
    }
    return is_any ? text + "\n" + sources + "\n" : "";
}

}  // namespace

double DemoRow::mean_ms() const {
    return times_ms.empty() ? 0 : std::accumulate(times_ms.begin(), times_ms.end(), 0.0) / static_cast<double>(times_ms.size());
}

std::string table(const Demo& demo) {
    const PublishedFor published = published_for(demo.device.id);
    std::string text =
        fmt::format("Measured times are means of {} runs; kernels' times are {}; gain: over the CPU.\n\n", runs, demo.device.says());
    return text + group(demo, true, published) + group(demo, false, published);
}

nlohmann::ordered_json to_json(const Demo& demo) {
    const PublishedFor published = published_for(demo.device.id);
    nlohmann::ordered_json json{
        {"study", "demo"}, {"times", demo.device.says()}, {"size", demo.side}, {"rows", nlohmann::ordered_json::array()}};
    for (const DemoRow& row : demo.rows) {
        if (row.times_ms.empty()) continue;
        nlohmann::ordered_json entry{{"step", name_of(row.step)},      {"function", row.kernel},
                                     {"is_modelled", row.is_modelled}, {"times_ms", row.times_ms},
                                     {"mean_ms", row.mean_ms()},       {"flops", row.work.flops},
                                     {"bytes", row.work.bytes},        {"published", published.figure(row.step)}};
        json["rows"].push_back(std::move(entry));
    }
    return json;
}

int demo(const Project& project, const DemoOptions& options) {
    const Size size = options.size.empty() ? Size{usual_side, usual_side} : parse_size(options.size, "--size");
    if (size.x != size.y) throw BadInput(fmt::format("--size {}: give one number, the side of the square matrices", options.size));
    if (size.x > max_side) throw BadInput(fmt::format("--size {}: at most {}, or the CPU's part takes hours", options.size, max_side));
    Demo result;
    result.side = size.x;
    result.device = study_device(project, options.device);
    const std::vector<StudyAsk> asks = asks_for(project, result.side, result.device);
    check_files({options.json, options.svg});
    keep_going_on_interrupt();
    bool is_whole = true;
    {
        Progress progress;
        std::map<std::string, std::unique_ptr<StudyRunner>> runners;
        for (const StudyAsk& ask : asks) {
            const StudyKernel& kernel = *ask.kernel;
            auto& runner = runners[kernel.lab];
            if (!runner) runner = std::make_unique<StudyRunner>(project, kernel.lab, !options.is_own, Audience{progress, interrupted});
            DemoRow row;
            row.step = *kernel.demo_step;
            row.kernel = fmt::format("{}/{}", kernel.lab, kernel.name);
            row.is_modelled = !kernel.is_on_host && result.device.is_modelled;
            row.work = ask.work();
            is_whole = run_step(*runner, ask, progress, &result, &row);
            result.rows.push_back(std::move(row));
            if (!is_whole) break;
        }
    }
    hand_over(table(result) + (is_whole ? "" : "interrupted: the table holds what was done\n"), to_json(result),
              {options.json, options.svg}, report::plot_demo);
    return is_whole ? exit_full_marks : exit_interrupted;
}

}  // namespace lab::tools
