#include "tests/model/fidelity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/report/plots/plots.h"
#include "common/tools/errors.h"
#include "common/tools/studies/measurement.h"
#include "common/tools/studies/study_device.h"

namespace lab::tools {
namespace {

using OrderedJson = nlohmann::ordered_json;

// False when interrupted; the rows so far are set.
bool model(const Project& project, FidelityTable* table) {
    Measurement measurement;
    measurement.file = "tests/model/fidelity.cu";
    measurement.arguments = {table->program};
    measurement.device = table->device;
    measurement.planned = table->rows.size();
    measurement.progress = [&](const nlohmann::json& result) {
        return fmt::format("fidelity · {} · {}", table->device, result.at("kernel").get<std::string>());
    };
    const Measured measured = measure(project, measurement);
    for (const auto& result : measured.results) {
        const auto kernel = result.at("kernel").get<std::string>();
        for (FidelityRow& row : table->rows) {
            if (row.kernel == kernel) row.modelled = table->figure(result.at("ms"));
        }
    }
    return !measured.is_interrupted;
}

std::string mean(const std::optional<double>& share) { return share ? fmt::format("{:.1f} %", 100 * *share) : "-"; }

std::string to_text(const FidelityTable& table) {
    std::string text = fmt::format("{}: {}, {}\n  {}\n", table.device, table.what, table.unit(), table.source);
    constexpr const char* row_format = "  {:<36} {:>10} {:>10} {:>9}\n";
    text += fmt::format(row_format, "", "published", "modelled", "error");
    for (const FidelityRow& row : table.rows) {
        const std::string name = row.kernel + (row.is_fitted ? " (fitted)" : "");
        const bool is_there = row.modelled.has_value();
        text += fmt::format(row_format, name, fmt::format("{:.2f}", row.published), is_there ? fmt::format("{:.2f}", *row.modelled) : "-",
                            is_there ? percent_off(row.error()) : "-");
    }
    const Fidelity fidelity = fidelity_of(table);
    if (fidelity.worst == nullptr) return text + "\n";
    text += fmt::format("  mean absolute error: predicted rows {}, fitted rows {}, all {}; largest {} ({})\n", mean(fidelity.predicted),
                        mean(fidelity.fitted), mean(fidelity.all), percent_off(fidelity.worst->error()), fidelity.worst->kernel);
    text += fmt::format("  order: {} of {} pairs that differ by more than 10 % are kept\n", fidelity.pairs - fidelity.exchanged.size(),
                        fidelity.pairs);
    for (const auto& [larger, smaller] : fidelity.exchanged) text += fmt::format("    not {} above {}\n", larger, smaller);
    return text + "\n";
}

OrderedJson or_null(const std::optional<double>& value) { return value ? OrderedJson(*value) : OrderedJson(); }

OrderedJson to_json(const FidelityTable& table) {
    OrderedJson json = {{"device", table.device}, {"what", table.what}, {"source", table.source}, {"unit", table.unit()}};
    for (const FidelityRow& row : table.rows) {
        OrderedJson each = {
            {"kernel", row.kernel}, {"published", row.published}, {"modelled", or_null(row.modelled)}, {"fitted", row.is_fitted}};
        if (row.modelled) each["error"] = row.error();
        json["rows"].push_back(each);
    }
    const Fidelity fidelity = fidelity_of(table);
    json["mean_absolute_error"] = {
        {"predicted", or_null(fidelity.predicted)}, {"fitted", or_null(fidelity.fitted)}, {"all", or_null(fidelity.all)}};
    json["order"] = {{"pairs", fidelity.pairs}, {"exchanged", fidelity.exchanged}};
    return json;
}

std::vector<FidelityTable> chosen(const FidelityOptions& options) {
    std::vector<FidelityTable> tables = published_tables();
    if (options.device.empty()) return tables;
    const std::string id = known_device(options.device).id;
    std::string known;
    for (const FidelityTable& table : tables) {
        if (known.find(table.device) == std::string::npos) known += (known.empty() ? "" : ", ") + table.device;
    }
    tables.erase(std::remove_if(tables.begin(), tables.end(), [&](const FidelityTable& table) { return table.device != id; }),
                 tables.end());
    if (tables.empty()) throw BadInput(fmt::format("--device {}: no published table is about it; there are tables about {}", id, known));
    return tables;
}

}  // namespace

std::string percent_off(double share) { return fmt::format("{:+.1f} %", 100 * share); }

int fidelity(const Project& project, const FidelityOptions& options) {
    if (options.measures) return measure_rows(project, options);
    if (!options.kernels.empty())
        throw BadInput("--kernels says what --measure times; what --rows models the file says itself, in its first line");
    if (project.backend == "gpu") {
        throw BadInput("fidelity compares what the emulator models with published times; ./lab --backend emulator fidelity");
    }
    check_files(options);
    if (!options.rows.empty()) return fidelity_of_rows(project, options);
    std::vector<FidelityTable> tables = chosen(options);
    bool is_whole = true;
    for (FidelityTable& table : tables) is_whole = is_whole && model(project, &table);
    std::string text;
    OrderedJson json = {{"times", "modelled"}, {"interrupted", !is_whole}};
    for (const FidelityTable& table : tables) {
        text += to_text(table);
        json["tables"].push_back(to_json(table));
    }
    hand_over(text, json, options, report::plot_fidelity);
    return is_whole ? 0 : exit_interrupted;
}

Fidelity fidelity_of(const FidelityTable& table) {
    Fidelity result;
    double sums[2] = {};
    std::size_t counts[2] = {};
    for (const FidelityRow& row : table.rows) {
        if (!row.modelled) continue;
        sums[row.is_fitted ? 1 : 0] += std::abs(row.error());
        ++counts[row.is_fitted ? 1 : 0];
        if (result.worst == nullptr || std::abs(row.error()) > std::abs(result.worst->error())) result.worst = &row;
        for (const FidelityRow& other : table.rows) {
            constexpr double differs = 1.1;
            if (!other.modelled || row.published <= differs * other.published) continue;
            ++result.pairs;
            if (*row.modelled <= *other.modelled) result.exchanged.emplace_back(row.kernel, other.kernel);
        }
    }
    const auto mean = [](double sum, std::size_t count) { return count == 0 ? std::optional<double>() : sum / static_cast<double>(count); };
    result.predicted = mean(sums[0], counts[0]);
    result.fitted = mean(sums[1], counts[1]);
    result.all = mean(sums[0] + sums[1], counts[0] + counts[1]);
    return result;
}

}  // namespace lab::tools
