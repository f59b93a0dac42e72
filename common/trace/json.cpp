#include "common/trace/json.h"

#include <algorithm>
#include <cmath>

#include "common/findings/finding.h"
#include "common/findings/finding_text.h"
#include "common/trace/fields.h"
#include "common/trace/recording.h"

namespace lab {

using trace::Computed;
using trace::Field;
using trace::Inlined;
using trace::Presence;
using trace::Type;

LAB_FIELDS(SourceLine, file, line, column, first_line)
LAB_SPARSE(SourceLine)
LAB_LIST(Index, x, y, z)

constexpr auto fields_of(Type<Place> /*any*/) {
    return std::tuple{Field("role", &Place::role, Presence::always),
                      Inlined(&Place::source),
                      Field("block", &Place::block),
                      Field("thread", &Place::thread),
                      Field("actor", &Place::actor),
                      Field("stream", &Place::stream)};
}
LAB_SPARSE(Place)

constexpr auto fields_of(Type<Object> /*any*/) {
    return std::tuple{
        Field("kind", &Object::kind, Presence::always), Field("name", &Object::name),         Field("size", &Object::size),
        Field("allocated_at", &Object::allocated_at),   Field("freed_at", &Object::freed_at), Field("is_freed", &Object::is_freed),
        Field("is_dynamic", &Object::is_dynamic),       Field("region", &Object::region)};
}
LAB_SPARSE(Object)

constexpr auto fields_of(Type<Location> /*any*/) {
    return std::tuple{Field("role", &Location::role, Presence::always),
                      Field("relation", &Location::relation, Presence::always),
                      Field("object", &Location::object, Presence::always),
                      Field("address", &Location::address),
                      Field("offset", &Location::offset),
                      Field("bytes", &Location::bytes),
                      Field("distance", &Location::distance),
                      Field("is_written", &Location::is_written)};
}
LAB_SPARSE(Location)

constexpr auto fields_of(Type<Finding> /*any*/) {
    return std::tuple{Field("kind", &Finding::kind, Presence::required),
                      Field("headline", &Finding::headline, Presence::always),
                      Computed("text", &text_without_place),
                      Field("stops", &Finding::stops),
                      Field("is_mistake", &Finding::is_mistake),
                      Field("is_next_iteration", &Finding::is_next_iteration),
                      Field("has_barrier_between", &Finding::has_barrier_between),
                      Field("count", &Finding::count),
                      Field("kernel", &Finding::kernel),
                      Field("call", &Finding::call),
                      Field("error", &Finding::error),
                      Field("space", &Finding::space),
                      Field("grid", &Finding::grid),
                      Field("block", &Finding::block),
                      Field("operation", &Finding::operation),
                      Field("details", &Finding::details),
                      Field("advice", &Finding::advice),
                      Field("places", &Finding::places),
                      Field("locations", &Finding::locations),
                      Field("measured", &Finding::measured)};
}
LAB_SPARSE(Finding)

}  // namespace lab

