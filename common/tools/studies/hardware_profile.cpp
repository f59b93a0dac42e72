#include "common/tools/studies/hardware_profile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/tools/errors.h"
#include "common/tools/hardware_counters.h"
#include "common/trace/counters.h"

namespace lab::tools {
namespace {

namespace fs = std::filesystem;

std::string metric_names() {
    std::vector<std::string> names{trace::counter_row("shared_load", "requests").profilers.ncu,
                                   trace::counter_row("shared_store", "requests").profilers.ncu};
    for (const Metric& metric : metrics()) {
        if (metric.ncu != "n/a") names.push_back(metric.ncu);
    }
    return fmt::format("{}", fmt::join(names, ","));
}

const HardwareLaunch& longest(const std::vector<HardwareLaunch>& launches) {
    const HardwareLaunch* found = &launches.front();
    const auto time = [](const HardwareLaunch& launch) {
        const auto metric = launch.metrics.find("gpu__time_duration.sum");
        return metric == launch.metrics.end() ? 0 : metric->second;
    };
    for (const HardwareLaunch& launch : launches) {
        if (time(launch) > time(*found)) found = &launch;
    }
    return *found;
}

}  // namespace

void check_ncu(const std::string& otherwise) {
    if (run({{"ncu", "--version"}, {}, {}}).ok()) return;
    throw BadInput(fmt::format(
        "the hardware's counters need ncu, which is not on PATH; it comes with the CUDA toolkit as Nsight Compute. {}", otherwise));
}

std::vector<HardwareLaunch> count_launches(const Project& project, const std::vector<std::string>& program, const std::string& metrics) {
    const fs::path csv = project.build / "profile_ncu.csv";
    fs::remove(csv);
    std::vector<std::string> words{"ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base"};
    words.insert(words.end(), {"--metrics", metrics.empty() ? metric_names() : metrics, "--log-file", csv.string()});
    words.insert(words.end(), program.begin(), program.end());
    const Ending ending = run({words, {}, {}}, {}, interrupted);
    if (!ending.ok() || !fs::exists(csv)) {
        const std::size_t tail = ending.output.size() > 2000 ? ending.output.size() - 2000 : 0;
        throw BadInput(fmt::format("--hardware: ncu ended with status {} (it needs the right to read counters):\n{}", ending.status,
                                   ending.output.substr(tail)));
    }
    return read_hardware_counters(csv);
}

Figures count_on_hardware(const Project& project, StudyRunner& runner, StudyAsk ask, const StudyDevice& device) {
    ask.warm_up = 0;
    ask.repeats = 1;
    const fs::path call = project.build / "profile_call.labtest";
    runner.save(ask, device, call);
    return figures_of_hardware(longest(count_launches(project, {runner.program().string(), "--replay", call.string()})).metrics);
}

}  // namespace lab::tools
