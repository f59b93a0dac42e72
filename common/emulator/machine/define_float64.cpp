// Double precision: PTX ISA 9.7.3, rounding to nearest.
#include <bit>

#include "common/emulator/machine/float_math.h"

namespace lab::machine {
namespace {

// The .approx.ftz forms look at the upper half of the operand only and leave the lower half of the result zero.
double upper_half(double value) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & 0xffffffff00000000U); }
double flush(double value) { return std::fabs(value) < std::numeric_limits<double>::min() ? std::copysign(0.0, value) : value; }
double coarse_rcp(double a) { return flush(upper_half(1.0 / flush(upper_half(a)))); }
double coarse_rsqrt(double a) { return flush(upper_half(1.0 / std::sqrt(flush(upper_half(a))))); }
double exp2_approximate(double a) { return std::exp2(a); }
double log2_approximate(double a) { return std::log2(a); }

}  // namespace

LAB_FILLING_BEGIN
void define_float64(Table& table) {
    using namespace floating;
    for (const char* rounding : {"", ".rn"}) {
        const std::string suffix = std::string(rounding) + ".f64";
        table.add("add" + suffix, elementwise<&add<double>>());
        table.add("sub" + suffix, elementwise<&sub<double>>());
        table.add("mul" + suffix, elementwise<&mul<double>>());
        table.add("fma" + suffix, elementwise<&floating::fma<double>>());
        table.add("mad" + suffix, elementwise<&floating::fma<double>>());
        table.add("div" + suffix, elementwise<&floating::div<double>>());
        table.add("rcp" + suffix, elementwise<&rcp<double>>());
        table.add("sqrt" + suffix, elementwise<&floating::sqrt<double>>());
    }
    table.add("rcp.approx.ftz.f64", masked<&coarse_rcp>());
    table.add("rsqrt.approx.ftz.f64", masked<&coarse_rsqrt>());
    table.add("rsqrt.approx.f64", elementwise<&rsqrt<double>>());
    table.add("ex2.approx.f64", lane_by_lane<&exp2_approximate>());
    table.add("lg2.approx.f64", lane_by_lane<&log2_approximate>());
    table.add("neg.f64", elementwise<&neg<double>>());
    table.add("abs.f64", elementwise<&floating::abs<double>>());
    table.add("min.f64", elementwise<&min<double>>());
    table.add("max.f64", elementwise<&max<double>>());
    table.add("copysign.f64", masked<&floating::copysign<double>>());
    define_tests<double>(table);
}

LAB_FILLING_END
}  // namespace lab::machine
