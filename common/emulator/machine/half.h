// IEEE binary16 in software: the values of registers of type f16.
#pragma once

#include <cmath>
#include <cstdint>

namespace lab::machine {

// The 16 bits of a half.
using HalfBits = std::uint16_t;

[[nodiscard]] inline double half_to_double(HalfBits bits) {
    const int exponent = (bits >> 10U) & 0x1f;
    const int fraction = bits & 0x3ff;
    double magnitude = 0;
    if (exponent == 0x1f) {
        magnitude = fraction != 0 ? std::nan("") : HUGE_VAL;
    } else if (exponent == 0) {
        magnitude = std::ldexp(fraction, -24);
    } else {
        magnitude = std::ldexp(0x400 + fraction, exponent - 25);
    }
    return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

// Converts to the nearest half, ties to even. The value is scaled so that a half's last place becomes 1; this is exact, as doubles have
// enough bits.
[[nodiscard]] inline HalfBits double_to_half(double value) {
    const HalfBits sign = std::signbit(value) ? 0x8000U : 0U;
    const double magnitude = std::fabs(value);
    if (value != value) return 0x7fffU;                                      // PTX's canonical NaN
    if (magnitude >= 65520.0) return static_cast<HalfBits>(sign | 0x7c00U);  // half a unit in the last place above the largest
    const int exponent = magnitude < 0x1p-14 ? -14 : std::ilogb(magnitude);
    const auto places = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
    // Subnormals: exponent field 0, `places` below 0x400. A carry out of the fraction correctly increments the exponent.
    const std::uint32_t field = static_cast<std::uint32_t>(exponent + 14) << 10U;
    return static_cast<HalfBits>(sign | (field + places));
}

}  // namespace lab::machine
