// Moves: PTX ISA 9.7.9, mov. Packing and unpacking of vector operands: param_ops.h.
#include "common/emulator/machine/scalar.h"
#include "common/emulator/machine/table.h"

namespace lab::machine {
namespace {

template <class T>
T copy(T a) {
    return a;
}

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
