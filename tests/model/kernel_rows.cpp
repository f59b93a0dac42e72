#include "tests/model/kernel_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "common/emulator/machine/demangle.h"
#include "common/tools/errors.h"
#include "common/tools/lines.h"
#include "common/tools/run_program.h"
#include "common/tools/safe_files.h"
#include "common/tools/studies/hardware_profile.h"
#include "common/tools/studies/measurement.h"
#include "common/trace/counters.h"

namespace lab::tools {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

auto key_of(const KernelRow& row) { return std::make_tuple(row.lab, row.kernel, row.size.x, row.size.y, row.block.x, row.block.y); }

double median_of(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return (times[(times.size() - 1) / 2] + times[times.size() / 2]) / 2;
}

std::vector<double> times_of(const KernelRow& row) { return row.each_ms.empty() ? std::vector<double>{row.ms} : row.each_ms; }

void count_order(const RowPair& slow, const RowPair& fast, RowFidelity* fidelity) {
    constexpr double differs = 1.15;
    const std::vector<double> slow_ms = times_of(*slow.measured);
    const std::vector<double> fast_ms = times_of(*fast.measured);
    std::size_t times = 0;
    std::size_t apart = 0;
    bool is_exchanged = false;
    for (; times < std::min(slow_ms.size(), fast_ms.size()); ++times) {
        apart += slow_ms[times] > differs * fast_ms[times] ? 1 : 0;
        is_exchanged = is_exchanged || slow_ms[times] <= fast_ms[times];
    }
    fidelity->times_over = std::max(fidelity->times_over, times);
    if (slow_ms.front() > differs * fast_ms.front()) {
        ++fidelity->pairs_at_first;
        fidelity->exchanged_by_another += is_exchanged ? 1 : 0;
    }
    if (apart < times) return;
    ++fidelity->pairs;
    if (slow.modelled->ms <= fast.modelled->ms) ++fidelity->exchanged;
}

void count_orders(const std::vector<RowPair>& pairs, RowFidelity* fidelity) {
    std::map<std::pair<int, int>, std::vector<const RowPair*>> of_size;
    for (const RowPair& pair : pairs) of_size[{pair.measured->size.x, pair.measured->size.y}].push_back(&pair);
    for (const auto& [size, alike] : of_size) {
        for (const RowPair* const slow : alike) {
            for (const RowPair* const fast : alike) count_order(*slow, *fast, fidelity);
        }
    }
}

const char* program_of(const std::string& kernels) {
    return kernels == "others" ? "tests/model/other_kernels.cu" : "tests/model/kernels_of_labs.cu";
}

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

// Gives each row, in order, the sum of its launches: those before the next one of row_ends. Rows without launches get nothing.
template <class Launch>
void share_out_by(const std::vector<Launch>& launches, RowCounts (*counts_of)(const Launch&), std::vector<KernelRow>* rows) {
    auto row = rows->begin();
    RowCounts sum;
    for (const Launch& launch : launches) {
        if (row == rows->end()) return;
        if (machine::plain_name(launch.kernel) == row_ends) {
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

std::string KernelRow::at() const { return fmt::format("{}, {}", show(size, size.x == size.y), show(block)); }

bool KernelRows::is_fitted(const KernelRow& row) const {
    const Json sizes = about.value("fitted_sizes", Json::array());
    return std::find(sizes.begin(), sizes.end(), row.size.x) != sizes.end();
}

KernelRow row_of(const Json& line) {
    KernelRow row;
    row.lab = line.at("lab");
    row.kernel = line.at("kernel");
    row.size = {line.at("size").at(0), line.at("size").at(1)};
    row.block = {line.at("block").at(0), line.at("block").at(1)};
    const Json& ms = line.at("ms");
    if (ms.is_array()) row.each_ms = ms.get<std::vector<double>>();
    row.ms = row.each_ms.empty() ? ms.get<double>() : median_of(row.each_ms);
    if (const auto counts = line.find("counts"); counts != line.end()) {
        const auto& load = counts->at("load");
        const auto& store = counts->at("store");
        row.counts = {load.at(0), load.at(1), store.at(0), store.at(1)};
    }
    return row;
}

void add_times(const std::vector<KernelRow>& again, std::vector<KernelRow>* rows) {
    std::map<decltype(key_of(KernelRow())), KernelRow*> by_key;
    for (KernelRow& row : *rows) by_key[key_of(row)] = &row;
    for (const KernelRow& row : again) {
        const auto found = by_key.find(key_of(row));
        if (found == by_key.end()) continue;
        found->second->each_ms = times_of(*found->second);
        found->second->each_ms.push_back(row.ms);
        found->second->ms = median_of(found->second->each_ms);
    }
}

std::string to_line(const KernelRow& row) {
    const std::string ms = row.each_ms.empty() ? fmt::format("{:.6f}", row.ms) : fmt::format("[{:.6f}]", fmt::join(row.each_ms, ", "));
    std::string line = fmt::format(R"({{"lab": "{}", "kernel": "{}", "size": [{}, {}], "block": [{}, {}], "ms": {})", row.lab, row.kernel,
                                   row.size.x, row.size.y, row.block.x, row.block.y, ms);
    if (row.counts) {
        line += fmt::format(R"(, "counts": {{"load": [{}, {}], "store": [{}, {}]}})", row.counts->load_requests, row.counts->load_sectors,
                            row.counts->store_requests, row.counts->store_sectors);
    }
    return line + "}";
}

std::string to_lines(const KernelRows& rows) {
    std::string text = rows.about.dump() + "\n";
    for (const KernelRow& row : rows.rows) text += to_line(row) + "\n";
    return text;
}

KernelRows read_rows(const std::filesystem::path& file) {
    KernelRows rows;
    std::size_t number = 0;
    for (const std::string& line : lines_of(read_whole(file))) {
        ++number;
        const auto refuse = [&](const char* what) {
            throw BadInput(fmt::format("{}:{}: {}; ./lab fidelity --measure makes such files", file.string(), number, what));
        };
        const Json json = Json::parse(line, nullptr, false);
        if (!json.is_object()) refuse("no JSON object");
        if (number == 1) {
            if (!json.contains("device")) refuse("names no device");
            rows.about = json;
            const Json kernels = json.value("kernels", Json("labs"));
            if (kernels != "labs" && kernels != "others") refuse("\"kernels\" is neither \"labs\" nor \"others\"");
            continue;
        }
        try {
            rows.rows.push_back(row_of(json));
        } catch (const Json::exception&) {
            refuse("no row with lab, kernel, size, block and ms");
        }
        const std::vector<double> times = times_of(rows.rows.back());
        if (!std::all_of(times.begin(), times.end(), [](double ms) { return ms > 0; })) refuse("a time has to be above 0");
    }
    if (rows.rows.empty()) throw BadInput(fmt::format("{}: holds no rows; ./lab fidelity --measure makes such files", file.string()));
    return rows;
}

std::vector<RowPair> paired(const KernelRows& measured, const std::vector<KernelRow>& modelled) {
    std::map<decltype(key_of(KernelRow())), const KernelRow*> by_key;
    for (const KernelRow& row : modelled) by_key[key_of(row)] = &row;
    std::vector<RowPair> pairs;
    for (const KernelRow& row : measured.rows) {
        const auto found = by_key.find(key_of(row));
        if (found != by_key.end()) pairs.push_back({&row, found->second, measured.is_fitted(row)});
    }
    return pairs;
}

void RowErrors::add(const RowPair& pair) {
    ++rows;
    sum += std::abs(pair.error());
    if (worst == nullptr || std::abs(pair.error()) > std::abs(worst->error())) worst = &pair;
}

RowFidelity fidelity_of(const std::vector<RowPair>& pairs) {
    RowFidelity fidelity;
    for (const RowPair& pair : pairs) {
        fidelity.of_kernel[pair.measured->name()].add(pair);
        fidelity.all.add(pair);
        (pair.is_fitted ? fidelity.fitted : fidelity.predicted).add(pair);
        constexpr double half = 0.5;
        fidelity.beyond_half += std::abs(pair.error()) > half ? 1 : 0;
        if (!pair.measured->counts || !pair.modelled->counts) continue;
        ++fidelity.counted;
        if (*pair.measured->counts != *pair.modelled->counts) fidelity.other_counts.push_back(&pair);
    }
    count_orders(pairs, &fidelity);
    return fidelity;
}

RowsRun model_rows(const Project& project, const RowsAsk& ask) {
    const OwnFile launches(project.build, "fidelity_launches");
    Measurement measurement = measurement_of(project, ask.kernels, std::to_string(ask.size), "0");
    measurement.device = ask.device;
    measurement.emulator.max_blocks = ask.blocks;
    measurement.launches = launches.path().string();
    RowsRun run = rows_in(measure(project, measurement));
    const std::vector<trace::Launch> launched = read_report(launches.path()).launches;
    share_out_by(launched, emulated_counts, &run.rows.rows);
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
    options.file = (project.root / program_of(rows->kernels())).string();
    options.include_folders = {project.root.string()};
    const std::vector<std::string> words{compile_program(project, options).string(), std::to_string(size), "0"};
    const std::string metrics = fmt::format("{},{},{},{}", metric_of("global_load", "requests"), metric_of("global_load", "sectors"),
                                            metric_of("global_store", "requests"), metric_of("global_store", "sectors"));
    share_out(count_launches(project, words, metrics), &rows->rows);
}

void share_out(const std::vector<HardwareLaunch>& launches, std::vector<KernelRow>* rows) { share_out_by(launches, hardware_counts, rows); }

}  // namespace lab::tools
