// Double precision: PTX ISA 9.7.3, rounding to nearest.
#include <bit>

#include "common/emulator/machine/float_math.h"

namespace lab::machine {
namespace {

// The .approx.ftz forms read only the upper half of the operand and clear the lower half of the result.
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
