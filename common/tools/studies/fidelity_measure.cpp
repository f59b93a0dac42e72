// `lab fidelity --measure`: times every kernel of the labs on the GPU, counts with ncu, and models the same if the emulator can be built.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "common/tools/errors.h"
#include "common/tools/process.h"
#include "common/tools/progress.h"
#include "common/tools/safe_files.h"
#include "common/tools/studies/fidelity.h"
#include "common/tools/studies/hardware_profile.h"
#include "common/tools/studies/kernel_rows_runs.h"

namespace lab::tools {
namespace {

namespace fs = std::filesystem;

std::string asked_of_gpu(const std::string& what) {
    const Ending ending = run({{"nvidia-smi", "--query-gpu=" + what, "--format=csv,noheader", "-i", "0"}, {}, {}});
    return ending.ok() ? ending.output.substr(0, ending.output.find('\n')) : "unknown";
}

// Models the rows, with the emulator's build of this project.
int model_too(const Project& project, const FidelityOptions& options) {
    Command command{{(project.root / "lab").string(), "--no-install", "--backend", "emulator", "fidelity", "--rows", options.rows}, {}, {}};
    const auto add = [&](const std::vector<std::string>& words) { command.words.insert(command.words.end(), words.begin(), words.end()); };
    add({"--size", std::to_string(options.size), "--sample", std::to_string(options.blocks)});
    if (!options.device.empty()) add({"--device", options.device});
    if (!options.json.empty()) add({"--json", options.json});
    const Ending ending = run(command, {}, interrupted);
    if (interrupted()) return exit_interrupted;
    if (!ending.ok()) {
        const std::size_t line = ending.output.find_last_not_of('\n');
        const std::size_t begin = line == std::string::npos ? 0 : ending.output.rfind('\n', line) + 1;
        fmt::print("not modelled here: {}\nwhere clang is: ./lab fidelity --rows FILE\n", ending.output.substr(begin, line + 1 - begin));
        return 0;
    }
    fmt::print("{}", ending.output);
    return 0;
}

}  // namespace

int measure_rows(const Project& project, const FidelityOptions& options) {
    if (project.backend != "gpu") throw BadInput("--measure needs a GPU and nvcc: ./lab --backend gpu fidelity --measure, where they are");
    FidelityOptions all = options;
    if (all.rows.empty()) all.rows = (project.build / "kernel_rows.jsonl").string();
    const fs::path file = fs::absolute(all.rows);
    replace_file(file, "");  // reports now whether it can be written
    const auto keep = [&](const KernelRows& rows) { replace_file(file, to_lines(rows)); };
    const std::string kernels = all.kernels.empty() ? "labs" : all.kernels;
    const nlohmann::json about = {{"kernels", kernels},
                                  {"device", asked_of_gpu("name")},
                                  {"driver", asked_of_gpu("driver_version")},
                                  {"date", fmt::format("{:%F}", fmt::gmtime(std::time(nullptr)))}};
    RowsRun timed = time_rows(project, all.size, about, [&](const KernelRows& so_far) {
        constexpr std::size_t often = 20;  // whole files: each is longer than the last
        if (so_far.rows.size() % often == 0) keep(so_far);
    });
    keep(timed.rows);
    // Short launches vary by some hundredths between measurements; an order counts only if it is the same in each.
    constexpr int times_over = 3;
    for (int time = 1; time < times_over && !timed.is_interrupted; ++time) {
        const RowsRun again = time_rows(project, all.size, about, [](const KernelRows&) {});
        add_times(again.rows.rows, &timed.rows.rows);
        timed.is_interrupted = again.is_interrupted;
        keep(timed.rows);
    }
    fmt::print("{} rows measured on {}: {}\n", timed.rows.rows.size(), timed.rows.about.value("device", "this GPU"), all.rows);
    if (timed.is_interrupted) return exit_interrupted;
    try {
        check_ncu("The times are there without it.");
        Progress progress;
        progress.show("ncu counts the same launches");
        count_rows(project, all.size, &timed.rows);
        keep(timed.rows);
    } catch (const BadInput& problem) {
        if (interrupted()) return exit_interrupted;
        fmt::print("no counters: {}\n", problem.what());
    }
    return model_too(project, all);
}

}  // namespace lab::tools
