// Floating-point arithmetic rounded toward zero, down or up: the .rz .rm .rp forms of PTX ISA 9.7.3.
#include "common/emulator/machine/float_math.h"
#include "common/emulator/machine/rounding.h"

namespace lab::machine {
namespace {

LAB_FILLING_BEGIN
template <int Mode, auto F, class... A>
void define_single(Table& table, const Encoding& encoding) {
    using namespace floating;
    table.add(encoding + Modifier::f32, rounded<Mode, &modified<F, false, false, A...>>());
    table.add(encoding + Modifier::ftz + Modifier::f32, rounded<Mode, &modified<F, true, false, A...>>());
    table.add(encoding + Modifier::sat + Modifier::f32, rounded<Mode, &modified<F, false, true, A...>>());
    table.add(encoding + Modifier::ftz + Modifier::sat + Modifier::f32, rounded<Mode, &modified<F, true, true, A...>>());
}

template <int Mode>
void define_arithmetic_in(Table& table, Modifier rounding) {
    using namespace floating;
    define_single<Mode, &add<float>, float, float>(table, Opcode::add + rounding);
    define_single<Mode, &sub<float>, float, float>(table, Opcode::sub + rounding);
    define_single<Mode, &mul<float>, float, float>(table, Opcode::mul + rounding);
    define_single<Mode, &floating::fma<float>, float, float, float>(table, Opcode::fma + rounding);
    define_single<Mode, &floating::fma<float>, float, float, float>(table, Opcode::mad + rounding);
    define_single<Mode, &floating::div<float>, float, float>(table, Opcode::div + rounding);
    define_single<Mode, &rcp<float>, float>(table, Opcode::rcp + rounding);
    define_single<Mode, &floating::sqrt<float>, float>(table, Opcode::sqrt + rounding);
    table.add(Opcode::add + rounding + Modifier::f64, rounded<Mode, &add<double>>());
    table.add(Opcode::sub + rounding + Modifier::f64, rounded<Mode, &sub<double>>());
    table.add(Opcode::mul + rounding + Modifier::f64, rounded<Mode, &mul<double>>());
    table.add(Opcode::fma + rounding + Modifier::f64, rounded<Mode, &floating::fma<double>>());
    table.add(Opcode::mad + rounding + Modifier::f64, rounded<Mode, &floating::fma<double>>());
    table.add(Opcode::div + rounding + Modifier::f64, rounded<Mode, &floating::div<double>>());
    table.add(Opcode::rcp + rounding + Modifier::f64, rounded<Mode, &rcp<double>>());
    table.add(Opcode::sqrt + rounding + Modifier::f64, rounded<Mode, &floating::sqrt<double>>());
}

}  // namespace

void define_rounded(Table& table) {
    define_arithmetic_in<FE_TOWARDZERO>(table, Modifier::rz);
    define_arithmetic_in<FE_DOWNWARD>(table, Modifier::rm);
    define_arithmetic_in<FE_UPWARD>(table, Modifier::rp);
}

LAB_FILLING_END
}  // namespace lab::machine
