#include "common/tools/studies/figures.h"

#include <fmt/format.h>

#include <algorithm>

namespace lab::tools {
namespace {

using Json = nlohmann::json;

constexpr double sector_bytes = 32;
constexpr double wavefront_bytes = 128;  // 32 banks of 4 bytes

class Group {
public:
    Group(const Json& launch, const char* name) : json_(launch.contains(name) ? launch.at(name) : Json::object()) {}
    [[nodiscard]] double operator[](const char* count) const { return json_.value(count, 0.0); }

private:
    Json json_;
};

void put_ratio(Figures* figures, const char* name, double part, double whole, double scale = 1) {
    if (whole > 0) (*figures)[name] = part / whole * scale;
}

}  // namespace

const std::vector<Metric>& metrics() {
    static const std::vector<Metric> all{
        {"time", "gpu__time_duration.sum", Unit::ms},
        {"gld_efficiency", "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", Unit::percent},
        {"global_load_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", Unit::count},
        {"gld_transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", Unit::count},
        {"gld_transactions_per_request", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", Unit::ratio},
        {"gst_efficiency", "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", Unit::percent},
        {"global_store_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", Unit::count},
        {"gst_transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", Unit::count},
        {"gst_transactions_per_request", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", Unit::ratio},
        {"shared_efficiency", "smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct", Unit::percent},
        {"shared_load_transactions", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", Unit::count},
        {"shared_load_transactions_per_request", "n/a", Unit::ratio},
        {"shared_store_transactions", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", Unit::count},
        {"shared_store_transactions_per_request", "n/a", Unit::ratio},
        {"achieved_occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active", Unit::percent},
        {"branch_efficiency", "smsp__sass_average_branch_targets_threads_uniform.pct", Unit::percent},
        {"inst_executed", "smsp__inst_executed.sum", Unit::count},
    };
    return all;
}

void add_counts(Json* to, const Json& more) {
    for (const char* const group : {"global_load", "global_store", "global_atomic", "local_load", "local_store", "shared_load",
                                    "shared_store", "shared_atomic", "branches", "instructions"}) {
        if (!more.contains(group)) continue;
        Json& sum = (*to)[group];
        for (const auto& [name, count] : more.at(group).items()) sum[name] = sum.value(name, 0.0) + count.get<double>();
        sum.erase("efficiency");  // no count
    }
}

Figures figures_of(const Json& launch) {
    const Group load(launch, "global_load");
    const Group store(launch, "global_store");
    const Group shared_load(launch, "shared_load");
    const Group shared_store(launch, "shared_store");
    const Group branches(launch, "branches");
    Figures figures;
    figures["time"] = launch.value("modelled_ms", 0.0);
    figures["global_load_requests"] = load["requests"];
    figures["gld_transactions"] = load["sectors"];
    put_ratio(&figures, "gld_efficiency", load["bytes"], load["sectors"] * sector_bytes, 100);
    put_ratio(&figures, "gld_transactions_per_request", load["sectors"], load["requests"]);
    figures["global_store_requests"] = store["requests"];
    figures["gst_transactions"] = store["sectors"];
    put_ratio(&figures, "gst_efficiency", store["bytes"], store["sectors"] * sector_bytes, 100);
    put_ratio(&figures, "gst_transactions_per_request", store["sectors"], store["requests"]);
    put_ratio(&figures, "shared_efficiency", shared_load["bytes"] + shared_store["bytes"],
              (shared_load["wavefronts"] + shared_store["wavefronts"]) * wavefront_bytes, 100);
    figures["shared_load_transactions"] = shared_load["wavefronts"];
    put_ratio(&figures, "shared_load_transactions_per_request", shared_load["wavefronts"], shared_load["requests"]);
    figures["shared_store_transactions"] = shared_store["wavefronts"];
    put_ratio(&figures, "shared_store_transactions_per_request", shared_store["wavefronts"], shared_store["requests"]);
    if (launch.contains("occupancy")) figures["achieved_occupancy"] = Group(launch, "occupancy")["theoretical"] * 100;
    put_ratio(&figures, "branch_efficiency", branches["total"] - branches["divergent"], branches["total"], 100);
    figures["inst_executed"] = Group(launch, "instructions")["warp"];
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
    const auto per_request = [&](const char* name, const char* wavefronts, const char* requests) {
        const auto whole = ncu.find(requests);
        if (whole != ncu.end() && figures.count(wavefronts) != 0) put_ratio(&figures, name, figures.at(wavefronts), whole->second);
    };
    per_request("shared_load_transactions_per_request", "shared_load_transactions", "smsp__inst_executed_op_shared_ld.sum");
    per_request("shared_store_transactions_per_request", "shared_store_transactions", "smsp__inst_executed_op_shared_st.sum");
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

std::string show(double value, Unit unit) {
    switch (unit) {
        case Unit::count:
            return fmt::format("{:.0f}", value);
        case Unit::ratio:
            return fmt::format("{:.2f}", value);
        case Unit::percent:
            return fmt::format("{:.1f} %", value);
        case Unit::ms:
            return fmt::format("{:.4f} ms", value);
    }
    return {};
}

}  // namespace lab::tools
