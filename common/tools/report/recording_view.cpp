#include "common/tools/report/recording_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "common/findings/finding_json.h"
#include "common/report/access_name.h"

namespace lab::tools {
namespace {

using Json = nlohmann::json;

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

Json objects_view(const Json& recording, const LaunchSubject& subject) {
    Json views = Json::array();
    for (const Json& object : recording.at("objects")) {
        Json view = {{"name", object.at("name")},
                     {"space", object.at("space")},
                     {"bytes", object.at("bytes")},
                     {"columns", nullptr},
                     {"element_bytes", subject.element_bytes}};
        if (object.at("space") == "shared") view["offset"] = object.at("begin");
        const auto array = std::find_if(subject.arrays.begin(), subject.arrays.end(),
                                        [&](const StudyArray& each) { return each.name == object.at("name").get<std::string>(); });
        if (array != subject.arrays.end()) view["columns"] = columns_of(*array, subject);
        const auto access = std::find_if(recording.at("accesses").begin(), recording.at("accesses").end(),
                                         [&](const Json& each) { return each.at("object") == views.size(); });
        if (array == subject.arrays.end() && access != recording.at("accesses").end()) view["element_bytes"] = access->at("bytes");
        views.push_back(std::move(view));
    }
    return views;
}

Json blocks_view(const Json& launch) {
    const auto x = launch.at("grid")[0].get<std::uint64_t>();
    const auto y = launch.at("grid")[1].get<std::uint64_t>();
    Json views = Json::array();
    for (const Json& block : launch.at("recording").at("blocks")) {
        const auto linear = block.get<std::uint64_t>();
        views.push_back({{"index", {linear % x, linear / x % y, linear / x / y}}, {"linear", linear}});
    }
    return views;
}

std::string pattern_of(const Json& request, const Json& access) {
    report::LaneAccess named;
    for (std::size_t lane = 0; lane < named.lanes.size(); ++lane) {
        if (const Json& offset = request.at("lanes")[lane]; !offset.is_null()) named.lanes[lane] = offset.get<std::int64_t>();
    }
    named.bytes = access.at("bytes").get<std::uint32_t>();
    named.address = request.at("address").get<std::uint64_t>();
    named.is_shared = access.at("space") == "shared";
    return report::access_name(named);
}

Json request_view(const Json& request, const Json& access, const Json& objects) {
    const bool is_shared = access.at("space") == "shared";
    const auto address = request.at("address").get<std::uint64_t>();
    const Json& object = access.at("object");
    const std::uint64_t begin = object.is_null() ? 0 : objects.at(object.get<std::size_t>()).at("begin").get<std::uint64_t>();
    Json view = {{"block", request.at("block")},
                 {"warp", request.at("warp")},
                 {"iteration", request.at("iteration")},
                 {"of", request.at("of")},
                 {"object", object},
                 {"base", object.is_null() ? Json() : Json(static_cast<std::int64_t>(address - begin))},
                 {"lanes", request.at("lanes")},
                 {"sectors", is_shared ? Json(0) : request.at("cost")},
                 {"wavefronts", is_shared ? request.at("cost") : Json(0)},
                 {"ideal", request.at("ideal")},
                 {"pattern", pattern_of(request, access)}};
    is_shared ? view["shared_base"] = address : view["offset_in_line"] = address % line_bytes;
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

Json access_view(const Json& access, const Json& objects, ReportSources* sources) {
    const Json place = sources->place(access.at("file").get<std::string>(), access.at("line").get<std::uint32_t>(),
                                      access.at("column").get<std::uint32_t>());
    Json kept = Json::array();
    for (const Json& request : access.at("kept")) kept.push_back(request_view(request, access, objects));
    const double seen = access.at("seen").get<double>();
    const double requests = access.at("requests").get<double>();
    const double ideal = seen > 0 ? std::round(access.at("seen_ideal").get<double>() / seen * requests) : 0;
    const std::string space = access.at("space");
    const char* const unit = space == "shared" ? "wavefronts" : space == "constant" ? "passes" : "sectors";
    return {{"source", place.is_null() ? Json() : place.at("source")},
            {"line", access.at("line")},
            {"column", access.at("column")},
            {"kind", access.at("kind")},
            {"space", space},
            {"object", access.at("object")},
            {"bytes", access.at("bytes")},
            {"executions", access.at("requests")},
            {"cost", access.at("cost")},
            {"ideal", static_cast<std::uint64_t>(ideal)},
            {"unit", unit},
            {"pattern", main_pattern(kept)},
            {"kept", std::move(kept)}};
}

Json place_view(const Json& place, ReportSources* sources) {
    if (place.is_null()) return nullptr;
    return sources->place(place.at("file").get<std::string>(), place.at("line").get<std::uint32_t>(),
                          place.at("column").get<std::uint32_t>());
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
Json other_races(const Json& races, const Json& view, ReportSources* sources) {
    Json others = Json::array();
    for (const Json& json : races) {
        const auto race = json.get<Finding>();
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

void add_recording(const Json& launch, const LaunchSubject& subject, ReportSources* sources, Json* view) {
    for (const char* const list : {"objects", "blocks", "accesses", "shared", "other_races", "tiles"}) (*view)[list] = Json::array();
    (*view)["recording_note"] = "";
    if (!launch.contains("recording")) return;
    const Json& recording = launch.at("recording");
    (*view)["objects"] = objects_view(recording, subject);
    (*view)["blocks"] = blocks_view(launch);
    for (const Json& access : recording.at("accesses"))
        (*view)["accesses"].push_back(access_view(access, recording.at("objects"), sources));
    for (Json interval : recording.at("intervals")) {
        interval["from"] = place_view(interval.at("from"), sources);
        interval["to"] = place_view(interval.at("to"), sources);
        (*view)["shared"].push_back(std::move(interval));
    }
    (*view)["other_races"] = other_races(recording.at("races"), *view, sources);
    // One entry for each block and interval.
    std::map<std::pair<std::size_t, std::size_t>, Json> tiles;
    for (const Json& touched : recording.at("touched")) {
        Json& tile = tiles[{touched.at("block"), touched.at("interval")}];
        tile["block"] = touched.at("block");
        tile["interval"] = touched.at("interval");
        tile["touched"].push_back(
            {{"object", touched.at("object")}, {"kind", touched.at("kind")}, {"runs", touched.at("runs")}, {"cut", touched.at("cut")}});
    }
    for (auto& [key, tile] : tiles) (*view)["tiles"].push_back(std::move(tile));
    const std::uint64_t blocks =
        launch.at("grid")[0].get<std::uint64_t>() * launch.at("grid")[1].get<std::uint64_t>() * launch.at("grid")[2].get<std::uint64_t>();
    const std::size_t recorded = recording.at("blocks").size();
    if (recorded < blocks)
        (*view)["recording_note"] = fmt::format("Single accesses are those of {} of {} blocks; counts {} the whole launch.", recorded,
                                                blocks, launch.value("is_estimate", false) ? "are estimated for" : "are of");
}

}  // namespace lab::tools
