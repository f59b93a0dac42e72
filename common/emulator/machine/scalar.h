// Helpers of the instruction table's definitions: PTX's types, and wrapping integer arithmetic.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "common/emulator/ptx/encoding.h"

namespace lab::machine {

using ptx::Encoding;
using ptx::Modifier;
using ptx::Opcode;

// The type's modifier: type_modifier<std::int32_t> is Modifier::s32.
template <class T>
inline constexpr Modifier type_modifier = [] {
    constexpr std::size_t bytes = sizeof(T);
    if (std::is_floating_point_v<T>) return bytes == 4 ? Modifier::f32 : Modifier::f64;
    if (std::is_signed_v<T>) return bytes == 1 ? Modifier::s8 : bytes == 2 ? Modifier::s16 : bytes == 4 ? Modifier::s32 : Modifier::s64;
    return bytes == 1 ? Modifier::u8 : bytes == 2 ? Modifier::u16 : bytes == 4 ? Modifier::u32 : Modifier::u64;
}();
// The same as an untyped bit size: Modifier::b32.
template <class T>
inline constexpr Modifier bits_modifier = [] {
    constexpr std::size_t bytes = sizeof(T);
    return bytes == 1 ? Modifier::b8 : bytes == 2 ? Modifier::b16 : bytes == 4 ? Modifier::b32 : Modifier::b64;
}();

// An unsigned type of at least 32 bits to compute in: signed overflow would be undefined, and narrower types would be promoted to int.
template <class T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;

template <class T>
[[nodiscard]] constexpr Wrapping<T> wrapping(T value) {
    return static_cast<Wrapping<T>>(value);
}

template <class T>
inline constexpr unsigned bits_of = 8U * static_cast<unsigned>(sizeof(T));

__extension__ using Signed128 = __int128;
__extension__ using Unsigned128 = unsigned __int128;

// The type of twice the width, the result of mul.wide.
template <class Of2, class Of4, class Of8, class T>
using BySize = std::conditional_t<sizeof(T) == 2, Of2, std::conditional_t<sizeof(T) == 4, Of4, Of8>>;
template <class T>
using Twice = std::conditional_t<std::is_signed_v<T>, BySize<std::int32_t, std::int64_t, Signed128, T>,
                                 BySize<std::uint32_t, std::uint64_t, Unsigned128, T>>;

// The full product: no product of two n-bit numbers overflows 2n bits.
template <class T>
[[nodiscard]] inline Twice<T> whole_product(T a, T b) {
    return static_cast<Twice<T>>(a) * static_cast<Twice<T>>(b);
}
template <class T>
[[nodiscard]] inline T low_product(T a, T b) {
    return static_cast<T>(wrapping(a) * wrapping(b));
}
template <class T>
[[nodiscard]] inline T high_product(T a, T b) {
    return static_cast<T>(whole_product(a, b) >> bits_of<T>);
}

template <class To, class From>
[[nodiscard]] inline To clamp_to(From value) {
    constexpr From low = std::numeric_limits<To>::min();
    constexpr From high = std::numeric_limits<To>::max();
    return static_cast<To>(value < low ? low : value > high ? high : value);
}

}  // namespace lab::machine
