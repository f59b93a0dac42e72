// A struct's JSON form, in both directions, from one table of its fields:
//   constexpr auto fields_of(Type<Write>) { return std::tuple{Field("access", &Write::access), Field("thread", &Write::thread)}; }
// Members may be numbers, texts, named enumerations, optional ones (null), lists, arrays, and structs with a table. Structs marked by
// `is_list` become lists of their fields, since a recording has very many of them. What JSON lacks keeps its value when it is read; what
// has the wrong type throws nlohmann::json::exception, a name that no enumerator has std::out_of_range.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "common/findings/named_enum.h"

namespace lab::trace {

using Json = nlohmann::json;

template <class T>
struct Type {};

template <class Member>
struct Field {
    const char* name;
    Member member;
    constexpr Field(const char* its_name, Member its_member) : name(its_name), member(its_member) {}
};

template <class T>
concept Fielded = requires {
    fields_of(Type<T>{});
};
template <class T>
concept Listed = Fielded<T> && requires {
    is_list(Type<T>{});
};

// Calls `visit(field)` for each of the table.
template <Fielded T, class Visit>
void for_each_field(const Visit& visit) {
    std::apply([&](const auto&... fields) { (visit(fields), ...); }, fields_of(Type<T>{}));
}

template <class T>
Json written(const T& value);
template <class T>
void read(const Json& json, T* value);

namespace detail {

template <class T>
struct Form {
    static Json write(const T& value) { return value; }
    static void read(const Json& json, T* value) { json.get_to(*value); }
};

template <NamedEnum T>
struct Form<T> {
    static Json write(T value) { return std::string(name_of(value)); }
    static void read(const Json& json, T* value) {
        const auto& name = json.get_ref<const std::string&>();
        const auto found = named<T>(name);
        if (!found) throw std::out_of_range("no such name: " + name);
        *value = *found;
    }
};

template <class T>
struct Form<std::optional<T>> {
    static Json write(const std::optional<T>& value) { return value ? written(*value) : Json(); }
    static void read(const Json& json, std::optional<T>* value) {
        value->reset();
        if (json.is_null()) return;
        T one{};
        trace::read(json, &one);
        *value = std::move(one);
    }
};

template <class T>
Json written_list(const T& values) {
    Json json = Json::array();
    for (const auto& value : values) json.push_back(written(value));
    return json;
}

template <class T>
struct Form<std::vector<T>> {
    static Json write(const std::vector<T>& values) { return written_list(values); }
    static void read(const Json& json, std::vector<T>* values) {
        values->clear();
        for (const Json& one : json) trace::read(one, &values->emplace_back());
    }
};

template <class T, std::size_t N>
struct Form<std::array<T, N>> {
    static Json write(const std::array<T, N>& values) { return written_list(values); }
    static void read(const Json& json, std::array<T, N>* values) {
        for (std::size_t i = 0; i < N; ++i) trace::read(json.at(i), &(*values)[i]);
    }
};

template <Fielded T>
struct Form<T> {
    static Json write(const T& value) {
        Json json = Listed<T> ? Json::array() : Json::object();
        for_each_field<T>([&](const auto& field) {
            Json one = written(value.*field.member);
            Listed<T> ? json.push_back(std::move(one)) : void(json[field.name] = std::move(one));
        });
        return json;
    }
    static void read(const Json& json, T* value) {
        std::size_t at = 0;
        for_each_field<T>([&](const auto& field) {
            if constexpr (Listed<T>) {
                trace::read(json.at(at++), &(value->*field.member));
            } else if (const auto found = json.find(field.name); found != json.end()) {
                trace::read(*found, &(value->*field.member));
            }
        });
    }
};

}  // namespace detail

template <class T>
Json written(const T& value) {
    return detail::Form<T>::write(value);
}

template <class T>
void read(const Json& json, T* value) {
    detail::Form<T>::read(json, value);
}

}  // namespace lab::trace
