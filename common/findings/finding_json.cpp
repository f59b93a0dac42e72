#include "common/findings/finding_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "common/findings/finding_text.h"

namespace lab {
namespace {

using Json = nlohmann::json;

template <typename T>
void put(Json& json, const char* name, const T& value, const T& otherwise = {}) {
    if (value != otherwise) json[name] = value;
}

Json to_json(const Index& index) { return Json::array({index.x, index.y, index.z}); }

void put(Json& json, const SourceLine& source) {
    put(json, "file", source.file);
    put(json, "line", source.line);
    put(json, "column", source.column);
    put(json, "first_line", source.first_line);
}

Json to_json(const Place& place) {
    Json json = {{"role", name_of(place.role)}};
    put(json, place.source);
    if (place.block) json["block"] = to_json(*place.block);
    if (place.thread) json["thread"] = to_json(*place.thread);
    put(json, "actor", place.actor);
    put(json, "stream", place.stream);
    return json;
}

Json to_json(const Object& object) {
    Json json = {{"kind", name_of(object.kind)}};
    put(json, "name", object.name);
    put(json, "size", object.size);
    if (object.allocated_at != SourceLine{}) put(json["allocated_at"] = Json::object(), object.allocated_at);
    if (object.freed_at != SourceLine{}) put(json["freed_at"] = Json::object(), object.freed_at);
    put(json, "is_freed", object.is_freed);
    put(json, "is_dynamic", object.is_dynamic);
    put(json, "region", object.region);
    return json;
}

Json to_json(const Location& location) {
    Json json = {{"role", name_of(location.role)}, {"relation", name_of(location.relation)}, {"object", to_json(location.object)}};
    put(json, "address", location.address);
    put(json, "offset", location.offset);
    put(json, "bytes", location.bytes);
    put(json, "distance", location.distance);
    if (location.is_written) json["is_written"] = *location.is_written;
    return json;
}

template <typename T>
bool is_in_range(const Json& number) {
    if (number.is_number_unsigned()) return number.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    return number.is_number_integer() && number.get<std::int64_t>() >= static_cast<std::int64_t>(std::numeric_limits<T>::min()) &&
           static_cast<std::uint64_t>(std::max<std::int64_t>(0, number.get<std::int64_t>())) <=
               static_cast<std::uint64_t>(std::numeric_limits<T>::max());
}

// Reads the fields of one JSON object; `what_` names its position, for the message.
class Fields {
public:
    Fields(const Json& json, std::string what) : json_(json), what_(std::move(what)) {
        if (!json_.is_object()) throw BadFinding(what_ + " is no object");
    }
    template <typename T>
    void get(const char* name, T* into) const {
        const auto found = json_.find(name);
        if (found == json_.end()) return;
        if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
            if (!is_in_range<T>(*found)) refuse(name, *found);
        }
        try {
            *into = found->get<T>();
        } catch (const Json::exception&) {
            refuse(name, *found);
        }
    }
    template <NamedEnum Enum>
    void get(const char* name, Enum* into) const {
        if (!json_.contains(name)) return;
        std::string text;
        get(name, &text);
        const auto value = named<Enum>(text);
        if (!value) refuse(name, text);
        *into = *value;
    }
    void get(const char* name, std::optional<Index>* into) const {
        if (!json_.contains(name)) return;
        std::array<std::uint32_t, 3> numbers{};
        get(name, &numbers);
        *into = Index{numbers[0], numbers[1], numbers[2]};
    }
    void get(const char* name, std::optional<bool>* into) const {
        bool value = false;
        get(name, &value);
        if (json_.contains(name)) *into = value;
    }
    void get(SourceLine* into) const {
        get("file", &into->file);
        get("line", &into->line);
        get("column", &into->column);
        get("first_line", &into->first_line);
    }
    [[nodiscard]] std::optional<Fields> inside(const char* name) const {
        return json_.contains(name) ? std::optional(Fields(json_.at(name), fmt::format("{}.{}", what_, name))) : std::nullopt;
    }
    template <typename Read>
    void each(const char* name, const Read& read) const {
        const auto found = json_.find(name);
        if (found == json_.end()) return;
        if (!found->is_array()) refuse(name, *found);
        for (std::size_t i = 0; i < found->size(); ++i) read(Fields((*found)[i], fmt::format("{}.{}[{}]", what_, name, i)));
    }
    void require(const char* name) const {
        if (!json_.contains(name)) throw BadFinding(fmt::format("{} has no {}", what_, name));
    }
    [[noreturn]] void refuse(const char* name, const Json& value) const {
        throw BadFinding(fmt::format("{}.{}: can't be {}", what_, name, value.dump(-1, ' ', false, Json::error_handler_t::replace)));
    }

private:
    const Json& json_;
    std::string what_;
};

Place place_from(const Fields& fields) {
    Place place;
    fields.get("role", &place.role);
    fields.get(&place.source);
    fields.get("block", &place.block);
    fields.get("thread", &place.thread);
    fields.get("actor", &place.actor);
    fields.get("stream", &place.stream);
    return place;
}

Object object_from(const Fields& fields) {
    Object object;
    fields.get("kind", &object.kind);
    fields.get("name", &object.name);
    fields.get("size", &object.size);
    if (const auto allocated = fields.inside("allocated_at")) allocated->get(&object.allocated_at);
    if (const auto freed = fields.inside("freed_at")) freed->get(&object.freed_at);
    fields.get("is_freed", &object.is_freed);
    fields.get("is_dynamic", &object.is_dynamic);
    fields.get("region", &object.region);
    return object;
}

Location location_from(const Fields& fields) {
    Location location;
    fields.get("role", &location.role);
    fields.get("relation", &location.relation);
    if (const auto object = fields.inside("object")) location.object = object_from(*object);
    fields.get("address", &location.address);
    fields.get("offset", &location.offset);
    fields.get("bytes", &location.bytes);
    fields.get("distance", &location.distance);
    fields.get("is_written", &location.is_written);
    return location;
}

}  // namespace

