#include "common/emulator/cuda/launch_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/findings/finding_json.h"
#include "common/findings/fold.h"
#include "common/trace/json.h"

namespace lab::cuda {
namespace {

using Json = nlohmann::json;

Json to_json(const machine::Dim3& size) { return Json::array({size.x, size.y, size.z}); }

constexpr double sector_bytes = 32;

Json value_of(const machine::CounterRow& row, const machine::Counters& counters) {
    const std::uint64_t stored = row.stored(counters);
    return row.one == 1 ? Json(stored) : Json(static_cast<double>(stored) / row.one);
}

void put(Json* json, const machine::CounterRow& row, const machine::Counters& counters) {
    Json& object = row.group.empty() ? *json : (*json)[std::string(row.group)];
    object[std::string(row.name)] = value_of(row, counters);
    if (row.unit != machine::CounterUnit::sectors) return;
    const machine::MemoryCounts& counts = counters.*row.access;
    object["efficiency"] =
        counts.sectors == 0 ? 0 : static_cast<double>(counts.bytes) / (static_cast<double>(counts.sectors) * sector_bytes);
}

// Each resource's time in milliseconds, and the model's inputs beside the counts.
Json model(const LaunchRecord& record) {
    Json json = {{"launch_ms", record.time.launch_ms}};
    for (std::size_t i = 0; i < timing::resource_count; ++i)
        json["resource_ms"][std::string(lab::name_of(static_cast<timing::Resource>(i)))] = record.time.resource_ms[i];
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
    for (const machine::CounterRow& row : machine::counter_rows()) {
        if (row.is_of_line() && (counts.counters.*row.access).requests != 0) put(&json, row, counts.counters);
    }
    return json;
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
    Json json = {{"kernel", record.kernel},
                 {"grid", to_json(record.grid)},
                 {"block", to_json(record.block)},
                 {"shared_bytes", record.shared_bytes},
                 {"dynamic_shared_bytes", record.dynamic_shared_bytes},
                 {"occupancy", occupancy(record)},
                 {"modelled_ms", record.modelled_ms},
                 {"bound", record.bound},
                 {"model", model(record)},
                 {"device", record.device}};
    for (const machine::CounterRow& row : machine::counter_rows()) {
        const bool is_rare = row.reported == machine::Reported::if_not_zero && row.stored(record.counters) != 0;
        if (row.is_of_launch() || is_rare) put(&json, row, record.counters);
    }
    if (record.ran_some) json["is_estimate"] = true;
    if (record.partitions.waves != 0) {
        json["partitions"] = {
            {"waves", record.partitions.waves}, {"load", partition(record.partitions.load)}, {"store", partition(record.partitions.store)}};
        if (record.recording) {
            json["partitions"]["load_waves"] = record.partitions.load_waves;
            json["partitions"]["store_waves"] = record.partitions.store_waves;
        }
    }
    for (const machine::LineCounts& counts : record.lines) json["lines"].push_back(line(counts));
    if (record.recording) {
        json["recording"] = trace::to_json(*record.recording);
        json["has_fault"] = record.has_fault;
        if (record.where.is_known()) json["where"] = {{"file", record.where.file}, {"line", record.where.line}};
    }
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
    constexpr const char* row = "  {:>12} {:>10} {:>10} {:>10} {:>9} {:>9} {:>11}\n";
    std::string text = fmt::format("modelled for {}; sect/rq: 32-byte sectors a request (4: coalesced floats)\n", records.front().device);
    if (std::any_of(records.begin(), records.end(), [](const LaunchRecord& record) { return record.ran_some; })) {
        text += "a few blocks ran and stand for all: counts and times are estimates, and the kernels' results are not whole\n";
    }
    text += fmt::format(row, "warp instr.", "ld sect/rq", "st sect/rq", "conflicts", "divergent", "limit", "modelled ms");
    for (const LaunchRecord& record : records) {
        const machine::Counters& counters = record.counters;
        text += fmt::format("{}, grid {}, blocks {}\n", record.kernel.substr(0, record.kernel.find('(')), shape(record.grid),
                            shape(record.block));
        text += fmt::format(row, counters.warp_instructions, per_request(counters.global_load), per_request(counters.global_store),
                            counters.shared_load.conflicts + counters.shared_store.conflicts, counters.divergent_branches,
                            record.bound.substr(0, record.bound.find(' ')), fmt::format("{:.4f}", record.modelled_ms));
    }
    return folded(text, usual_width);
}

}  // namespace lab::cuda
