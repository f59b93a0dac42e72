// `lab fidelity --rows`: models the rows of a file. --measure times every kernel of the labs on the GPU, counts with ncu, and models the
// same if the emulator can be built.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "common/report/plots/plots.h"
#include "common/tools/errors.h"
#include "common/tools/process.h"
#include "common/tools/safe_files.h"
#include "common/tools/studies/hardware_profile.h"
#include "common/tools/studies/study_device.h"
#include "common/tools/terminal.h"
#include "tests/model/fidelity.h"
#include "tests/model/kernel_rows.h"

namespace lab::tools {
namespace {

using OrderedJson = nlohmann::ordered_json;
namespace fs = std::filesystem;

// The device of a file, unless another is requested.
const devices::Device& device_for(const FidelityOptions& options, const KernelRows& measured) {
    if (!options.device.empty()) return known_device(options.device);
    const std::string name = measured.about.at("device");
    for (const devices::Device& device : devices::all_devices()) {
        if (device.name == name) return device;
    }
    throw BadInput(fmt::format("{}: measured on '{}', which no device's file describes; say which to model: --device {}", options.rows,
                               name, devices::device_ids()));
}

std::string share_line(const char* what, const RowErrors& errors) {
    if (errors.rows == 0) return fmt::format("{}: no rows", what);
    return fmt::format("{}: {} rows, mean absolute error {:.1f} %, largest {} ({} at {})", what, errors.rows, 100 * errors.mean(),
                       percent_off(errors.worst->error()), errors.worst->measured->name(), errors.worst->measured->at());
}

std::string counts_text(const RowFidelity& fidelity) {
    if (fidelity.counted == 0) return "counters: the file has none\n";
    std::string text = fmt::format("counters: requests and sectors, loads and stores, equal in {} of {} rows\n",
                                   fidelity.counted - fidelity.other_counts.size(), fidelity.counted);
    constexpr std::size_t max_shown = 10;
    for (std::size_t i = 0; i < std::min(max_shown, fidelity.other_counts.size()); ++i) {
        const RowPair& pair = *fidelity.other_counts[i];
        const auto show = [](const RowCounts& counts) {
            return fmt::format("{}/{} {}/{}", counts.load_requests, counts.load_sectors, counts.store_requests, counts.store_sectors);
        };
        text += fmt::format("  {} at {}: counted {}, emulated {}\n", pair.measured->name(), pair.measured->at(),
                            show(*pair.measured->counts), show(*pair.modelled->counts));
    }
    return text;
}

std::string to_text(const std::string& head, const RowFidelity& fidelity) {
    std::string text = head;
    constexpr const char* format = "{:<30} {:>5} {:>11} {:>10}  {}\n";
    text += fmt::format(format, "kernel", "rows", "mean error", "largest", "at");
    for (const auto& [name, errors] : fidelity.of_kernel) {
        text += fmt::format(format, name, errors.rows, fmt::format("{:.1f} %", 100 * errors.mean()), percent_off(errors.worst->error()),
                            errors.worst->measured->at());
    }
    text += share_line("all", fidelity.all) + "\n";
    if (fidelity.fitted.rows != 0)
        text += fmt::format("{}\n{}\n", share_line("rows that figures were fitted on", fidelity.fitted),
                            share_line("predicted rows", fidelity.predicted));
    text += fmt::format("rows that are off by more than 50 %: {}\n", fidelity.beyond_half);
    text += fmt::format("order: {} of {} pairs of one size that differ by more than 15 % {}are kept\n", fidelity.pairs - fidelity.exchanged,
                        fidelity.pairs, fidelity.times_over == 1 ? "" : fmt::format("each of {} times ", fidelity.times_over));
    if (fidelity.times_over > 1)
        text += fmt::format("  of {} that do so the first time, {} were measured the other way round at another\n", fidelity.pairs_at_first,
                            fidelity.exchanged_by_another);
    return text + counts_text(fidelity);
}

OrderedJson to_json(const RowErrors& errors) {
    OrderedJson json = {{"rows", errors.rows}, {"mean_absolute_error", errors.mean()}};
    if (errors.worst != nullptr) json["largest"] = errors.worst->error();
    return json;
}

OrderedJson to_json(const RowFidelity& fidelity, const std::vector<RowPair>& pairs) {
    OrderedJson json = {{"all", to_json(fidelity.all)}, {"fitted", to_json(fidelity.fitted)}, {"predicted", to_json(fidelity.predicted)}};
    for (const auto& [name, errors] : fidelity.of_kernel) json["kernels"][name] = to_json(errors);
    json["beyond_half"] = fidelity.beyond_half;
    json["order"] = {{"pairs", fidelity.pairs},
                     {"exchanged", fidelity.exchanged},
                     {"times_over", fidelity.times_over},
                     {"pairs_at_first", fidelity.pairs_at_first},
                     {"exchanged_by_another", fidelity.exchanged_by_another}};
    json["counters"] = {{"rows", fidelity.counted}, {"equal", fidelity.counted - fidelity.other_counts.size()}};
    json["rows"] = OrderedJson::array();
    for (const RowPair& pair : pairs) {
        const KernelRow& row = *pair.measured;
        json["rows"].push_back({{"lab", row.lab},
                                {"kernel", row.kernel},
                                {"size", {row.size.x, row.size.y}},
                                {"block", {row.block.x, row.block.y}},
                                {"measured_ms", row.ms},
                                {"modelled_ms", pair.modelled->ms},
                                {"error", pair.error()},
                                {"fitted", pair.is_fitted}});
    }
    return json;
}

std::string asked_of_gpu(const std::string& what) {
    const Ending ending = run({{"nvidia-smi", "--query-gpu=" + what, "--format=csv,noheader", "-i", "0"}});
    return ending.ok() ? ending.output.substr(0, ending.output.find('\n')) : "unknown";
}

// Models the rows, with the emulator's build of this project.
int model_too(const Project& project, const FidelityOptions& options) {
    Command command{{(project.root / "lab").string(), "--no-install", "--backend", "emulator", "fidelity", "--rows", options.rows}};
    command.add({"--size", std::to_string(options.size), "--sample", std::to_string(options.blocks)});
    if (!options.device.empty()) command.add({"--device", options.device});
    if (!options.json.empty()) command.add({"--json", options.json});
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

int fidelity_of_rows(const Project& project, const FidelityOptions& options) {
    const KernelRows measured = read_rows(options.rows);
    const devices::Device& device = device_for(options, measured);
    const RowsRun modelled = model_rows(project, {measured.kernels(), options.size, device.found_as, options.blocks});
    const std::vector<RowPair> pairs = paired(measured, modelled.rows.rows);
    if (pairs.empty() && !modelled.is_interrupted)
        throw BadInput(fmt::format("{}: none of its rows is one that can be modelled up to size {}", options.rows, options.size));
    const RowFidelity fidelity = fidelity_of(pairs);
    std::string head = fmt::format("{}: measured on {}{}; modelled for {}", options.rows, measured.about.at("device").get<std::string>(),
                                   measured.about.contains("date") ? ", " + measured.about.at("date").get<std::string>() : "", device.id);
    head += options.blocks == 0 ? "\n" : fmt::format(", about {} blocks of each launch\n", options.blocks);
    std::string text = to_text(head, fidelity);
    if (modelled.is_interrupted) text += "interrupted: this is about the rows until then\n";
    OrderedJson json = to_json(fidelity, pairs);
    json["measured_on"] = measured.about;
    json["modelled_for"] = device.id;
    json["interrupted"] = modelled.is_interrupted;
    hand_over(text, json, options, report::plot_fidelity);
    return modelled.is_interrupted ? exit_interrupted : 0;
}

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
