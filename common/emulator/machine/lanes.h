// A register of a warp: 32 adjacent lanes. Values of up to 32 bits take 4 bytes a lane, 64-bit values 8; predicates are one bit a lane,
// like an active mask.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace lab::machine {

inline constexpr unsigned warp_size = 32;
inline constexpr std::uint32_t all_lanes = 0xffffffffU;
using Mask = std::uint32_t;

[[nodiscard]] inline unsigned first_lane(Mask mask) { return static_cast<unsigned>(std::countr_zero(mask)); }
[[nodiscard]] inline unsigned lane_count(Mask mask) { return static_cast<unsigned>(std::popcount(mask)); }

// The lanes of `among` for which value_of(lane) is `value`.
template <class T, class ValueOf>
[[nodiscard]] inline Mask lanes_with(const T& value, Mask among, const ValueOf& value_of) {
    Mask found = 0;
    for (Mask left = among; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        found |= static_cast<Mask>(value_of(lane) == value) << lane;
    }
    return found;
}

// Storage type of one lane of a register of type T.
template <class T>
using Storage = std::conditional_t<(sizeof(T) < 4), std::uint32_t, T>;

template <class T>
inline constexpr unsigned register_bytes = std::is_same_v<T, bool> ? 4U : warp_size* static_cast<unsigned>(sizeof(Storage<T>));

template <class T>
[[nodiscard]] inline T from_storage(Storage<T> value) {
    return static_cast<T>(value);
}
template <class T>
[[nodiscard]] inline Storage<T> to_storage(T value) {
    if constexpr (sizeof(T) < 4) {
        return static_cast<Storage<T>>(static_cast<std::make_unsigned_t<T>>(value));
    } else {
        return value;
    }
}

// Read access to one source register, whatever its type: source[lane].
template <class T>
struct Source {
    const Storage<T>* lanes;
    explicit Source(const std::byte* at) : lanes(reinterpret_cast<const Storage<T>*>(at)) {}
    T operator[](unsigned lane) const { return from_storage<T>(lanes[lane]); }
};
template <>
struct Source<bool> {
    Mask mask;
    explicit Source(const std::byte* at) : mask(*reinterpret_cast<const Mask*>(at)) {}
    bool operator[](unsigned lane) const { return ((mask >> lane) & 1U) != 0; }
};

}  // namespace lab::machine
