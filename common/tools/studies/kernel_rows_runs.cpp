#include "common/tools/studies/kernel_rows_runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/emulator/machine/demangle.h"
#include "common/tools/errors.h"
#include "common/tools/own_file.h"
#include "common/tools/run_program.h"
#include "common/tools/studies/hardware_profile.h"
#include "common/tools/studies/measurement.h"
#include "common/tools/studies/program_launches.h"
#include "common/trace/counters.h"

namespace lab::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const char* program_of(const std::string& kernels) { return kernels == "others" ? "other_kernels.cu" : "kernels_of_labs.cu"; }

constexpr const char* row_ends = "row_ends";  // the kernel behind each row's launches

std::string metric_of(const char* group, const char* name) { return trace::counter_row(group, name).profilers.ncu; }

Measurement measurement_of(const Project& project, const std::string& kernels, const std::string& size, const std::string& repeats) {
    if (!fs::exists(project.root / "solutions"))
        throw BadInput("fidelity runs the reference solutions' kernels, and there is no solutions/");
    Measurement measurement;
    measurement.file = program_of(kernels);
    measurement.arguments = {size, repeats};
    measurement.progress = [](const Json& result) {
        const KernelRow row = row_of(result);
        return fmt::format("fidelity · {} at {}", row.name(), row.at());
    };
    return measurement;
}

RowsRun rows_in(const Measured& measured) {
    RowsRun run;
    run.is_interrupted = measured.is_interrupted;
    if (!measured.about.is_null()) run.rows.about = measured.about;
    for (const Json& result : measured.results) run.rows.rows.push_back(row_of(result));
    return run;
}

template <class Launches, class NameOf, class CountsOf>
void share_out_by(const Launches& launches, NameOf name_of, CountsOf counts_of, std::vector<KernelRow>* rows) {
    auto row = rows->begin();
    RowCounts sum;
    for (const auto& launch : launches) {
        if (row == rows->end()) return;
        if (machine::plain_name(name_of(launch)) == row_ends) {
            row->counts = std::exchange(sum, {});
            ++row;
            continue;
        }
        const RowCounts counts = counts_of(launch);
        sum.load_requests += counts.load_requests;
        sum.load_sectors += counts.load_sectors;
        sum.store_requests += counts.store_requests;
        sum.store_sectors += counts.store_sectors;
    }
}

RowCounts emulated_counts(const trace::Launch& launch) {
    const trace::MemoryCounts& load = launch.counters.global_load;
    const trace::MemoryCounts& store = launch.counters.global_store;
    return {load.requests, load.sectors, store.requests, store.sectors};
}

RowCounts hardware_counts(const HardwareLaunch& launch) {
    const auto count = [&](const char* group, const char* name) {
        const auto found = launch.metrics.find(metric_of(group, name));
        return found == launch.metrics.end() ? 0 : static_cast<std::uint64_t>(found->second);
    };
    return {count("global_load", "requests"), count("global_load", "sectors"), count("global_store", "requests"),
            count("global_store", "sectors")};
}

}  // namespace

RowsRun model_rows(const Project& project, const RowsAsk& ask) {
    const OwnFile launches(project.build, "fidelity_launches");
    Measurement measurement = measurement_of(project, ask.kernels, std::to_string(ask.size), "0");
    measurement.device = ask.device;
    measurement.emulator.max_blocks = ask.blocks;
    measurement.launches = launches.path().string();
    RowsRun run = rows_in(measure(project, measurement));
    const std::vector<trace::Launch> launched = read_report(launches.path()).launches;
    share_out_by(
        launched, [](const trace::Launch& launch) { return launch.kernel; }, emulated_counts, &run.rows.rows);
    return run;
}

RowsRun time_rows(const Project& project, int size, const Json& about, const std::function<void(const KernelRows&)>& see) {
    KernelRows so_far{about, {}};
    Measurement measurement = measurement_of(project, so_far.kernels(), std::to_string(size), "21");
    measurement.progress = [&, says = measurement.progress](const Json& result) {
        so_far.rows.push_back(row_of(result));
        see(so_far);
        return says(result);
    };
    RowsRun run = rows_in(measure(project, measurement));
    Json whole = about;
    whole.update(run.rows.about);
    run.rows.about = whole;
    return run;
}

void count_rows(const Project& project, int size, KernelRows* rows) {
    ProgramOptions options;
    options.file = (project.root / "common/tools/studies" / program_of(rows->kernels())).string();
    options.include_folders = {project.root.string()};
    const std::vector<std::string> words{compile_program(project, options).string(), std::to_string(size), "0"};
    const std::string metrics = fmt::format("{},{},{},{}", metric_of("global_load", "requests"), metric_of("global_load", "sectors"),
                                            metric_of("global_store", "requests"), metric_of("global_store", "sectors"));
    share_out(count_launches(project, words, metrics), &rows->rows);
}

void share_out(const std::vector<HardwareLaunch>& launches, std::vector<KernelRow>* rows) {
    share_out_by(
        launches, [](const HardwareLaunch& launch) { return launch.kernel; }, hardware_counts, rows);
}

}  // namespace lab::tools
