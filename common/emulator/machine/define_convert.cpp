// Conversion between integers: PTX ISA 9.7.9, cvt.
#include "common/emulator/machine/conversion.h"

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
}  // namespace lab::machine
