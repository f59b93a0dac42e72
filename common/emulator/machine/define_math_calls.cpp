// CUDA's math library: functions that device code calls by name and that the machine provides ("__nv_sinf"). Errors are those of the host's
// library: one or two units in the last place, like CUDA's. The device headers build functions that return through pointers (sincos, frexp,
// modf, remquo) from these.
#include <cmath>

#include "common/emulator/machine/special_functions.h"
#include "common/emulator/machine/table.h"

namespace lab::machine {
namespace {

template <auto F, class R, class... A>
R converted(A... arguments) {
    return static_cast<R>(F(arguments...));
}

// Some of these are slow for extreme arguments, which inactive lanes may hold: only active lanes are computed.
template <auto F, class R, class... A>
void define_function(Table& table, const std::string& name) {
    table.add_function("__nv_" + name, lane_by_lane<&converted<F, R, A...>>());
}

// `F` takes float or double (the C++ library's overloads), or double only; then float is computed in double.
template <auto F>
void define_unary(Table& table, const std::string& name) {
    define_function<F, double, double>(table, name);
    define_function<F, float, float>(table, name + "f");
}
template <auto F>
void define_binary_call(Table& table, const std::string& name) {
    define_function<F, double, double, double>(table, name);
    define_function<F, float, float, float>(table, name + "f");
}
template <auto F>
void define_of_order(Table& table, const std::string& name) {
    define_function<F, double, std::int32_t, double>(table, name);
    define_function<F, float, std::int32_t, float>(table, name + "f");
}

void define_elementary(Table& table) {
    define_unary<[](auto x) { return std::acos(x); }>(table, "acos");
    define_unary<[](auto x) { return std::acosh(x); }>(table, "acosh");
    define_unary<[](auto x) { return std::asin(x); }>(table, "asin");
    define_unary<[](auto x) { return std::asinh(x); }>(table, "asinh");
    define_unary<[](auto x) { return std::atan(x); }>(table, "atan");
    define_unary<[](auto x) { return std::atanh(x); }>(table, "atanh");
    define_unary<[](auto x) { return std::cbrt(x); }>(table, "cbrt");
    define_unary<[](auto x) { return std::cos(x); }>(table, "cos");
    define_unary<[](auto x) { return std::cosh(x); }>(table, "cosh");
    define_unary<[](auto x) { return std::exp(x); }>(table, "exp");
    define_unary<[](double x) { return std::pow(10.0, x); }>(table, "exp10");
    define_unary<[](auto x) { return std::exp2(x); }>(table, "exp2");
    define_unary<[](auto x) { return std::expm1(x); }>(table, "expm1");
    define_unary<[](auto x) { return std::log(x); }>(table, "log");
    define_unary<[](auto x) { return std::log10(x); }>(table, "log10");
    define_unary<[](auto x) { return std::log1p(x); }>(table, "log1p");
    define_unary<[](auto x) { return std::log2(x); }>(table, "log2");
    define_unary<[](auto x) { return std::logb(x); }>(table, "logb");
    define_unary<[](auto x) { return std::sin(x); }>(table, "sin");
    define_unary<[](auto x) { return std::sinh(x); }>(table, "sinh");
    define_unary<[](auto x) { return std::tan(x); }>(table, "tan");
    define_unary<[](auto x) { return std::tanh(x); }>(table, "tanh");
    define_unary<[](double x) { return special::sinpi(x); }>(table, "sinpi");
    define_unary<[](double x) { return special::cospi(x); }>(table, "cospi");
}

void define_higher(Table& table) {
    define_unary<[](auto x) { return std::erf(x); }>(table, "erf");
    define_unary<[](auto x) { return std::erfc(x); }>(table, "erfc");
    define_unary<[](auto x) { return std::tgamma(x); }>(table, "tgamma");
    define_unary<[](double x) { return special::lgamma(x); }>(table, "lgamma");
    define_unary<[](double x) { return special::erfcx(x); }>(table, "erfcx");
    define_unary<[](double x) { return special::erfinv(x); }>(table, "erfinv");
    define_unary<[](double x) { return special::erfcinv(x); }>(table, "erfcinv");
    define_unary<[](double x) { return special::normcdf(x); }>(table, "normcdf");
    define_unary<[](double x) { return special::normcdfinv(x); }>(table, "normcdfinv");
    define_unary<[](double x) { return special::bessel_i0(x); }>(table, "cyl_bessel_i0");
    define_unary<[](double x) { return special::bessel_i1(x); }>(table, "cyl_bessel_i1");
    define_unary<[](double x) { return ::j0(x); }>(table, "j0");
    define_unary<[](double x) { return ::j1(x); }>(table, "j1");
    define_unary<[](double x) { return ::y0(x); }>(table, "y0");
    define_unary<[](double x) { return ::y1(x); }>(table, "y1");
    define_of_order<[](std::int32_t n, double x) { return ::jn(n, x); }>(table, "jn");
    define_of_order<[](std::int32_t n, double x) { return ::yn(n, x); }>(table, "yn");
}

void define_of_two(Table& table) {
    define_binary_call<[](auto x, auto y) { return std::atan2(x, y); }>(table, "atan2");
    define_binary_call<[](auto x, auto y) { return std::fmod(x, y); }>(table, "fmod");
    define_binary_call<[](auto x, auto y) { return std::hypot(x, y); }>(table, "hypot");
    define_binary_call<[](auto x, auto y) { return std::nextafter(x, y); }>(table, "nextafter");
    define_binary_call<[](auto x, auto y) { return std::pow(x, y); }>(table, "pow");
    define_binary_call<[](auto x, auto y) { return std::remainder(x, y); }>(table, "remainder");
    constexpr auto scale = [](auto x, std::int32_t exponent) { return std::ldexp(x, exponent); };
    define_function<scale, double, double, std::int32_t>(table, "ldexp");
    define_function<scale, float, float, std::int32_t>(table, "ldexpf");
    constexpr auto exponent_of = [](auto x) { return std::ilogb(x); };
    define_function<exponent_of, std::int32_t, double>(table, "ilogb");
    define_function<exponent_of, std::int32_t, float>(table, "ilogbf");
}

}  // namespace

void define_math_calls(Table& table) {
    define_elementary(table);
    define_higher(table);
    define_of_two(table);
}

}  // namespace lab::machine
