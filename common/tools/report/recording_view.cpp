#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "common/report/access_name.h"
#include "common/tools/report/launch_view.h"
#include "common/trace/json.h"

namespace lab::tools {
namespace {

using Json = nlohmann::json;
using trace::Recording;
using trace::Space;

constexpr std::uint64_t line_bytes = 128;

// Elements of a row of an array that is a matrix of the launch's size, or of its transpose; null for a vector.
Json columns_of(const StudyArray& array, const LaunchSubject& subject) {
    if (!subject.size) return nullptr;
    const auto x = static_cast<std::uint64_t>(subject.size->x);
    const auto y = static_cast<std::uint64_t>(subject.size->y);
    if (array.count == x * y && x > 1) {
        const bool is_transposed = array.is_output && subject.work.flops == 0 && x != y;
        return is_transposed ? y : x;
    }
    if (array.count == y * y && y > 1) return y;
    return nullptr;
}

Json objects_view(const Recording& recording, const LaunchSubject& subject) {
    Json views = Json::array();
    for (const Recording::Object& object : recording.objects) {
        Json view = {{"name", object.name},
                     {"space", name_of(object.space)},
                     {"bytes", object.bytes},
                     {"columns", nullptr},
                     {"element_bytes", subject.element_bytes}};
        if (object.space == Space::shared) view["offset"] = object.begin;
        const auto array = std::ranges::find(subject.arrays, object.name, &StudyArray::name);
        if (array != subject.arrays.end()) view["columns"] = columns_of(*array, subject);
        const auto access = std::ranges::find(recording.accesses, std::optional<std::uint32_t>(views.size()), &Recording::Access::object);
        if (array == subject.arrays.end() && access != recording.accesses.end()) view["element_bytes"] = access->bytes;
        views.push_back(std::move(view));
    }
    return views;
}

Json blocks_view(const trace::Launch& launch) {
    Json views = Json::array();
    for (const std::uint64_t linear : launch.recording->blocks) {
        const std::uint64_t rows = linear / launch.grid.x;
        views.push_back({{"index", {linear % launch.grid.x, rows % launch.grid.y, rows / launch.grid.y}}, {"linear", linear}});
    }
    return views;
}

std::string pattern_of(const Recording::Request& request, const Recording::Access& access) {
    report::LaneAccess named;
    named.lanes = request.lanes;
    named.bytes = access.bytes;
    named.address = request.address;
    named.is_shared = access.space == Space::shared;
    return report::access_name(named);
}

template <typename T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

Json request_view(const Recording::Request& request, const Recording::Access& access, const std::vector<Recording::Object>& objects) {
    const bool is_shared = access.space == Space::shared;
    Json lanes = Json::array();
    for (const auto& offset : request.lanes) lanes.push_back(or_null(offset));
    Json view = {{"block", request.block},
                 {"warp", request.warp},
                 {"iteration", request.iteration},
                 {"of", request.of},
                 {"object", or_null(access.object)},
                 {"base", access.object ? Json(static_cast<std::int64_t>(request.address - objects.at(*access.object).begin)) : Json()},
                 {"lanes", std::move(lanes)},
                 {"sectors", is_shared ? 0 : request.cost},
                 {"wavefronts", is_shared ? request.cost : 0},
                 {"ideal", request.ideal},
                 {"pattern", pattern_of(request, access)}};
    is_shared ? view["shared_base"] = request.address : view["offset_in_line"] = request.address % line_bytes;
    return view;
}

// The most frequent; of several as frequent ones the first.
std::string main_pattern(const Json& kept) {
    std::map<std::string, int> counts;
    std::string most;
    for (const Json& each : kept) {
        const std::string pattern = each.at("pattern");
        ++counts[pattern];
    }
    for (const Json& each : kept) {
        const std::string pattern = each.at("pattern");
        if (most.empty() || counts[pattern] > counts[most]) most = pattern;
    }
    return most;
}

Json place_view(const Recording::Place& place, ReportSources* sources) {
    return place.line == 0 ? Json() : sources->place(place.file, place.line, place.column);
}

Json access_view(const Recording::Access& access, const std::vector<Recording::Object>& objects, ReportSources* sources) {
    const Json place = sources->place(access.where.file, access.where.line, access.where.column);
    Json kept = Json::array();
    for (const Recording::Request& request : access.kept) kept.push_back(request_view(request, access, objects));
    const auto seen = static_cast<double>(access.seen);
    const double ideal = seen > 0 ? std::round(static_cast<double>(access.seen_ideal) / seen * static_cast<double>(access.requests)) : 0;
    const char* const unit = access.space == Space::shared ? "wavefronts" : access.space == Space::constant ? "passes" : "sectors";
    return {{"source", place.is_null() ? Json() : place.at("source")},
            {"line", access.where.line},
            {"column", access.where.column},
            {"kind", name_of(access.kind)},
            {"space", name_of(access.space)},
            {"object", or_null(access.object)},
            {"bytes", access.bytes},
            {"executions", access.requests},
            {"cost", access.cost},
            {"ideal", static_cast<std::uint64_t>(ideal)},
            {"unit", unit},
            {"pattern", main_pattern(kept)},
            {"kept", std::move(kept)}};
}

// Whether the views of shared memory show a race between two places, whichever came first.
bool is_shown(const Json& view, const Json& one, const Json& other) {
    const auto is_at = [&](const Json& side, const Json& place) {
        if (side.at("access").is_null() || place.is_null()) return false;
        const Json& access = view.at("accesses").at(side.at("access").get<std::size_t>());
        return access.at("source") == place.at("source") && access.at("line") == place.at("line");
    };
    for (const Json& interval : view.at("shared")) {
        for (const Json& race : interval.at("races")) {
            const auto& [earlier, later] = std::tie(race.at("earlier"), race.at("later"));
            if ((is_at(earlier, one) && is_at(later, other)) || (is_at(earlier, other) && is_at(later, one))) return true;
        }
    }
    return false;
}

Json race_side(const Place& place, ReportSources* sources) {
    const char* const kind = place.role == PlaceRole::read ? "load" : place.role == PlaceRole::write ? "store" : "atomic";
    const Index thread = place.thread.value_or(Index{});
    return {{"place", sources->place(place.source)}, {"thread", {thread.x, thread.y, thread.z}}, {"kind", kind}};
}

// "tile, word 3", as the page names words.
std::string word_of(const Location& location) {
    constexpr std::int64_t word_bytes = 4;
    return fmt::format("{}, word {}", location.object.name.empty() ? "shared memory" : location.object.name, location.offset / word_bytes);
}

// Races of the launch in blocks and intervals that were not recorded.
Json other_races(const std::vector<Finding>& races, const Json& view, ReportSources* sources) {
    Json others = Json::array();
    for (const Finding& race : races) {
        if (race.places.size() < 2) continue;
        Json earlier = race_side(race.places[0], sources);
        Json later = race_side(race.places[1], sources);
        if (is_shown(view, earlier.at("place"), later.at("place"))) continue;
        const Index block = race.who().block;
        others.push_back({{"block", {block.x, block.y, block.z}},
                          {"element", race.locations.empty() ? "" : word_of(race.locations.front())},
                          {"earlier", std::move(earlier)},
                          {"later", std::move(later)},
                          {"count", race.count}});
    }
    return others;
}

}  // namespace

void add_recording(const trace::Launch& launch, const LaunchSubject& subject, ReportSources* sources, Json* view) {
    for (const char* const list : {"objects", "blocks", "accesses", "shared", "other_races", "tiles"}) (*view)[list] = Json::array();
    (*view)["recording_note"] = "";
    if (!launch.recording) return;
    const Recording& recording = *launch.recording;
    (*view)["objects"] = objects_view(recording, subject);
    (*view)["blocks"] = blocks_view(launch);
    for (const Recording::Access& access : recording.accesses)
        (*view)["accesses"].push_back(access_view(access, recording.objects, sources));
    for (const Recording::Interval& interval : recording.intervals) {
        Json shared = interval;
        shared["from"] = place_view(interval.from, sources);
        shared["to"] = place_view(interval.to, sources);
        (*view)["shared"].push_back(std::move(shared));
    }
    (*view)["other_races"] = other_races(recording.races, *view, sources);
    // One entry for each block and interval.
    std::map<std::pair<std::uint32_t, std::uint32_t>, Json> tiles;
    for (const Recording::Touched& touched : recording.touched) {
        Json& tile = tiles[{touched.block, touched.interval}];
        tile["block"] = touched.block;
        tile["interval"] = touched.interval;
        Json runs = Json::array();
        for (const trace::ByteRun& run : touched.runs) runs.push_back({run.begin, run.bytes()});
        tile["touched"].push_back(
            {{"object", touched.object}, {"kind", name_of(touched.kind)}, {"runs", std::move(runs)}, {"cut", touched.is_cut}});
    }
    for (auto& [key, tile] : tiles) (*view)["tiles"].push_back(std::move(tile));
    const std::uint64_t blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
    if (recording.blocks.size() < blocks)
        (*view)["recording_note"] = fmt::format("Single accesses are those of {} of {} blocks; counts {} the whole launch.",
                                                recording.blocks.size(), blocks, launch.is_estimate ? "are estimated for" : "are of");
}

}  // namespace lab::tools
