// Floating-point arithmetic rounded toward zero, down or up: the .rz .rm .rp forms of PTX ISA 9.7.3.
#include "common/emulator/machine/float_math.h"
#include "common/emulator/machine/rounding.h"

namespace lab::machine {
namespace {

LAB_FILLING_BEGIN
template <int Mode, auto F, class... A>
void define_single(Table& table, const std::string& name) {
    using namespace floating;
    table.add(name + ".f32", rounded<Mode, &modified<F, false, false, A...>>());
    table.add(name + ".ftz.f32", rounded<Mode, &modified<F, true, false, A...>>());
    table.add(name + ".sat.f32", rounded<Mode, &modified<F, false, true, A...>>());
    table.add(name + ".ftz.sat.f32", rounded<Mode, &modified<F, true, true, A...>>());
}

template <int Mode>
void define_arithmetic_in(Table& table, const std::string& rounding) {
    using namespace floating;
    define_single<Mode, &add<float>, float, float>(table, "add" + rounding);
    define_single<Mode, &sub<float>, float, float>(table, "sub" + rounding);
    define_single<Mode, &mul<float>, float, float>(table, "mul" + rounding);
    define_single<Mode, &floating::fma<float>, float, float, float>(table, "fma" + rounding);
    define_single<Mode, &floating::fma<float>, float, float, float>(table, "mad" + rounding);
    define_single<Mode, &floating::div<float>, float, float>(table, "div" + rounding);
    define_single<Mode, &rcp<float>, float>(table, "rcp" + rounding);
    define_single<Mode, &floating::sqrt<float>, float>(table, "sqrt" + rounding);
    table.add("add" + rounding + ".f64", rounded<Mode, &add<double>>());
    table.add("sub" + rounding + ".f64", rounded<Mode, &sub<double>>());
    table.add("mul" + rounding + ".f64", rounded<Mode, &mul<double>>());
    table.add("fma" + rounding + ".f64", rounded<Mode, &floating::fma<double>>());
    table.add("mad" + rounding + ".f64", rounded<Mode, &floating::fma<double>>());
    table.add("div" + rounding + ".f64", rounded<Mode, &floating::div<double>>());
    table.add("rcp" + rounding + ".f64", rounded<Mode, &rcp<double>>());
    table.add("sqrt" + rounding + ".f64", rounded<Mode, &floating::sqrt<double>>());
}

}  // namespace

void define_rounded(Table& table) {
    define_arithmetic_in<FE_TOWARDZERO>(table, ".rz");
    define_arithmetic_in<FE_DOWNWARD>(table, ".rm");
    define_arithmetic_in<FE_UPWARD>(table, ".rp");
}

LAB_FILLING_END
}  // namespace lab::machine
