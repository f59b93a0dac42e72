// Half precision: PTX ISA 9.7.4, rounding to nearest, and cvt to and from it, 9.7.9. Computed in double, where sums and products of halves
// are exact or so close that the rounded result is the same.
#include <cmath>
#include <cstdint>

#include "common/emulator/machine/comparison.h"
#include "common/emulator/machine/conversion.h"

namespace lab::machine {
namespace {

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

using Binary = double (*)(double, double);
using Ternary = double (*)(double, double, double);

template <Binary F>
HalfBits on_halves(HalfBits a, HalfBits b) {
    return double_to_half(F(half_to_double(a), half_to_double(b)));
}
template <Ternary F>
HalfBits on_halves3(HalfBits a, HalfBits b, HalfBits c) {
    return double_to_half(F(half_to_double(a), half_to_double(b), half_to_double(c)));
}
constexpr std::uint32_t pair_of(HalfBits low, HalfBits high) { return low | (static_cast<std::uint32_t>(high) << 16U); }
constexpr HalfBits low_of(std::uint32_t pair) { return static_cast<HalfBits>(pair); }
constexpr HalfBits high_of(std::uint32_t pair) { return static_cast<HalfBits>(pair >> 16U); }
template <Binary F>
std::uint32_t on_pairs(std::uint32_t a, std::uint32_t b) {
    return pair_of(on_halves<F>(low_of(a), low_of(b)), on_halves<F>(high_of(a), high_of(b)));
}
template <Ternary F>
std::uint32_t on_pairs3(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return pair_of(on_halves3<F>(low_of(a), low_of(b), low_of(c)), on_halves3<F>(high_of(a), high_of(b), high_of(c)));
}
// .sat stays off; sign operations are on bits, as they hold for NaN, too.
HalfBits negate(HalfBits a) { return static_cast<HalfBits>(a ^ 0x8000U); }
HalfBits magnitude(HalfBits a) { return static_cast<HalfBits>(a & 0x7fffU); }
std::uint32_t negate_pair(std::uint32_t a) { return a ^ 0x80008000U; }
std::uint32_t magnitude_pair(std::uint32_t a) { return a & 0x7fff7fffU; }

template <auto F>
bool compare(HalfBits a, HalfBits b) {
    return F(half_to_double(a), half_to_double(b));
}

float half_to_float(HalfBits a) { return static_cast<float>(half_to_double(a)); }
template <class From>
HalfBits to_half(From a) {
    return double_to_half(static_cast<double>(a));
}
template <class To, conversion::ToInteger How>
conversion::Extended<To> half_to_integer(HalfBits a) {
    return conversion::float_to_integer<To, double, How, false>(half_to_double(a));
}

LAB_FILLING_BEGIN
template <Binary F>
void define_binary_half(Table& table, const Encoding& encoding) {
    table.add(encoding + Modifier::f16, masked<&on_halves<F>>());
    table.add(encoding + Modifier::f16x2, masked<&on_pairs<F>>());
}

}  // namespace

void define_half(Table& table) {
    using conversion::ToInteger;
    for (const Modifier rounding : {Modifier::none, Modifier::rn}) {
        define_binary_half<&floating::add<double>>(table, Opcode::add + rounding);
        define_binary_half<&floating::sub<double>>(table, Opcode::sub + rounding);
        define_binary_half<&floating::mul<double>>(table, Opcode::mul + rounding);
    }
    define_binary_half<&floating::min<double>>(table, Opcode::min);
    define_binary_half<&floating::max<double>>(table, Opcode::max);
    table.add(Opcode::fma + Modifier::rn + Modifier::f16, masked<&on_halves3<&floating::fma<double>>>());
    table.add(Opcode::fma + Modifier::rn + Modifier::f16x2, masked<&on_pairs3<&floating::fma<double>>>());
    table.add(Opcode::neg + Modifier::f16, masked<&negate>());
    table.add(Opcode::neg + Modifier::f16x2, masked<&negate_pair>());
    table.add(Opcode::abs + Modifier::f16, masked<&magnitude>());
    table.add(Opcode::abs + Modifier::f16x2, masked<&magnitude_pair>());
    comparison::for_each_comparison<double>([&]<auto F>(Modifier name) {
        table.add(Opcode::setp + name + Modifier::f16, lane_by_lane<&compare<F>>());
    });
    table.add(Opcode::cvt + Modifier::f32 + Modifier::f16, masked<&half_to_float>());
    table.add(Opcode::cvt + Modifier::f64 + Modifier::f16, masked<&half_to_double>());
    table.add(Opcode::cvt + Modifier::rn + Modifier::f16 + Modifier::f32, masked<&to_half<float>>());
    table.add(Opcode::cvt + Modifier::rn + Modifier::f16 + Modifier::f64, masked<&to_half<double>>());
    conversion::for_each_integer([&]<class T>() {
        constexpr Modifier type = type_modifier<T>;
        table.add(Opcode::cvt + Modifier::rn + Modifier::f16 + type, lane_by_lane<&to_half<T>>());
        table.add(Opcode::cvt + Modifier::rni + type + Modifier::f16, lane_by_lane<&half_to_integer<T, ToInteger::nearest>>());
        table.add(Opcode::cvt + Modifier::rzi + type + Modifier::f16, lane_by_lane<&half_to_integer<T, ToInteger::zero>>());
        table.add(Opcode::cvt + Modifier::rmi + type + Modifier::f16, lane_by_lane<&half_to_integer<T, ToInteger::down>>());
        table.add(Opcode::cvt + Modifier::rpi + type + Modifier::f16, lane_by_lane<&half_to_integer<T, ToInteger::up>>());
    });
}

LAB_FILLING_END
}  // namespace lab::machine
