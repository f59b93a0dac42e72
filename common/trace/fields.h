// A struct's JSON form, in both directions, from one table of its fields, in the struct's namespace: LAB_FIELDS(Write, access, thread).
// Members may be numbers, texts, named enumerations, optional ones and shared pointers (null), lists, arrays, maps, structs with a table,
// and what nlohmann::json converts. What JSON lacks keeps its value when it is read; what can't be read throws BadForm.
#pragma once

#include <fmt/format.h>

#include <array>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/findings/named_enum.h"
#include "common/trace/json.h"

namespace lab::trace {

using Json = nlohmann::json;

[[noreturn]] inline void refuse(const Json& value) {
    throw BadForm("", "can't be " + value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

template <class T>
struct Type {};

template <class T>
concept Fielded = requires {
    fields_of(Type<T>{});
};
// A struct that is written as a list of its fields, since there are very many of it.
template <class T>
concept Listed = Fielded<T> && requires {
    is_list(Type<T>{});
};
// A struct of which only fields are written that differ from a new one's.
template <class T>
concept Sparse = Fielded<T> && requires {
    is_sparse(Type<T>{});
};

template <class T>
Json written(const T& value);
template <class T>
void read(const Json& json, T* value);
template <class T>
bool are_same(const T& one, const T& other);

// Tables. LAB_FIELDS: a field for each member, by its name. LAB_LIST: the same of a struct that is written as a list.
#define LAB_AGAIN(...) LAB_AGAIN_3(LAB_AGAIN_3(LAB_AGAIN_3(__VA_ARGS__)))
#define LAB_AGAIN_3(...) LAB_AGAIN_2(LAB_AGAIN_2(LAB_AGAIN_2(__VA_ARGS__)))
#define LAB_AGAIN_2(...) LAB_AGAIN_1(LAB_AGAIN_1(LAB_AGAIN_1(__VA_ARGS__)))
#define LAB_AGAIN_1(...) __VA_ARGS__
#define LAB_NOTHING
#define LAB_NEXT_FIELD() LAB_EACH_FIELD
#define LAB_EACH_FIELD(member, ...) lab::trace::Field(#member, &LabStruct::member) __VA_OPT__(, LAB_NEXT_FIELD LAB_NOTHING()(__VA_ARGS__))
#define LAB_FIELDS(Struct, ...)                                    \
    constexpr auto fields_of(lab::trace::Type<Struct> /*any*/) {   \
        using LabStruct = Struct;                                  \
        return std::tuple{LAB_AGAIN(LAB_EACH_FIELD(__VA_ARGS__))}; \
    }
#define LAB_LIST(Struct, ...)       \
    LAB_FIELDS(Struct, __VA_ARGS__) \
    constexpr void is_list(lab::trace::Type<Struct> /*any*/) {}
#define LAB_SPARSE(Struct) \
    constexpr void is_sparse(lab::trace::Type<Struct> /*any*/) {}

// Calls `visit(field)` for each of the table.
template <Fielded T, class Visit>
void for_each_field(const Visit& visit) {
    std::apply([&](const auto&... fields) { (visit(fields), ...); }, fields_of(Type<T>{}));
}

// A member under a name.
enum class Presence : std::uint8_t { usual, always, required };  // in a sparse struct; what is required has to be there to be read
template <class T, class Value>
struct Field {
    const char* name;
    Value T::*member;
    Presence presence;
    constexpr Field(const char* its_name, Value T::*its_member, Presence its_presence = Presence::usual)
        : name(its_name), member(its_member), presence(its_presence) {}

    void put(const T& value, Json* json) const {
        if constexpr (Sparse<T>) {
            static const T fresh{};
            if (presence == Presence::usual && are_same(value.*member, fresh.*member)) return;
        }
        (*json)[name] = written(value.*member);
    }
    void take(const Json& json, T* value) const {
        const auto found = json.find(name);
        if (found == json.end()) {
            if (presence == Presence::required) throw BadForm("", std::string(" has no ") + name);
            return;
        }
        try {
            read(*found, &(value->*member));
        } catch (const BadForm& bad) {
            throw bad.inside(name);
        }
    }
};
// The fields of a member, among those of the struct.
template <class T, class Value>
struct Inlined {
    Value T::*member;
    constexpr explicit Inlined(Value T::*its_member) : member(its_member) {}
    void put(const T& value, Json* json) const { json->update(written(value.*member)); }
    void take(const Json& json, T* value) const { read(json, &(value->*member)); }
};
// What follows from others: written, not read.
template <class T, class Value>
struct Computed {
    const char* name;
    Value (*compute)(const T&);
    constexpr Computed(const char* its_name, Value (*its_compute)(const T&)) : name(its_name), compute(its_compute) {}
    void put(const T& value, Json* json) const { (*json)[name] = written(compute(value)); }
    void take(const Json& /*json*/, T* /*value*/) const {}
};

namespace detail {

template <class T>
struct Form {
    static Json write(const T& value) { return value; }
    static void read(const Json& json, T* value) {
        if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
            using Limits = std::numeric_limits<T>;
            const bool is_large = json.is_number_integer() && (json.is_number_unsigned() || json.get<std::int64_t>() >= 0) &&
                                  json.get<std::uint64_t>() > static_cast<std::uint64_t>(Limits::max());
            const bool is_small = json.is_number_integer() && !json.is_number_unsigned() && json.get<std::int64_t>() < 0 &&
                                  (std::is_unsigned_v<T> || json.get<std::int64_t>() < static_cast<std::int64_t>(Limits::min()));
            if (!json.is_number_integer() || is_large || is_small) refuse(json);
        }
        try {
            json.get_to(*value);
        } catch (const Json::exception&) {
            refuse(json);
        }
    }
};

template <NamedEnum T>
struct Form<T> {
    static Json write(T value) { return std::string(lab::name_of(value)); }
    static void read(const Json& json, T* value) {
        const auto found = json.is_string() ? named<T>(json.get_ref<const std::string&>()) : std::nullopt;
        if (!found) refuse(json);
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
struct Form<std::shared_ptr<const T>> {
    static Json write(const std::shared_ptr<const T>& value) { return value ? written(*value) : Json(); }
    static void read(const Json& json, std::shared_ptr<const T>* value) {
        value->reset();
        if (json.is_null()) return;
        auto one = std::make_shared<T>();
        trace::read(json, one.get());
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
void read_element(const Json& json, std::size_t at, T* value) {
    try {
        trace::read(json[at], value);
    } catch (const BadForm& bad) {
        throw bad.inside(fmt::format("[{}]", at));
    }
}

template <class T>
struct Form<std::vector<T>> {
    static Json write(const std::vector<T>& values) { return written_list(values); }
    static void read(const Json& json, std::vector<T>* values) {
        if (!json.is_array()) refuse(json);
        values->clear();
        for (std::size_t i = 0; i < json.size(); ++i) read_element(json, i, &values->emplace_back());
    }
};

template <class T, std::size_t N>
struct Form<std::array<T, N>> {
    static Json write(const std::array<T, N>& values) { return written_list(values); }
    static void read(const Json& json, std::array<T, N>* values) {
        if (!json.is_array() || json.size() < N) refuse(json);
        for (std::size_t i = 0; i < N; ++i) read_element(json, i, &(*values)[i]);
    }
};

template <class T>
struct Form<std::map<std::string, T>> {
    static Json write(const std::map<std::string, T>& values) {
        Json json = Json::object();
        for (const auto& [name, value] : values) json[name] = written(value);
        return json;
    }
    static void read(const Json& json, std::map<std::string, T>* values) {
        if (!json.is_object()) refuse(json);
        values->clear();
        for (const auto& [name, one] : json.items()) trace::read(one, &(*values)[name]);
    }
};

template <NamedEnum Name, class T>
struct Form<std::map<Name, T>> {
    static Json write(const std::map<Name, T>& values) {
        Json json = Json::object();
        for (const auto& [name, value] : values) json[std::string(lab::name_of(name))] = written(value);
        return json;
    }
    static void read(const Json& json, std::map<Name, T>* values) {
        if (!json.is_object()) refuse(json);
        values->clear();
        for (const auto& [text, one] : json.items()) {
            const auto name = named<Name>(text);
            if (!name) refuse(text);
            trace::read(one, &(*values)[*name]);
        }
    }
};

template <Fielded T>
struct Form<T> {
    static Json write(const T& value) {
        Json json = Listed<T> ? Json::array() : Json::object();
        for_each_field<T>([&](const auto& field) {
            if constexpr (Listed<T>) {
                json.push_back(written(value.*field.member));
            } else {
                field.put(value, &json);
            }
        });
        return json;
    }
    static void read(const Json& json, T* value) {
        if (Listed<T> && (!json.is_array() || json.size() < std::tuple_size_v<decltype(fields_of(Type<T>{}))>)) refuse(json);
        if (!Listed<T> && !json.is_object()) throw BadForm("", " is no object");
        std::size_t at = 0;
        for_each_field<T>([&](const auto& field) {
            if constexpr (Listed<T>) {
                read_element(json, at++, &(value->*field.member));
            } else {
                field.take(json, value);
            }
        });
    }
};

// Lists and maps, but not arrays.
template <class T>
concept Emptied = requires(T value) {
    value.empty();
    value.clear();
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

// Of lists, and of structs, only whether both are empty, or as new, is of interest.
template <class T>
bool are_same(const T& one, const T& other) {
    if constexpr (Fielded<T>) {
        bool same = true;
        for_each_field<T>([&](const auto& field) {
            if constexpr (requires { field.member; }) same = same && are_same(one.*field.member, other.*field.member);
        });
        return same;
    } else if constexpr (detail::Emptied<T>) {
        return one.empty() && other.empty();
    } else {
        return one == other;
    }
}

}  // namespace lab::trace
