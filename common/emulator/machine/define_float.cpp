// Single and double precision: PTX ISA 9.7.3, rounding to nearest. The approximations are the host's libm: within the errors that the ISA
// allows.
#include <bit>

#include "common/emulator/machine/float_math.h"

namespace lab::machine {
namespace {

float sine(float a) { return std::sin(a); }
float cosine(float a) { return std::cos(a); }
float exp2(float a) { return std::exp2(a); }
float log2(float a) { return std::log2(a); }
float tangent_h(float a) { return std::tanh(a); }

// The .approx.ftz forms read only the upper half of the operand and clear the lower half of the result.
double upper_half(double value) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & 0xffffffff00000000U); }
double flush(double value) { return std::fabs(value) < std::numeric_limits<double>::min() ? std::copysign(0.0, value) : value; }
double coarse_rcp(double a) { return flush(upper_half(1.0 / flush(upper_half(a)))); }
double coarse_rsqrt(double a) { return flush(upper_half(1.0 / std::sqrt(flush(upper_half(a))))); }
double exp2_approximate(double a) { return std::exp2(a); }
double log2_approximate(double a) { return std::log2(a); }

LAB_FILLING_BEGIN
// .rn is the default rounding.
template <auto F, class... A>
void define_nearest(Table& table, const Encoding& encoding) {
    floating::define_with_ftz_and_sat<F, A...>(table, encoding);
    floating::define_with_ftz_and_sat<F, A...>(table, encoding + Modifier::rn);
}

// Functions of the C++ library, called lane by lane.
template <auto F>
void define_calls(Table& table, const Encoding& encoding) {
    table.add(encoding + Modifier::f32, lane_by_lane<&floating::modified<F, false, false, float>>());
    table.add(encoding + Modifier::ftz + Modifier::f32, lane_by_lane<&floating::modified<F, true, false, float>>());
}

}  // namespace

void define_float32(Table& table) {
    using namespace floating;
    define_nearest<&add<float>, float, float>(table, Opcode::add);
    define_nearest<&sub<float>, float, float>(table, Opcode::sub);
    define_nearest<&mul<float>, float, float>(table, Opcode::mul);
    define_nearest<&fma<float>, float, float, float>(table, Opcode::fma);
    define_nearest<&fma<float>, float, float, float>(table, Opcode::mad);
    define_with_ftz<&div<float>, float, float>(table, Opcode::div);
    define_with_ftz<&div<float>, float, float>(table, Opcode::div + Modifier::rn);
    define_with_ftz<&div<float>, float, float>(table, Opcode::div + Modifier::full);
    define_with_ftz<&div<float>, float, float>(table, Opcode::div + Modifier::approx);
    define_with_ftz<&rcp<float>, float>(table, Opcode::rcp + Modifier::rn);
    define_with_ftz<&rcp<float>, float>(table, Opcode::rcp + Modifier::approx);
    define_with_ftz<&floating::sqrt<float>, float>(table, Opcode::sqrt + Modifier::rn);
    define_with_ftz<&floating::sqrt<float>, float>(table, Opcode::sqrt + Modifier::approx);
    define_with_ftz<&rsqrt<float>, float>(table, Opcode::rsqrt + Modifier::approx);
    define_calls<&sine>(table, Opcode::sin + Modifier::approx);
    define_calls<&cosine>(table, Opcode::cos + Modifier::approx);
    define_calls<&lab::machine::exp2>(table, Opcode::ex2 + Modifier::approx);
    define_calls<&lab::machine::log2>(table, Opcode::lg2 + Modifier::approx);
    define_calls<&tangent_h>(table, Opcode::tanh + Modifier::approx);
    define_with_ftz<&neg<float>, float>(table, Opcode::neg);
    define_with_ftz<&floating::abs<float>, float>(table, Opcode::abs);
    define_with_ftz<&min<float>, float, float>(table, Opcode::min);
    define_with_ftz<&max<float>, float, float>(table, Opcode::max);
    table.add(Opcode::min + Modifier::NaN + Modifier::f32, masked<&modified<&min_nan<float>, false, false, float, float>>());
    table.add(Opcode::min + Modifier::ftz + Modifier::NaN + Modifier::f32, masked<&modified<&min_nan<float>, true, false, float, float>>());
    table.add(Opcode::max + Modifier::NaN + Modifier::f32, masked<&modified<&max_nan<float>, false, false, float, float>>());
    table.add(Opcode::max + Modifier::ftz + Modifier::NaN + Modifier::f32, masked<&modified<&max_nan<float>, true, false, float, float>>());
    table.add(Opcode::copysign + Modifier::f32, masked<&floating::copysign<float>>());
    define_tests<float>(table);
}

void define_float64(Table& table) {
    using namespace floating;
    for (const Modifier rounding : {Modifier::none, Modifier::rn}) {
        table.add(Opcode::add + rounding + Modifier::f64, elementwise<&add<double>>());
        table.add(Opcode::sub + rounding + Modifier::f64, elementwise<&sub<double>>());
        table.add(Opcode::mul + rounding + Modifier::f64, elementwise<&mul<double>>());
        table.add(Opcode::fma + rounding + Modifier::f64, elementwise<&floating::fma<double>>());
        table.add(Opcode::mad + rounding + Modifier::f64, elementwise<&floating::fma<double>>());
        table.add(Opcode::div + rounding + Modifier::f64, elementwise<&floating::div<double>>());
        table.add(Opcode::rcp + rounding + Modifier::f64, elementwise<&rcp<double>>());
        table.add(Opcode::sqrt + rounding + Modifier::f64, elementwise<&floating::sqrt<double>>());
    }
    table.add(Opcode::rcp + Modifier::approx + Modifier::ftz + Modifier::f64, masked<&coarse_rcp>());
    table.add(Opcode::rsqrt + Modifier::approx + Modifier::ftz + Modifier::f64, masked<&coarse_rsqrt>());
    table.add(Opcode::rsqrt + Modifier::approx + Modifier::f64, elementwise<&rsqrt<double>>());
    table.add(Opcode::ex2 + Modifier::approx + Modifier::f64, lane_by_lane<&exp2_approximate>());
    table.add(Opcode::lg2 + Modifier::approx + Modifier::f64, lane_by_lane<&log2_approximate>());
    table.add(Opcode::neg + Modifier::f64, elementwise<&neg<double>>());
    table.add(Opcode::abs + Modifier::f64, elementwise<&floating::abs<double>>());
    table.add(Opcode::min + Modifier::f64, elementwise<&min<double>>());
    table.add(Opcode::max + Modifier::f64, elementwise<&max<double>>());
    table.add(Opcode::copysign + Modifier::f64, masked<&floating::copysign<double>>());
    define_tests<double>(table);
}

LAB_FILLING_END
}  // namespace lab::machine
