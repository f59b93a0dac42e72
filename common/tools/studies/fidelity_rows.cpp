// `lab fidelity --rows`: models the rows of a file.
#include <fmt/format.h>

#include <algorithm>

#include "common/report/plots/plots.h"
#include "common/tools/errors.h"
#include "common/tools/studies/fidelity.h"
#include "common/tools/studies/kernel_rows.h"
#include "common/tools/studies/kernel_rows_runs.h"
#include "common/tools/studies/study_device.h"
#include "common/tools/studies/study_output.h"

namespace lab::tools {
namespace {

using OrderedJson = nlohmann::ordered_json;

std::string signed_percent(double share) { return fmt::format("{:+.1f} %", 100 * share); }

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
                       signed_percent(errors.worst->error()), errors.worst->measured->name(), errors.worst->measured->at());
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
        text += fmt::format(format, name, errors.rows, fmt::format("{:.1f} %", 100 * errors.mean()), signed_percent(errors.worst->error()),
                            errors.worst->measured->at());
    }
    text += share_line("all", fidelity.all) + "\n";
    if (fidelity.fitted.rows != 0)
        text += share_line("rows that figures were fitted on", fidelity.fitted) + "\n" + share_line("predicted rows", fidelity.predicted) +
                "\n";
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
    hand_over(text, json, {options.json, options.svg}, report::plot_fidelity);
    return modelled.is_interrupted ? exit_interrupted : 0;
}

}  // namespace lab::tools
