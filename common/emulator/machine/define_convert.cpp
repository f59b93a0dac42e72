// Conversion between integers, and moves: PTX ISA 9.7.9, cvt and mov. Packing and unpacking of vector operands: param_ops.cpp.
#include "common/emulator/machine/conversion.h"
#include "common/emulator/machine/scalar.h"
#include "common/emulator/machine/table.h"

namespace lab::machine {
namespace {

using namespace conversion;

template <class To, class From>
Extended<To> wrap(From value) {
    return static_cast<To>(value);
}
// Truncation and zero extension don't depend on the sign.
template <class T>
using Bits = std::make_unsigned_t<T>;
template <class To, class From>
constexpr auto wrapped() {
    using Result = std::conditional_t<(sizeof(To) >= 4), Bits<To>, To>;
    using Operand = std::conditional_t<(sizeof(To) <= sizeof(From)), Bits<From>, From>;
    if constexpr (sizeof(From) < 4) return masked<&wrap<Result, Operand>>();
    return by_width<To, &wrap<Result, Operand>>();
}
LAB_FILLING_BEGIN  // compilers seldom emit cvt.sat
    template <class To, class From>
    Extended<To> clamp(From value) {
    return saturated<To>(value);
}

}  // namespace

void define_convert(Table& table) {
    for_each_integer([&]<class To>() {
        for_each_integer([&]<class From>() {
            table.add(Opcode::cvt + type_modifier<To> + type_modifier<From>, wrapped<To, From>());
            table.add(Opcode::cvt + Modifier::sat + type_modifier<To> + type_modifier<From>, lane_by_lane<&clamp<To, From>>());
        });
    });
}

LAB_FILLING_END

namespace {

auto copy(auto a) { return a; }

LAB_FILLING_BEGIN
template <class Unsigned, class Signed>
void define_moves_of(Table& table) {
    table.add(Opcode::mov + bits_modifier<Unsigned>, elementwise<&copy<Unsigned>>());
    table.add(Opcode::mov + type_modifier<Unsigned>, elementwise<&copy<Unsigned>>());
    table.add(Opcode::mov + type_modifier<Signed>, elementwise<&copy<Unsigned>>());
}

}  // namespace

// mov.pred works on masks: define_logic.cpp.
void define_move(Table& table) {
    define_moves_of<std::uint16_t, std::int16_t>(table);
    define_moves_of<std::uint32_t, std::int32_t>(table);
    define_moves_of<std::uint64_t, std::int64_t>(table);
    table.add(Opcode::mov + Modifier::f16, elementwise<&copy<std::uint16_t>>());
    table.add(Opcode::mov + Modifier::f32, elementwise<&copy<float>>());
    table.add(Opcode::mov + Modifier::f64, elementwise<&copy<double>>());
}

LAB_FILLING_END

}  // namespace lab::machine
