// Conversion with a float on either side, rounded to the nearest or to an integer: PTX ISA 9.7.9, cvt.
#include "common/emulator/machine/conversion.h"

namespace lab::machine {
namespace {

using namespace conversion;

// Rounding toward zero is C++'s conversion; other roundings are rare, and compilers convert narrow integers through wider ones.
template <class Integer, ToInteger How, auto F>
constexpr Definition usual_version() {
    if constexpr (sizeof(Integer) < 4) return lane_by_lane<F>();
    if constexpr (How == ToInteger::zero) return elementwise<F>();
    return masked<F>();
}

// A float of the same type, rounded to an integer.
template <class F, ToInteger How>
F whole(F value) {
    return round_to_integer<How>(value);
}
template <class F, ToInteger How>
F whole_saturated(F value) {
    return floating::saturate(round_to_integer<How>(value));
}

// Clang has AArch64 convert vectors of 64-bit integers to float32 by way of float64, which rounds twice.
template <class From>
constexpr Definition to_float32() {
#ifdef __aarch64__
    if constexpr (sizeof(From) == 8) return lane_by_lane<&integer_to_float<float, From, false>>();
#endif
    return by_width<From, &integer_to_float<float, From, false>>();
}

LAB_FILLING_BEGIN
template <class To, class F, ToInteger How>
void define_to_integer(Table& table, Modifier rounding) {
    for (const Modifier sat : {Modifier::none, Modifier::sat}) {
        table.add(Opcode::cvt + rounding + sat + type_modifier<To> + type_modifier<F>,
                  usual_version<To, How, &float_to_integer<To, F, How, false>>());
        if constexpr (std::is_same_v<F, float>) {
            table.add(Opcode::cvt + rounding + Modifier::ftz + sat + type_modifier<To> + type_modifier<F>,
                      lane_by_lane<&float_to_integer<To, F, How, true>>());
        }
    }
}

template <ToInteger How>
void define_integer_rounding(Table& table, Modifier rounding) {
    for_each_integer([&]<class To>() {
        define_to_integer<To, float, How>(table, rounding);
        define_to_integer<To, double, How>(table, rounding);
    });
    table.add(Opcode::cvt + rounding + Modifier::f64 + Modifier::f64, masked<&whole<double, How>>());
    table.add(Opcode::cvt + rounding + Modifier::sat + Modifier::f64 + Modifier::f64, lane_by_lane<&whole_saturated<double, How>>());
    using namespace floating;
    table.add(Opcode::cvt + rounding + Modifier::f32 + Modifier::f32, masked<&modified<&whole<float, How>, false, false, float>>());
    table.add(Opcode::cvt + rounding + Modifier::ftz + Modifier::f32 + Modifier::f32,
              lane_by_lane<&modified<&whole<float, How>, true, false, float>>());
    table.add(Opcode::cvt + rounding + Modifier::sat + Modifier::f32 + Modifier::f32,
              lane_by_lane<&modified<&whole<float, How>, false, true, float>>());
    table.add(Opcode::cvt + rounding + Modifier::ftz + Modifier::sat + Modifier::f32 + Modifier::f32,
              lane_by_lane<&modified<&whole<float, How>, true, true, float>>());
}

template <class To, class From>
void define_float_pair(Table& table, Modifier rounding) {
    table.add(Opcode::cvt + rounding + type_modifier<To> + type_modifier<From>, elementwise<&float_to_float<To, From, false, false>>());
    table.add(Opcode::cvt + rounding + Modifier::sat + type_modifier<To> + type_modifier<From>,
              lane_by_lane<&float_to_float<To, From, false, true>>());
    if constexpr (std::is_same_v<To, float> || std::is_same_v<From, float>) {
        table.add(Opcode::cvt + rounding + Modifier::ftz + type_modifier<To> + type_modifier<From>,
                  masked<&float_to_float<To, From, true, false>>());
        table.add(Opcode::cvt + rounding + Modifier::ftz + Modifier::sat + type_modifier<To> + type_modifier<From>,
                  lane_by_lane<&float_to_float<To, From, true, true>>());
    }
}

}  // namespace

void define_convert_float(Table& table) {
    define_integer_rounding<ToInteger::nearest>(table, Modifier::rni);
    define_integer_rounding<ToInteger::zero>(table, Modifier::rzi);
    define_integer_rounding<ToInteger::down>(table, Modifier::rmi);
    define_integer_rounding<ToInteger::up>(table, Modifier::rpi);
    for_each_integer([&]<class From>() {
        table.add(Opcode::cvt + Modifier::rn + Modifier::f32 + type_modifier<From>, to_float32<From>());
        table.add(Opcode::cvt + Modifier::rn + Modifier::sat + Modifier::f32 + type_modifier<From>,
                  lane_by_lane<&integer_to_float<float, From, true>>());
        table.add(Opcode::cvt + Modifier::rn + Modifier::f64 + type_modifier<From>,
                  by_width<From, &integer_to_float<double, From, false>>());
        table.add(Opcode::cvt + Modifier::rn + Modifier::sat + Modifier::f64 + type_modifier<From>,
                  lane_by_lane<&integer_to_float<double, From, true>>());
    });
    define_float_pair<float, double>(table, Modifier::rn);
    define_float_pair<double, float>(table, Modifier::none);
    define_float_pair<float, float>(table, Modifier::none);
    define_float_pair<double, double>(table, Modifier::none);
}

LAB_FILLING_END
}  // namespace lab::machine
