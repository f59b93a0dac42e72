// Conversion to a float, rounded toward zero, down or up: the .rz .rm .rp forms of PTX ISA 9.7.9, cvt.
#include "common/emulator/machine/conversion.h"
#include "common/emulator/machine/rounding.h"

namespace lab::machine {
namespace {

LAB_FILLING_BEGIN
template <int Mode>
void define_conversions_in(Table& table, const std::string& rounding) {
    using namespace conversion;
    for_each_integer([&]<class From>() {
        table.add("cvt" + rounding + ".f32" + type_suffix<From>(), rounded<Mode, &integer_to_float_rounded<float, From>>());
        table.add("cvt" + rounding + ".f64" + type_suffix<From>(), rounded<Mode, &integer_to_float_rounded<double, From>>());
    });
    table.add("cvt" + rounding + ".f32.f64", rounded<Mode, &float_to_float<float, double, false, false>>());
    table.add("cvt" + rounding + ".ftz.f32.f64", rounded<Mode, &float_to_float<float, double, true, false>>());
    table.add("cvt" + rounding + ".sat.f32.f64", rounded<Mode, &float_to_float<float, double, false, true>>());
    table.add("cvt" + rounding + ".ftz.sat.f32.f64", rounded<Mode, &float_to_float<float, double, true, true>>());
}

}  // namespace

void define_convert_rounded(Table& table) {
    define_conversions_in<FE_TOWARDZERO>(table, ".rz");
    define_conversions_in<FE_DOWNWARD>(table, ".rm");
    define_conversions_in<FE_UPWARD>(table, ".rp");
}

LAB_FILLING_END
}  // namespace lab::machine
