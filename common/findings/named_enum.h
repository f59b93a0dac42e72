// Enumerations with names for reports: each enumerator is declared once, with its name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lab {

#define LAB_ENUMERATOR(enumerator, name) enumerator,
#define LAB_ENUMERATORS_NAME(enumerator, name) std::string_view(name),
// Declares `Enum` with the enumerators of LIST(X), a list of X(enumerator, "name").
#define LAB_NAMED_ENUM(Enum, LIST)                           \
    enum class Enum : std::uint8_t { LIST(LAB_ENUMERATOR) }; \
    constexpr auto names_of(Enum /*any*/) { return std::to_array({LIST(LAB_ENUMERATORS_NAME)}); }

template <typename Enum>
concept NamedEnum = requires(Enum value) {
    names_of(value);
};

template <NamedEnum Enum>
[[nodiscard]] constexpr std::string_view name_of(Enum value) {
    return names_of(value).at(static_cast<std::size_t>(value));
}

// The enumerator of that name, or nothing.
template <NamedEnum Enum>
[[nodiscard]] constexpr std::optional<Enum> named(std::string_view name) {
    constexpr auto names = names_of(Enum{});
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name) return static_cast<Enum>(i);
    }
    return std::nullopt;
}

}  // namespace lab
