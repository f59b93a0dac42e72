#include "common/tools/studies/demo.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>

#include "common/report/plots/plots.h"
#include "common/tools/errors.h"
#include "common/tools/lines.h"
#include "common/tools/studies/figures.h"
#include "common/tools/studies/published_times.h"
#include "common/tools/studies/study_ask.h"
#include "common/tools/studies/study_runner.h"

namespace lab::tools {
namespace {

constexpr int runs = 5;  // and their mean, like in the source texts
constexpr int usual_side = 1024;
constexpr int max_side = 16384;

bool is_product(DemoStep step) { return step <= DemoStep::tiled_product; }
bool is_cpu(DemoStep step) { return step == DemoStep::cpu_product || step == DemoStep::cpu_transpose; }

bool has_lab(const Project& project, const std::string& lab) { return std::ranges::count(project.labs(), lab, &Lab::name) != 0; }

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

// Published time or rate of the step's kernel on a device (published_times.h); 0 if there is none.
double published(const std::string& device, DemoStep step) {
    static const std::map<DemoStep, std::string> names{{DemoStep::copy, "copy"},           {DemoStep::naive, "naive"},
                                                       {DemoStep::coalesced, "coalesced"}, {DemoStep::padded, "conflict-free"},
                                                       {DemoStep::diagonal, "diagonal"},   {DemoStep::global_product, "global"},
                                                       {DemoStep::tiled_product, "shared"}};
    for (const FidelityTable& table : published_tables()) {
        for (const FidelityRow& row : table.rows) {
            if (table.device == device && row.kernel == names.at(step)) return row.published;
        }
    }
    return 0;
}

// A device with published transposes.
struct Card {
    std::string id, name;
};

// The device itself ("m2090") if it is one, else all.
std::vector<Card> cards_for(const std::string& device) {
    std::vector<Card> cards{{"gtx280", "GTX 280"}, {"m2090", "M2090"}, {"k20x", "K20X"}};
    const auto own = std::ranges::find(cards, device, &Card::id);
    return own == cards.end() ? cards : std::vector<Card>{*own};
}

std::string published_head(const Demo& demo, bool products) {
    if (products) return "published: Tesla C2075 with copies";
    std::vector<std::string> names;
    for (const Card& card : cards_for(demo.device.id)) names.push_back(card.name);
    return fmt::format("published: {}", fmt::join(names, " / "));
}

// "24.34 ms (1664x)"; "" for none.
std::string published_figure(const Demo& demo, DemoStep step) {
    constexpr double cpu_ms = 40504.82;  // one thread of the C2075's host; source text of labs 2 and 3
    if (step == DemoStep::cpu_product) return fmt::format("{:.2f} ms", cpu_ms);
    if (step == DemoStep::cpu_transpose) return {};
    if (is_product(step)) {
        const double ms = published("c2075", step);
        return fmt::format("{:.2f} ms ({:.0f}x)", ms, cpu_ms / ms);
    }
    std::vector<std::string> rates;
    for (const Card& card : cards_for(demo.device.id)) rates.push_back(fmt::format("{:.1f}", published(card.id, step)));
    return fmt::format("{} GB/s", fmt::join(rates, " / "));
}

std::string line(const std::string& what, const std::string& time, const std::string& kind, const std::string& rate,
                 const std::string& gain) {
    return trimmed(fmt::format("{:<24}{:>14}  {:<9}{:>12}{:>10}", what, time, kind, rate, gain)) + "\n";
}

// Function and published figure of each step: columns that don't fit beside the times.
std::string line_of_source(const std::string& what, const std::string& kernel, const std::string& published) {
    return trimmed(fmt::format("{:<23}{:<23}{}", what, kernel, published)) + "\n";
}

std::string group(const Demo& demo, bool products) {
    const int side = products ? demo.side : 2 * demo.side;
    std::string text =
        line(fmt::format("{} {}x{}", products ? "product" : "transpose", side, side), "time", "", products ? "GFLOP/s" : "GB/s", "gain");
    std::string sources = line_of_source("", "function", published_head(demo, products));
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
        sources += line_of_source(std::string(name_of(row.step)), row.kernel, published_figure(demo, row.step));
    }
    return is_any ? text + "\n" + sources + "\n" : "";
}

}  // namespace

double DemoRow::mean_ms() const {
    return times_ms.empty() ? 0 : std::accumulate(times_ms.begin(), times_ms.end(), 0.0) / static_cast<double>(times_ms.size());
}

std::string table(const Demo& demo) {
    std::string text =
        fmt::format("Measured times are means of {} runs; kernels' times are {}; gain: over the CPU.\n\n", runs, demo.device.says());
    return text + group(demo, true) + group(demo, false);
}

nlohmann::ordered_json to_json(const Demo& demo) {
    nlohmann::ordered_json json{
        {"study", "demo"}, {"times", demo.device.says()}, {"size", demo.side}, {"rows", nlohmann::ordered_json::array()}};
    for (const DemoRow& row : demo.rows) {
        if (row.times_ms.empty()) continue;
        nlohmann::ordered_json entry{{"step", name_of(row.step)},      {"function", row.kernel},
                                     {"is_modelled", row.is_modelled}, {"times_ms", row.times_ms},
                                     {"mean_ms", row.mean_ms()},       {"flops", row.work.flops},
                                     {"bytes", row.work.bytes},        {"published", published_figure(demo, row.step)}};
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
    check_files(options);
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
    hand_over(table(result) + (is_whole ? "" : "interrupted: the table holds what was done\n"), to_json(result), options,
              report::plot_demo);
    return is_whole ? exit_full_marks : exit_interrupted;
}

}  // namespace lab::tools
