// IEEE arithmetic on the host in each of PTX's four rounding modes, with .ftz and .sat (PTX ISA 9.7.3).
#pragma once

#include <cfenv>
#include <cmath>
#include <limits>

namespace probe {

enum class Mode { rn = FE_TONEAREST, rz = FE_TOWARDZERO, rm = FE_DOWNWARD, rp = FE_UPWARD };

// Operands and result go through volatile objects, so that the operation stays between the changes of mode.
template <typename T, typename Operation>
auto rounded(Mode mode, Operation operation, T x, T y = 0, T z = 0) {
    volatile T a = x, b = y, c = z;
    std::fesetround(static_cast<int>(mode));
    volatile auto result = operation(T(a), T(b), T(c));
    std::fesetround(FE_TONEAREST);
    return static_cast<decltype(operation(x, y, z))>(result);
}

template <typename T>
T flushed(T x) {
    return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(T(0), x) : x;
}

// If rounding carries a result up to the smallest normal number, the ISA doesn't specify whether it was tiny before.
template <typename T>
std::optional<T> flushed_result(T r) {
    if (std::fabs(r) == std::numeric_limits<T>::min()) return std::nullopt;
    return flushed(r);
}

template <typename T>
T saturated(T x) {
    return std::isnan(x) || !(x > 0) ? T(0) : x > 1 ? T(1) : x;
}

inline constexpr auto plus = [](auto a, auto b, auto) { return a + b; };
inline constexpr auto minus = [](auto a, auto b, auto) { return a - b; };
inline constexpr auto times = [](auto a, auto b, auto) { return a * b; };
inline constexpr auto over = [](auto a, auto b, auto) { return a / b; };
inline constexpr auto inverse = [](auto a, auto, auto) { return decltype(a)(1) / a; };
inline constexpr auto root = [](auto a, auto, auto) { return std::sqrt(a); };
inline constexpr auto fused = [](auto a, auto b, auto c) { return std::fma(a, b, c); };

// The smaller or larger: a number wins over NaN, and -0 is below +0.
template <typename T>
T smaller(T a, T b) {
    if (std::isnan(a)) return b;
    if (std::isnan(b)) return a;
    if (a == b) return std::signbit(a) ? a : b;
    return a < b ? a : b;
}
template <typename T>
T larger(T a, T b) {
    if (std::isnan(a)) return b;
    if (std::isnan(b)) return a;
    if (a == b) return std::signbit(a) ? b : a;
    return a < b ? b : a;
}

}  // namespace probe