void to_json(Json& json, const Finding& finding) {
    json = {{"kind", name_of(finding.kind)}, {"headline", finding.headline}, {"text", text_without_place(finding)}};
    put(json, "stops", finding.stops);
    put(json, "is_mistake", finding.is_mistake);
    put(json, "is_next_iteration", finding.is_next_iteration);
    put(json, "has_barrier_between", finding.has_barrier_between);
    put(json, "count", finding.count, std::uint64_t{1});
    put(json, "kernel", finding.kernel);
    put(json, "call", finding.call);
    put(json, "error", finding.error);
    put(json, "space", std::string(name_of(finding.space)));
    if (finding.grid) json["grid"] = to_json(*finding.grid);
    if (finding.block) json["block"] = to_json(*finding.block);
    put(json, "operation", finding.operation);
    put(json, "details", finding.details);
    put(json, "advice", finding.advice);
    for (const Place& place : finding.places) json["places"].push_back(to_json(place));
    for (const Location& location : finding.locations) json["locations"].push_back(to_json(location));
    for (const auto& [quantity, value] : finding.measured) json["measured"][std::string(name_of(quantity))] = value;
}

void from_json(const Json& json, Finding& finding) {
    const Fields fields(json, "finding");
    finding = {};
    fields.require("kind");
    fields.get("kind", &finding.kind);
    fields.get("headline", &finding.headline);
    fields.get("stops", &finding.stops);
    fields.get("is_mistake", &finding.is_mistake);
    fields.get("is_next_iteration", &finding.is_next_iteration);
    fields.get("has_barrier_between", &finding.has_barrier_between);
    fields.get("count", &finding.count);
    fields.get("kernel", &finding.kernel);
    fields.get("call", &finding.call);
    fields.get("error", &finding.error);
    fields.get("space", &finding.space);
    fields.get("grid", &finding.grid);
    fields.get("block", &finding.block);
    fields.get("operation", &finding.operation);
    fields.get("details", &finding.details);
    fields.get("advice", &finding.advice);
    fields.each("places", [&](const Fields& place) { finding.places.push_back(place_from(place)); });
    fields.each("locations", [&](const Fields& location) { finding.locations.push_back(location_from(location)); });
    std::map<std::string, std::uint64_t> measured;
    fields.get("measured", &measured);
    for (const auto& [name, value] : measured) {
        const auto quantity = named<Quantity>(name);
        if (!quantity) fields.refuse("measured", name);
        finding.measured[*quantity] = value;
    }
}

}  // namespace lab
