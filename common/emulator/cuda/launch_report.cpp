#include "common/emulator/cuda/launch_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/findings/finding_json.h"

namespace lab::cuda {
namespace {

using Json = nlohmann::json;

Json to_json(const machine::Dim3& size) { return Json::array({size.x, size.y, size.z}); }

double efficiency(const machine::MemoryCounts& counts) {
    return counts.sectors == 0 ? 0 : static_cast<double>(counts.bytes) / (static_cast<double>(counts.sectors) * 32);
}

Json global(const machine::MemoryCounts& counts) {
    return {{"requests", counts.requests}, {"sectors", counts.sectors}, {"transactions", counts.transactions},
            {"lines", counts.lines},       {"bytes", counts.bytes},     {"efficiency", efficiency(counts)}};
}

Json shared(const machine::MemoryCounts& counts) {
    return {{"requests", counts.requests}, {"bytes", counts.bytes}, {"wavefronts", counts.wavefronts}, {"conflicts", counts.conflicts}};
}

Json constant(const machine::MemoryCounts& counts) {
    return {{"requests", counts.requests}, {"passes", counts.wavefronts}, {"bytes", counts.bytes}};
}

// Each resource's time in milliseconds, and the model's inputs beside the counts.
Json model(const LaunchRecord& record) {
    Json json = {{"launch_ms", record.time.launch_ms}};
    for (std::size_t i = 0; i < timing::resource_count; ++i)
        json["resource_ms"][timing::name_of(static_cast<timing::Resource>(i))] = record.time.resource_ms[i];
    const timing::SampledTraffic& sample = record.sample;
    if (sample.blocks == 0 && sample.load_lines == 0) return json;
    json["sample"] = {{"blocks", sample.blocks},
                      {"lines", sample.lines},
                      {"load_sectors", sample.load_sectors},
                      {"missed_sectors", sample.missed_sectors},
                      {"load_lines", sample.load_lines},
                      {"missed_lines", sample.missed_lines},
                      {"load_requests", sample.load_requests},
                      {"waiting_requests", sample.waiting_requests},
                      {"stored_sectors", sample.stored_sectors},
                      {"forwarded_sectors", sample.forwarded_sectors},
                      {"forwarded_in_part", sample.forwarded_in_part},
                      {"chance_sectors", sample.chance_sectors},
                      {"chance_in_part", sample.chance_in_part},
                      {"constant_lines", sample.constant_lines},
                      {"missed_constant_lines", sample.missed_constant_lines},
                      {"distinct_load_sectors", sample.distinct_load_sectors},
                      {"distinct_store_sectors", sample.distinct_store_sectors},
                      {"load_rows", sample.load_rows},
                      {"store_rows", sample.store_rows}};
    const timing::WindowTraffic& window = sample.window;
    if (window.blocks != 0) {
        json["sample"]["window"] = {{"blocks", window.blocks},     {"fills_cache", window.fills_cache},
                                    {"accesses", window.accesses}, {"loaded", window.loaded},
                                    {"stored", window.stored},     {"stored_in_part", window.stored_in_part}};
    }
    const timing::PartialSectors& open = sample.open;
    if (open.sectors != 0) {
        json["sample"]["open"] = {{"blocks", open.blocks}, {"lines", open.lines}, {"sectors", open.sectors}, {"left", open.left}};
    }
    return json;
}

Json line(const machine::LineCounts& counts) {
    Json json = {{"file", counts.file}, {"line", counts.line}};
    const machine::Counters& counters = counts.counters;
    if (counters.global_load.requests != 0) json["global_load"] = global(counters.global_load);
    if (counters.global_store.requests != 0) json["global_store"] = global(counters.global_store);
    if (counters.global_atomic.requests != 0) json["global_atomic"] = global(counters.global_atomic);
    if (counters.local_load.requests != 0) json["local_load"] = global(counters.local_load);
    if (counters.local_store.requests != 0) json["local_store"] = global(counters.local_store);
    if (counters.shared_load.requests != 0) json["shared_load"] = shared(counters.shared_load);
    if (counters.shared_store.requests != 0) json["shared_store"] = shared(counters.shared_store);
    if (counters.shared_atomic.requests != 0) json["shared_atomic"] = shared(counters.shared_atomic);
    if (counters.constant_load.requests != 0) json["constant_load"] = constant(counters.constant_load);
    return json;
}

const char* name_of(devices::Limit limit) {
    switch (limit) {
        case devices::Limit::none:
            break;
        case devices::Limit::threads:
            return "threads";
        case devices::Limit::blocks:
            return "blocks";
        case devices::Limit::registers:
            return "registers";
        case devices::Limit::shared:
            return "shared memory";
    }
    return "nothing fits";
}

Json occupancy(const LaunchRecord& record) {
    return {{"theoretical", record.occupancy.fraction()},
            {"blocks", record.occupancy.blocks},
            {"limit", name_of(record.occupancy.limit)},
            {"registers", record.registers}};
}

Json partition(const machine::PartitionTraffic& traffic) { return {{"bytes", traffic.bytes}, {"camping", traffic.camping()}}; }

std::string shape(const machine::Dim3& size) { return fmt::format("{}x{}x{}", size.x, size.y, size.z); }

// "3.4" sectors a request; "-" without requests.
std::string per_request(const machine::MemoryCounts& counts) {
    if (counts.requests == 0) return "-";
    return fmt::format("{:.1f}", static_cast<double>(counts.sectors) / static_cast<double>(counts.requests));
}

}  // namespace

Json to_json(const LaunchRecord& record) {
    const machine::Counters& counters = record.counters;
    Json json = {{"kernel", record.kernel},
                 {"grid", to_json(record.grid)},
                 {"block", to_json(record.block)},
                 {"shared_bytes", record.shared_bytes},
                 {"dynamic_shared_bytes", record.dynamic_shared_bytes},
                 {"instructions", {{"warp", counters.warp_instructions}, {"thread", counters.thread_instructions}}},
                 {"arithmetic",
                  {{"fp32", counters.fp32_instructions}, {"fp64", counters.fp64_instructions}, {"special", counters.special_instructions}}},
                 {"global_load", global(counters.global_load)},
                 {"global_store", global(counters.global_store)},
                 {"shared_load", shared(counters.shared_load)},
                 {"shared_store", shared(counters.shared_store)},
                 {"constant_load", constant(counters.constant_load)},
                 {"mapped_load", global(counters.mapped_load)},
                 {"mapped_store", global(counters.mapped_store)},
                 {"slowest_warps",
                  {{"dependent_instructions", static_cast<double>(counters.slowest.parts) / machine::parts_an_instruction},
                   {"global_waits", static_cast<double>(counters.slowest.global_wait_sixteenths) / machine::sixteenths_a_wait},
                   {"shared_waits", static_cast<double>(counters.slowest.shared_wait_sixteenths) / machine::sixteenths_a_wait},
                   {"barriers", counters.block_barriers}}},
                 {"sass",
                  {{"joined_loads", counters.joined_instructions},
                   {"joined_wavefronts", counters.joined_wavefronts},
                   {"instructions", counters.machine_instructions}}},
                 {"branches", {{"total", counters.branches}, {"divergent", counters.divergent_branches}}},
                 {"barriers", counters.barriers},
                 {"occupancy", occupancy(record)},
                 {"modelled_ms", record.modelled_ms},
                 {"bound", record.bound},
                 {"model", model(record)},
                 {"device", record.device}};
    if (counters.exited_at_barriers != 0) json["exited_at_barriers"] = counters.exited_at_barriers;
    if (record.ran_some) json["is_estimate"] = true;
    if (record.partitions.waves != 0) {
        json["partitions"] = {
            {"waves", record.partitions.waves}, {"load", partition(record.partitions.load)}, {"store", partition(record.partitions.store)}};
    }
    for (const machine::LineCounts& counts : record.lines) json["lines"].push_back(line(counts));
    return json;
}

Json to_json(const std::vector<LaunchRecord>& records) {
    Json array = Json::array();
    for (const LaunchRecord& record : records) array.push_back(to_json(record));
    return array;
}

Json to_json(const std::vector<LaunchRecord>& records, const std::vector<Finding>& findings) {
    return {{"launches", to_json(records)}, {"findings", findings}};
}

std::string to_table(const std::vector<LaunchRecord>& records) {
    if (records.empty()) return "no kernel was launched\n";
    constexpr const char* row = "{:<32.32} {:>14} {:>12} {:>12} {:>9} {:>9} {:>9} {:>10} {:>11} {:>12}\n";
    std::string text =
        fmt::format("modelled for {}; sect/req: 32-byte sectors a request, 4 is coalesced for 4-byte words\n", records.front().device);
    if (std::any_of(records.begin(), records.end(), [](const LaunchRecord& record) { return record.ran_some; })) {
        text += "a few blocks ran and stand for all: counts and times are estimates, and the kernels' results are not whole\n";
    }
    text += fmt::format(row, "kernel", "grid", "block", "warp instr.", "ld sect/rq", "st sect/rq", "conflicts", "divergent", "limit",
                        "modelled ms");
    for (const LaunchRecord& record : records) {
        const machine::Counters& counters = record.counters;
        text += fmt::format(row, record.kernel.substr(0, record.kernel.find('(')), shape(record.grid), shape(record.block),
                            counters.warp_instructions, per_request(counters.global_load), per_request(counters.global_store),
                            counters.shared_load.conflicts + counters.shared_store.conflicts, counters.divergent_branches,
                            record.bound.substr(0, record.bound.find(' ')), fmt::format("{:.4f}", record.modelled_ms));
    }
    return text;
}

}  // namespace lab::cuda
