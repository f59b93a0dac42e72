// Conversion to a float, rounded toward zero, down or up: the .rz .rm .rp forms of PTX ISA 9.7.9, cvt.
#include "common/emulator/machine/conversion.h"
#include "common/emulator/machine/rounding.h"

namespace lab::machine {
namespace {

LAB_FILLING_BEGIN
template <int Mode>
void define_conversions_in(Table& table, Modifier rounding) {
    using namespace conversion;
    for_each_integer([&]<class From>() {
        table.add(Opcode::cvt + rounding + Modifier::f32 + type_modifier<From>, rounded<Mode, &integer_to_float_rounded<float, From>>());
        table.add(Opcode::cvt + rounding + Modifier::f64 + type_modifier<From>, rounded<Mode, &integer_to_float_rounded<double, From>>());
    });
    table.add(Opcode::cvt + rounding + Modifier::f32 + Modifier::f64, rounded<Mode, &float_to_float<float, double, false, false>>());
    table.add(Opcode::cvt + rounding + Modifier::ftz + Modifier::f32 + Modifier::f64,
              rounded<Mode, &float_to_float<float, double, true, false>>());
    table.add(Opcode::cvt + rounding + Modifier::sat + Modifier::f32 + Modifier::f64,
              rounded<Mode, &float_to_float<float, double, false, true>>());
    table.add(Opcode::cvt + rounding + Modifier::ftz + Modifier::sat + Modifier::f32 + Modifier::f64,
              rounded<Mode, &float_to_float<float, double, true, true>>());
}

}  // namespace

void define_convert_rounded(Table& table) {
    define_conversions_in<FE_TOWARDZERO>(table, Modifier::rz);
    define_conversions_in<FE_DOWNWARD>(table, Modifier::rm);
    define_conversions_in<FE_UPWARD>(table, Modifier::rp);
}

LAB_FILLING_END
}  // namespace lab::machine
