// Single precision: PTX ISA 9.7.3, rounding to nearest. The approximations are the host's libm: within the errors that the ISA allows.
#include "common/emulator/machine/float_math.h"

namespace lab::machine {
namespace {

float sine(float a) { return std::sin(a); }
float cosine(float a) { return std::cos(a); }
float exp2(float a) { return std::exp2(a); }
float log2(float a) { return std::log2(a); }
float tangent_h(float a) { return std::tanh(a); }

LAB_FILLING_BEGIN
// .rn is what a missing rounding means.
template <auto F, class... A>
void define_nearest(Table& table, const std::string& name) {
    floating::define_with_ftz_and_sat<F, A...>(table, name);
    floating::define_with_ftz_and_sat<F, A...>(table, name + ".rn");
}

// Functions of the C++ library, called lane by lane.
template <auto F>
void define_calls(Table& table, const std::string& name) {
    table.add(name + ".f32", lane_by_lane<&floating::modified<F, false, false, float>>());
    table.add(name + ".ftz.f32", lane_by_lane<&floating::modified<F, true, false, float>>());
}

}  // namespace

void define_float32(Table& table) {
    using namespace floating;
    define_nearest<&add<float>, float, float>(table, "add");
    define_nearest<&sub<float>, float, float>(table, "sub");
    define_nearest<&mul<float>, float, float>(table, "mul");
    define_nearest<&fma<float>, float, float, float>(table, "fma");
    define_nearest<&fma<float>, float, float, float>(table, "mad");
    define_with_ftz<&div<float>, float, float>(table, "div");
    define_with_ftz<&div<float>, float, float>(table, "div.rn");
    define_with_ftz<&div<float>, float, float>(table, "div.full");
    define_with_ftz<&div<float>, float, float>(table, "div.approx");
    define_with_ftz<&rcp<float>, float>(table, "rcp.rn");
    define_with_ftz<&rcp<float>, float>(table, "rcp.approx");
    define_with_ftz<&floating::sqrt<float>, float>(table, "sqrt.rn");
    define_with_ftz<&floating::sqrt<float>, float>(table, "sqrt.approx");
    define_with_ftz<&rsqrt<float>, float>(table, "rsqrt.approx");
    define_calls<&sine>(table, "sin.approx");
    define_calls<&cosine>(table, "cos.approx");
    define_calls<&lab::machine::exp2>(table, "ex2.approx");
    define_calls<&lab::machine::log2>(table, "lg2.approx");
    define_calls<&tangent_h>(table, "tanh.approx");
    define_with_ftz<&neg<float>, float>(table, "neg");
    define_with_ftz<&floating::abs<float>, float>(table, "abs");
    define_with_ftz<&min<float>, float, float>(table, "min");
    define_with_ftz<&max<float>, float, float>(table, "max");
    table.add("min.NaN.f32", masked<&modified<&min_nan<float>, false, false, float, float>>());
    table.add("min.ftz.NaN.f32", masked<&modified<&min_nan<float>, true, false, float, float>>());
    table.add("max.NaN.f32", masked<&modified<&max_nan<float>, false, false, float, float>>());
    table.add("max.ftz.NaN.f32", masked<&modified<&max_nan<float>, true, false, float, float>>());
    table.add("copysign.f32", masked<&floating::copysign<float>>());
    define_tests<float>(table);
}

LAB_FILLING_END
}  // namespace lab::machine
