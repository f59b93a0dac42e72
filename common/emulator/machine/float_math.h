// Floating-point operations of PTX and the variants for its suffixes.
#pragma once

#include <cmath>
#include <limits>

#include "common/emulator/machine/scalar.h"
#include "common/emulator/machine/table.h"

namespace lab::machine::floating {

auto add(auto a, decltype(a) b) { return a + b; }
auto sub(auto a, decltype(a) b) { return a - b; }
auto mul(auto a, decltype(a) b) { return a * b; }
auto div(auto a, decltype(a) b) { return a / b; }
auto fma(auto a, decltype(a) b, decltype(a) c) { return std::fma(a, b, c); }
template <class T>
T rcp(T a) {
    return T{1} / a;
}
auto sqrt(auto a) { return std::sqrt(a); }
template <class T>
T rsqrt(T a) {
    return T{1} / std::sqrt(a);
}
auto neg(auto a) { return -a; }
auto abs(auto a) { return std::fabs(a); }
// -0 is less than +0; a number is preferred to a NaN; two NaNs give the canonical one (9.7.3: min, max).
template <class T>
T min(T a, T b) {
    const T lesser = a < b || (a == b && std::signbit(a)) ? a : b;
    const T number = a != a ? b : b != b ? a : lesser;
    return number != number ? std::numeric_limits<T>::quiet_NaN() : number;
}
template <class T>
T max(T a, T b) {
    const T greater = a > b || (a == b && !std::signbit(a)) ? a : b;
    const T number = a != a ? b : b != b ? a : greater;
    return number != number ? std::numeric_limits<T>::quiet_NaN() : number;
}
// With .NaN, a NaN on either side gives NaN.
template <class T>
T min_nan(T a, T b) {
    return a != a || b != b ? std::numeric_limits<T>::quiet_NaN() : min(a, b);
}
template <class T>
T max_nan(T a, T b) {
    return a != a || b != b ? std::numeric_limits<T>::quiet_NaN() : max(a, b);
}
// The second operand with the sign of the first.
auto copysign(auto a, decltype(a) b) { return std::copysign(b, a); }

// .ftz: subnormal numbers become zeros of their sign.
inline float flush(float value) { return std::fabs(value) < std::numeric_limits<float>::min() ? std::copysign(0.0F, value) : value; }
// .sat: to [0, 1]; NaN gives +0.
template <class T>
T saturate(T value) {
    return value > T{0} ? (value < T{1} ? value : T{1}) : T{0};
}

template <auto F, bool Ftz, bool Sat, class... A>
float modified(A... arguments) {
    float result = Ftz ? F(flush(arguments)...) : F(arguments...);
    if constexpr (Ftz) result = flush(result);
    if constexpr (Sat) result = saturate(result);
    return result;
}

// Adds `encoding` + {none, ftz} + f32.
template <auto F, class... A>
void define_with_ftz(Table& table, const Encoding& encoding) {
    table.add(encoding + Modifier::f32, elementwise<&modified<F, false, false, A...>>());
    table.add(encoding + Modifier::ftz + Modifier::f32, masked<&modified<F, true, false, A...>>());
}
// The same and its saturated forms.
template <auto F, class... A>
void define_with_ftz_and_sat(Table& table, const Encoding& encoding) {
    define_with_ftz<F, A...>(table, encoding);
    table.add(encoding + Modifier::sat + Modifier::f32, masked<&modified<F, false, true, A...>>());
    table.add(encoding + Modifier::ftz + Modifier::sat + Modifier::f32, masked<&modified<F, true, true, A...>>());
}

// 9.7.3 testp.
template <class T>
bool is_finite(T a) {
    return std::fabs(a) <= std::numeric_limits<T>::max();
}
template <class T>
bool is_infinite(T a) {
    return std::fabs(a) > std::numeric_limits<T>::max();
}
bool is_number(auto a) { return a == a; }
bool is_nan(auto a) { return a != a; }
template <class T>
bool is_normal(T a) {
    return is_finite(a) && std::fabs(a) >= std::numeric_limits<T>::min();
}
template <class T>
bool is_subnormal(T a) {
    return a != 0 && std::fabs(a) < std::numeric_limits<T>::min();
}
template <class T>
void define_tests(Table& table) {
    constexpr Modifier type = type_modifier<T>;
    table.add(Opcode::testp + Modifier::finite + type, masked<&is_finite<T>>());
    table.add(Opcode::testp + Modifier::infinite + type, masked<&is_infinite<T>>());
    table.add(Opcode::testp + Modifier::number + type, masked<&is_number<T>>());
    table.add(Opcode::testp + Modifier::notanumber + type, masked<&is_nan<T>>());
    table.add(Opcode::testp + Modifier::normal + type, masked<&is_normal<T>>());
    table.add(Opcode::testp + Modifier::subnormal + type, masked<&is_subnormal<T>>());
}

}  // namespace lab::machine::floating
