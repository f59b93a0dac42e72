#include "common/classroom/json_schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <set>

#include "common/tools/lines.h"

namespace lab::classroom {
namespace {

using nlohmann::json;

std::string text_of(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

class Validator {
public:
    explicit Validator(const json& root) : root_(root) {}

    std::vector<Violation> check(const json& value, const json& schema, const std::string& place) {
        const std::size_t before = found_.size();
        for (const auto& [keyword, rule] : schema.items()) {
            const auto known = keywords.find(keyword);
            const bool is_unknown = known == keywords.end() && others.count(keyword) == 0;
            std::string what = is_unknown ? "unknown keyword " + keyword : known == keywords.end() ? "" : known->second(value, rule);
            if (!what.empty()) found_.push_back({place, std::move(what)});
        }
        if (schema.contains("$ref")) check(value, root_.at(json::json_pointer(schema.at("$ref").get<std::string>().substr(1))), place);
        if (value.is_object()) check_members(value, schema, place);
        for (std::size_t i = 0; value.is_array() && schema.contains("items") && i < value.size(); ++i)
            check(value[i], schema.at("items"), place + "/" + std::to_string(i));
        if (schema.contains("anyOf")) check_forms(value, schema.at("anyOf"), place);
        return {found_.begin() + static_cast<std::ptrdiff_t>(before), found_.end()};
    }

private:
    // Violation of a keyword's rule by a value, in words; "" if there is none.
    using Check = std::string (*)(const json& value, const json& rule);
    static const std::map<std::string, Check> keywords;
    static const std::set<std::string> others;  // annotations, and what check() does itself

    void check_members(const json& value, const json& schema, const std::string& place) {
        const json properties = schema.value("properties", json::object()), rest = schema.value("additionalProperties", json());
        std::vector<std::string> names;
        for (const auto& property : properties.items()) names.push_back(property.key());
        for (const auto& [name, member] : value.items()) {
            const std::string its = place + "/" + name;
            if (properties.contains(name)) {
                check(member, properties.at(name), its);
            } else if (rest.is_object()) {
                check(member, rest, its);
            } else if (rest == false) {
                found_.push_back({its, fmt::format("unknown; nearest: {}", fmt::join(tools::nearest(names, name), ", "))});
            }
        }
        for (const std::string name : schema.value("required", json::array())) {
            if (!value.contains(name)) found_.push_back({place + "/" + name, "missing"});
        }
    }

    void check_forms(const json& value, const json& forms, const std::string& place) {
        if (std::none_of(forms.begin(), forms.end(), [&](const json& one) { return Validator(root_).check(value, one, place).empty(); }))
            found_.push_back({place, "none of the forms that it may have"});
    }

    const json& root_;
    std::vector<Violation> found_;
};

bool has_type(const json& value, const json& type) { return type == "integer" ? value.is_number_integer() : type == value.type_name(); }

std::size_t characters(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; }));
}

const std::set<std::string> Validator::others{"$schema", "title",      "description",          "default",  "format", "$defs",
                                              "$ref",    "properties", "additionalProperties", "required", "items",  "anyOf"};

const std::map<std::string, Validator::Check> Validator::keywords{
    {"type",
     [](const json& value, const json& rule) {
         return has_type(value, rule) ? "" : fmt::format("{} is no {}", text_of(value), rule.get<std::string>());
     }},
    {"const",
     [](const json& value, const json& rule) { return value == rule ? "" : fmt::format("{} is not {}", text_of(value), text_of(rule)); }},
    {"enum",
     [](const json& value, const json& rule) {
         const bool is_there = std::find(rule.begin(), rule.end(), value) != rule.end();
         return is_there ? "" : fmt::format("{} is none of {}", text_of(value), text_of(rule));
     }},
    {"minimum",
     [](const json& value, const json& rule) {
         return value.is_number() && value < rule ? fmt::format("{} is less than {}", text_of(value), text_of(rule)) : "";
     }},
    {"maximum",
     [](const json& value, const json& rule) {
         return value.is_number() && value > rule ? fmt::format("{} is more than {}", text_of(value), text_of(rule)) : "";
     }},
    {"maxLength",
     [](const json& value, const json& rule) -> std::string { return value.is_string() && characters(value) > rule ? "too long" : ""; }},
    {"pattern",
     [](const json& value, const json& rule) -> std::string {
         const std::regex pattern(rule.get<std::string>(), std::regex::ECMAScript);
         return value.is_string() && !std::regex_search(value.get<std::string>(), pattern) ? "has another form" : "";
     }},
};

}  // namespace

std::vector<Violation> violations(const json& value, const json& schema) { return Validator(schema).check(value, schema, ""); }

}  // namespace lab::classroom
