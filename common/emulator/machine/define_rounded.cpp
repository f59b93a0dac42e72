// Floating-point arithmetic, and conversion to a float, rounded toward zero, down or up: the .rz .rm .rp forms of PTX ISA 9.7.3 and of cvt,
// 9.7.9. Operands and results are registers in memory, so the arithmetic can't move across the calls of fesetround.
#include <cfenv>

#include "common/emulator/machine/conversion.h"
#include "common/emulator/machine/float_math.h"

namespace lab::machine {
namespace {

// Runs an instruction's handler under another rounding mode of the host.
template <int Mode, Compute Work>
const Op* run_rounded(const Op* op, Warp& warp) {
    std::fesetround(Mode);
    Work(op, warp);
    std::fesetround(FE_TONEAREST);
    LAB_CONTINUE(op + 1, warp);
}

// lane_by_lane<F>() under `Mode`, one of FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD.
template <int Mode, auto F>
constexpr Definition rounded() {
    Definition definition = lane_by_lane<F>();
    definition.run[0] = definition.run[1] = run_rounded<Mode, compute_lane_by_lane<F>>;
    return definition;
}

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

template <int Mode>
void define_rounded_in(Table& table, Modifier rounding) {
    define_arithmetic_in<Mode>(table, rounding);
    define_conversions_in<Mode>(table, rounding);
}

}  // namespace

void define_rounded(Table& table) {
    define_rounded_in<FE_TOWARDZERO>(table, Modifier::rz);
    define_rounded_in<FE_DOWNWARD>(table, Modifier::rm);
    define_rounded_in<FE_UPWARD>(table, Modifier::rp);
}

LAB_FILLING_END
}  // namespace lab::machine