namespace lab::trace {

LAB_LIST(ByteRun, begin, end)
LAB_FIELDS(Recording::Object, name, space, begin, bytes, used)
LAB_FIELDS(Recording::Place, file, line, column)
LAB_FIELDS(Recording::Request, block, warp, iteration, of, address, lanes, cost, ideal)
LAB_FIELDS(Recording::Access, where, kind, space, object, bytes, requests, cost, requested, seen, seen_cost, seen_ideal, kept)
LAB_LIST(Recording::Threads, access, first, step, count)
LAB_LIST(Recording::Write, access, thread, interval)
LAB_LIST(Recording::Word, word, writes, reads, before, value)
LAB_FIELDS(Recording::RaceSide, access, thread, kind)
LAB_FIELDS(Recording::SharedRace, word, earlier, later, count)
LAB_FIELDS(Recording::Interval, block, interval, from, to, words, races, is_cut)
LAB_FIELDS(Recording::Touched, block, interval, object, kind, runs, is_cut)
LAB_FIELDS(Recording, blocks, objects, accesses, intervals, touched, first_stores, races)

namespace {

constexpr double sector_bytes = 32;

void put(Json* json, const CounterRow& row, const Counters& counters) {
    Json& object = row.group.empty() ? *json : (*json)[std::string(row.group)];
    Json& count = object[std::string(row.name)];
    count = row.one == 1 ? Json(row.stored(counters)) : Json(row.count(counters));
    if (row.unit != CounterUnit::sectors) return;
    const MemoryCounts& counts = counters.*row.access;
    object["efficiency"] =
        counts.sectors == 0 ? 0 : static_cast<double>(counts.bytes) / (static_cast<double>(counts.sectors) * sector_bytes);
}

}  // namespace

// The counters of a launch by group and name, as counters.inc has them, with "efficiency" beside the sectors of each kind of access.
void to_json(Json& json, const Counters& counters) {
    json = Json::object();
    for (const CounterRow& row : counter_rows()) {
        const bool is_rare = row.reported == Reported::if_not_zero || row.reported == Reported::by_line;
        if (row.is_of_launch() || (is_rare && row.stored(counters) != 0)) put(&json, row, counters);
    }
}
void from_json(const Json& json, Counters& counters) {
    for (const CounterRow& row : counter_rows()) {
        const auto group = row.group.empty() ? json.end() : json.find(row.group);
        if (!row.group.empty() && (group == json.end() || !group->is_object())) continue;
        const Json& object = row.group.empty() ? json : *group;
        const auto count = object.find(row.name);
        if (count == object.end()) continue;
        if (!count->is_number() || count->get<double>() < 0) throw BadForm(std::string(row.name), "can't be " + count->dump());
        row.stored(counters) =
            row.one == 1 ? count->get<std::uint64_t>() : static_cast<std::uint64_t>(std::llround(count->get<double>() * row.one));
    }
}

// Of accesses that the line makes.
void to_json(Json& json, const LineCounts& line) {
    json = {{"file", line.file}, {"line", line.line}};
    for (const CounterRow& row : counter_rows()) {
        if (row.is_of_line() && (line.counters.*row.access).requests != 0) put(&json, row, line.counters);
    }
}
void from_json(const Json& json, LineCounts& line) {
    read(json.at("file"), &line.file);
    read(json.at("line"), &line.line);
    from_json(json, line.counters);
}

LAB_LIST(Size, x, y, z)
LAB_FIELDS(Occupancy, theoretical, blocks, limit, registers)
constexpr auto fields_of(Type<PartitionTraffic> /*any*/) {
    return std::tuple{Field("bytes", &PartitionTraffic::bytes), Field("busiest", &PartitionTraffic::busiest),
                      Computed(
                          "camping", +[](const PartitionTraffic& traffic) { return traffic.camping(); })};
}
LAB_FIELDS(PartitionCounts, waves, load, store, load_waves, store_waves)

LAB_FIELDS(WindowTraffic, blocks, fills_cache, accesses, loaded, stored, stored_in_part)
LAB_FIELDS(PartialSectors, blocks, lines, sectors, left)
LAB_FIELDS(SampledTraffic, blocks, lines, load_sectors, missed_sectors, load_lines, missed_lines, load_requests, waiting_requests,
           stored_sectors, forwarded_sectors, forwarded_in_part, constant_lines, missed_constant_lines, distinct_load_sectors,
           distinct_store_sectors, load_rows, store_rows, window, open)
constexpr auto fields_of(Type<ModelledTime> /*any*/) {
    return std::tuple{Field("launch_ms", &ModelledTime::launch_ms, Presence::always),
                      Field("resource_ms", &ModelledTime::resource_ms, Presence::always), Field("sample", &ModelledTime::sample)};
}
LAB_SPARSE(ModelledTime)

constexpr auto fields_of(Type<Launch> /*any*/) {
    return std::tuple{Field("kernel", &Launch::kernel, Presence::always),
                      Field("mangled", &Launch::mangled),
                      Field("grid", &Launch::grid, Presence::always),
                      Field("block", &Launch::block, Presence::always),
                      Field("shared_bytes", &Launch::shared_bytes, Presence::always),
                      Field("dynamic_shared_bytes", &Launch::dynamic_shared_bytes, Presence::always),
                      Inlined(&Launch::counters),
                      Field("occupancy", &Launch::occupancy, Presence::always),
                      Field("modelled_ms", &Launch::modelled_ms, Presence::always),
                      Field("bound", &Launch::bound, Presence::always),
                      Field("model", &Launch::model, Presence::always),
                      Field("device", &Launch::device, Presence::always),
                      Field("is_estimate", &Launch::is_estimate),
                      Field("has_fault", &Launch::has_fault),
                      Field("partitions", &Launch::partitions),
                      Field("where", &Launch::where),
                      Field("lines", &Launch::lines),
                      Field("recording", &Launch::recording)};
}
LAB_SPARSE(Launch)

LAB_FIELDS(End, array, is_device, allocated_at, block, size, offset)
LAB_FIELDS(Fill, call, line, order, launches, to)
LAB_FIELDS(Copy, call, line, order, launches, bytes, to, from)
LAB_FIELDS(Argument, is_pointer, array, offset, number)
LAB_SPARSE(Argument)
LAB_FIELDS(ApiCounts, allocations, frees, copies, copies_to_host, launches, failed_calls, error_queries, misuses, leaked_allocations,
           leaked_bytes)
LAB_FIELDS(Elsewhere, count, first, call)
LAB_FIELDS(Peaks, memory_gb_per_s, float_gflop_per_s, double_gflop_per_s)
LAB_FIELDS(CallTrace, backend, device, launches, findings, copies, fills, arguments, api, peaks)
LAB_SPARSE(CallTrace)

LAB_FIELDS(Change, element, now)
LAB_FIELDS(Answer, exception, setup, usable, status, status_text, times_ms, values, report, fronts_intact, checksums, changed, elsewhere)
LAB_FIELDS(Crash, address, array, distance, past_end, element, count, stack, local_array, finding)

void to_json(Json& json, const Recording& recording) { json = written(recording); }
void to_json(Json& json, const Recording::Interval& interval) { json = written(interval); }
void to_json(Json& json, const Launch& launch) { json = written(launch); }
void from_json(const Json& json, Launch& launch) { read(json, &launch); }
void to_json(Json& json, const Answer& answer) { json = written(answer); }
void from_json(const Json& json, Answer& answer) {
    read(json, &answer);
    if (!json.contains("status")) throw BadForm("", " has no status");
}
void from_json(const Json& json, Crash& crash) { read(json, &crash); }
void to_json(Json& json, const Elsewhere& elsewhere) { json = written(elsewhere); }
void from_json(const Json& json, Elsewhere& elsewhere) { read(json, &elsewhere); }
void to_json(Json& json, const CallTrace& call) { json = written(call); }
void from_json(const Json& json, CallTrace& call) { read(json, &call); }

}  // namespace lab::trace

namespace lab {

void to_json(nlohmann::json& json, const Finding& finding) { json = trace::written(finding); }
void from_json(const nlohmann::json& json, Finding& finding) {
    finding = {};
    try {
        trace::read(json, &finding);
    } catch (const trace::BadForm& bad) {
        throw bad.inside("finding");
    }
}

}  // namespace lab
