#include "common/emulator/cuda/recording_report.h"

#include "common/findings/finding_json.h"

namespace lab::cuda {
namespace {

using Json = nlohmann::json;
using machine::Recording;

const char* name_of_kind(machine::AccessKind kind) {
    if (kind == machine::AccessKind::load) return "load";
    return kind == machine::AccessKind::store ? "store" : "atomic";
}

const char* name_of_space(ptx::Space space) {
    if (space == ptx::Space::shared) return "shared";
    return space == ptx::Space::constant ? "constant" : "global";
}

Json index(std::uint32_t value) { return value == Recording::none ? Json() : Json(value); }

Json place(const Recording::Place& where) {
    if (where.line == 0) return nullptr;
    return {{"file", where.file}, {"line", where.line}, {"column", where.column}};
}

Json request(const Recording::Request& request) {
    Json lanes = Json::array();
    for (unsigned lane = 0; lane < machine::warp_size; ++lane) {
        const bool is_active = ((request.mask >> lane) & 1U) != 0;
        lanes.push_back(is_active ? Json(request.lanes[lane]) : Json());
    }
    return {{"block", request.block},     {"warp", request.warp}, {"iteration", request.iteration}, {"of", request.of},
            {"address", request.address}, {"lanes", lanes},       {"cost", request.cost},           {"ideal", request.ideal}};
}

Json access(const Recording::Access& access) {
    Json kept = Json::array();
    for (const Recording::Request& each : access.kept) kept.push_back(request(each));
    return {{"file", access.where.file},
            {"line", access.where.line},
            {"column", access.where.column},
            {"kind", name_of_kind(access.kind)},
            {"space", name_of_space(access.space)},
            {"object", index(access.object)},
            {"bytes", access.bytes},
            {"requests", access.requests},
            {"cost", access.cost},
            {"requested", access.requested},
            {"seen", access.seen},
            {"seen_cost", access.seen_cost},
            {"seen_ideal", access.seen_ideal},
            {"kept", std::move(kept)}};
}

Json threads(const std::vector<Recording::Threads>& list) {
    Json json = Json::array();
    for (const Recording::Threads& each : list) json.push_back({each.access, each.first, each.step, each.count});
    return json;
}

Json side(const Recording::RaceSide& side) {
    return {{"access", index(side.access)}, {"thread", side.thread}, {"kind", name_of_kind(side.kind)}};
}

Json interval(const Recording::Interval& interval) {
    Json words = Json::array();
    for (const Recording::Word& word : interval.words) {
        const Json before = word.before ? Json::array({word.before->access, word.before->thread, word.before->interval}) : Json();
        words.push_back(Json::array({word.word, threads(word.writes), threads(word.reads), before}));
    }
    Json races = Json::array();
    for (const Recording::SharedRace& race : interval.races)
        races.push_back({{"word", race.word}, {"earlier", side(race.earlier)}, {"later", side(race.later)}, {"count", race.count}});
    return {{"block", interval.block},   {"interval", interval.interval}, {"from", place(interval.from)}, {"to", place(interval.to)},
            {"words", std::move(words)}, {"races", std::move(races)},     {"cut", interval.is_cut}};
}

Json runs_of(const std::vector<machine::ByteRun>& runs) {
    Json json = Json::array();
    for (const machine::ByteRun& run : runs) json.push_back({run.begin, run.end - run.begin});
    return json;
}

Json touched(const Recording::Touched& touched) {
    return {{"block", touched.block},          {"interval", touched.interval},
            {"object", index(touched.object)}, {"kind", name_of_kind(touched.kind)},
            {"runs", runs_of(touched.runs)},   {"cut", touched.is_cut}};
}

}  // namespace

Json to_json(const Recording& recording) {
    Json json = {{"blocks", recording.blocks}, {"objects", Json::array()}, {"accesses", Json::array()},
                 {"intervals", Json::array()}, {"touched", Json::array()}, {"first_stores", recording.first_stores}};
    for (const Recording::Object& object : recording.objects) {
        json["objects"].push_back({{"name", object.name},
                                   {"space", name_of_space(object.space)},
                                   {"begin", object.begin},
                                   {"bytes", object.bytes},
                                   {"used", runs_of(object.used)}});
    }
    for (const Recording::Access& each : recording.accesses) json["accesses"].push_back(access(each));
    for (const Recording::Interval& each : recording.intervals) json["intervals"].push_back(interval(each));
    for (const Recording::Touched& each : recording.touched) json["touched"].push_back(touched(each));
    json["races"] = recording.races;
    return json;
}

}  // namespace lab::cuda
