// Helpers common to all conversions between types: PTX ISA 9.7.9, cvt.
#pragma once

#include <cmath>
#include <limits>
#include <utility>

#include "common/emulator/machine/float_math.h"

namespace lab::machine::conversion {

// The register that receives 8 or 16 bits is wider; the result is sign-extended to it.
template <class T>
using Extended = std::conditional_t<(sizeof(T) < 4), std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>, T>;

template <class To, class From>
To saturated(From value) {
    if (std::cmp_less(value, std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    if (std::cmp_greater(value, std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
    return static_cast<To>(value);
}

enum class ToInteger { nearest, zero, down, up };
template <ToInteger How, class F>
F round_to_integer(F value) {
    if constexpr (How == ToInteger::nearest) return std::nearbyint(value);
    if constexpr (How == ToInteger::zero) return std::trunc(value);
    if constexpr (How == ToInteger::down) return std::floor(value);
    return std::ceil(value);
}

// Out-of-range values are clamped, with or without .sat. NaN gives 0 between types of 32 bits or less, else the topmost bit alone.
template <class To, class F>
To clamped(F value) {
    constexpr To of_nan = sizeof(F) == 8 || sizeof(To) == 8 ? static_cast<To>(std::uint64_t{1} << (sizeof(To) * 8 - 1)) : To{0};
    constexpr F low = static_cast<F>(std::numeric_limits<To>::min());
    constexpr F beyond = F{2} * static_cast<F>(std::uint64_t{1} << (std::numeric_limits<To>::digits - 1));
    return value != value    ? of_nan
           : value < low     ? std::numeric_limits<To>::min()
           : value >= beyond ? std::numeric_limits<To>::max()
                             : static_cast<To>(value);
}
template <class To, class F, ToInteger How, bool Ftz>
Extended<To> float_to_integer(F value) {
    if constexpr (Ftz) value = floating::flush(value);
    return clamped<To>(round_to_integer<How>(value));
}

template <class To, class From, bool Sat>
To integer_to_float(From value) {
    const To result = static_cast<To>(value);
    return Sat ? floating::saturate(result) : result;
}
// The same under a host rounding mode other than nearest. The host's compiler may convert by subtracting, and 0 would become -0 when
// rounding down. It assumes round-to-nearest, so it would drop the comparison if it knew the operand.
template <class To, class From>
To integer_to_float_rounded(From value) {
    From compared = value;
    asm("" : "+m"(compared));
    return compared == 0 ? To{0} : static_cast<To>(value);
}
// .ftz applies to the float32 side.
template <class To, class From, bool Ftz, bool Sat>
To float_to_float(From value) {
    if constexpr (Ftz && std::is_same_v<From, float>) value = floating::flush(value);
    To result = static_cast<To>(value);
    if constexpr (Ftz && std::is_same_v<To, float>) result = floating::flush(result);
    return Sat ? floating::saturate(result) : result;
}

LAB_FILLING_BEGIN
template <class Visit>
void for_each_integer(Visit&& visit) {
    visit.template operator()<std::uint8_t>();
    visit.template operator()<std::int8_t>();
    visit.template operator()<std::uint16_t>();
    visit.template operator()<std::int16_t>();
    visit.template operator()<std::uint32_t>();
    visit.template operator()<std::int32_t>();
    visit.template operator()<std::uint64_t>();
    visit.template operator()<std::int64_t>();
}
LAB_FILLING_END

}  // namespace lab::machine::conversion
