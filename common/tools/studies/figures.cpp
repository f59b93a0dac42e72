#include "common/tools/studies/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/trace/counters.h"

namespace lab::tools {
namespace {

using trace::Counters;
using trace::Launch;
using Access = trace::MemoryCounts Counters::*;
using Count = std::uint64_t trace::MemoryCounts::*;

constexpr double sector_bytes = 32;
constexpr double wavefront_bytes = 128;  // 32 banks of 4 bytes

double count(const Launch& launch, Access access, Count count) { return static_cast<double>(launch.counters.*access.*count); }

std::optional<double> ratio(double part, double whole, double scale = 1) {
    if (whole <= 0) return {};
    return part / whole * scale;
}

Metric counter(const char* group, const char* name) {
    const trace::CounterRow& row = trace::counter_row(group, name);
    const trace::ProfilerNames& names = row.profilers;
    return {names.nvprof, names.counterpart(), Unit::count, [&row](const Launch& launch) { return row.count(launch.counters); }};
}

Metric efficiency(const char* name, const char* ncu, Access access) {
    return {name, ncu, Unit::percent, [=](const Launch& launch) {
                return ratio(count(launch, access, &trace::MemoryCounts::bytes),
                             count(launch, access, &trace::MemoryCounts::sectors) * sector_bytes, 100);
            }};
}

Metric per_request(const char* name, const char* ncu, Access access, Count cost) {
    return {name, ncu, Unit::ratio, [=](const Launch& launch) {
                return ratio(count(launch, access, cost), count(launch, access, &trace::MemoryCounts::requests));
            }};
}

std::optional<double> shared_efficiency(const Launch& launch) {
    trace::MemoryCounts both = launch.counters.shared_load;
    both += launch.counters.shared_store;
    return ratio(static_cast<double>(both.bytes), static_cast<double>(both.wavefronts) * wavefront_bytes, 100);
}

std::optional<double> theoretical_occupancy(const Launch& launch) {
    if (launch.occupancy.limit.empty()) return {};
    return launch.occupancy.theoretical * 100;
}

std::optional<double> branch_efficiency(const Launch& launch) {
    const auto total = static_cast<double>(launch.counters.branches);
    return ratio(total - static_cast<double>(launch.counters.divergent_branches), total, 100);
}

}  // namespace

const std::vector<Metric>& metrics() {
    static const std::vector<Metric> all{
        {"time", "gpu__time_duration.sum", Unit::ms, [](const Launch& launch) { return launch.modelled_ms; }},
        efficiency("gld_efficiency", "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", &Counters::global_load),
        counter("global_load", "requests"),
        counter("global_load", "sectors"),
        per_request("gld_transactions_per_request", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
                    &Counters::global_load, &trace::MemoryCounts::sectors),
        efficiency("gst_efficiency", "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", &Counters::global_store),
        counter("global_store", "requests"),
        counter("global_store", "sectors"),
        per_request("gst_transactions_per_request", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
                    &Counters::global_store, &trace::MemoryCounts::sectors),
        {"shared_efficiency", "smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct", Unit::percent, shared_efficiency},
        counter("shared_load", "wavefronts"),
        per_request("shared_load_transactions_per_request", "n/a", &Counters::shared_load, &trace::MemoryCounts::wavefronts),
        counter("shared_store", "wavefronts"),
        per_request("shared_store_transactions_per_request", "n/a", &Counters::shared_store, &trace::MemoryCounts::wavefronts),
        {"achieved_occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active", Unit::percent, theoretical_occupancy},
        {"branch_efficiency", "smsp__sass_average_branch_targets_threads_uniform.pct", Unit::percent, branch_efficiency},
        counter("instructions", "warp"),
    };
    return all;
}

Figures figures_of(const Launch& launch) {
    Figures figures;
    for (const Metric& metric : metrics()) {
        if (const std::optional<double> value = metric.value(launch)) figures[metric.nvprof] = *value;
    }
    return figures;
}

Figures figures_of_hardware(const std::map<std::string, double>& ncu) {
    Figures figures;
    for (const Metric& metric : metrics()) {
        const auto found = ncu.find(metric.ncu);
        const bool is_share_of_nothing =
            metric.unit == Unit::percent && found != ncu.end() && found->second == 0;  // no stores, no branches
        if (found == ncu.end() || is_share_of_nothing) continue;
        figures[metric.nvprof] = metric.unit == Unit::ms ? found->second * 1e-6 : found->second;  // in nanoseconds
    }
    for (const char* const group : {"shared_load", "shared_store"}) {
        const auto wavefronts = figures.find(trace::counter_row(group, "wavefronts").profilers.nvprof);
        const auto requests = ncu.find(trace::counter_row(group, "requests").profilers.ncu);
        if (wavefronts == figures.end() || requests == ncu.end() || requests->second <= 0) continue;
        figures[wavefronts->first + "_per_request"] = wavefronts->second / requests->second;
    }
    return figures;
}

Throughput throughput(const UsefulWork& work, double ms, const StudyDevice& device, bool is_double) {
    Throughput result;
    if (ms <= 0) return result;
    if (work.flops > 0) result.gflop_per_s = work.flops / ms * 1e-6;
    if (work.bytes > 0) result.gb_per_s = work.bytes / ms * 1e-6;
    const double arithmetic_peak = is_double ? device.double_gflop_per_s : device.float_gflop_per_s;
    if (device.memory_gb_per_s <= 0 || (work.flops > 0 && arithmetic_peak <= 0)) return result;
    const double memory_ms = work.bytes / device.memory_gb_per_s * 1e-6;
    const double arithmetic_ms = work.flops > 0 ? work.flops / arithmetic_peak * 1e-6 : 0;
    if (memory_ms <= 0 && arithmetic_ms <= 0) return result;
    result.roofline = std::max(memory_ms, arithmetic_ms) / ms;
    result.side = memory_ms >= arithmetic_ms ? "memory" : "arithmetic";
    return result;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

std::string show(double value, Unit unit) {
    constexpr std::array<const char*, 4> formats{"{:.0f}", "{:.2f}", "{:.1f} %", "{:.4f} ms"};  // in the order of Unit
    return fmt::format(fmt::runtime(formats.at(static_cast<std::size_t>(unit))), value);
}

}  // namespace lab::tools
