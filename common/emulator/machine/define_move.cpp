// Moves, and the packing and unpacking that mov does with vector operands: PTX ISA 9.7.9, mov.
// Names of our own for the latter, one for each shape:
//   mov.b64 d, {a, b}      is "pack.b64.2" (32-bit parts), mov.b64 d, {a, b, c, d}  "pack.b64.4" (16-bit parts), and so "pack.b32.2",
//   "pack.b32.4" mov.b64 {a, b}, d      is "unpack.b64.2.0" for a and "unpack.b64.2.1" for b, and so on
#include "common/emulator/machine/scalar.h"
#include "common/emulator/machine/table.h"

namespace lab::machine {
namespace {

template <class T>
T copy(T a) {
    return a;
}

template <class Whole, class Part>
Whole pack2(Part a, Part b) {
    return static_cast<Whole>(a | (static_cast<Whole>(b) << bits_of<Part>));
}
template <class Whole, class Part>
Whole pack4(Part a, Part b, Part c, Part d) {
    constexpr unsigned n = bits_of<Part>;
    return static_cast<Whole>(a | (static_cast<Whole>(b) << n) | (static_cast<Whole>(c) << (2 * n)) | (static_cast<Whole>(d) << (3 * n)));
}
template <class Whole, class Part, unsigned I>
Part unpack(Whole a) {
    return static_cast<Part>(a >> (I * bits_of<Part>));
}

LAB_FILLING_BEGIN
template <class Whole, class Half>
void define_pairs(Table& table) {
    table.add("pack" + bits_suffix<Whole>() + ".2", by_width<Half, &pack2<Whole, Half>>());
    table.add("unpack" + bits_suffix<Whole>() + ".2.0", by_width<Half, &unpack<Whole, Half, 0>>());
    table.add("unpack" + bits_suffix<Whole>() + ".2.1", by_width<Half, &unpack<Whole, Half, 1>>());
}
template <class Whole, class Quarter>
void define_quads(Table& table) {
    table.add("pack" + bits_suffix<Whole>() + ".4", masked<&pack4<Whole, Quarter>>());
    table.add("unpack" + bits_suffix<Whole>() + ".4.0", masked<&unpack<Whole, Quarter, 0>>());
    table.add("unpack" + bits_suffix<Whole>() + ".4.1", masked<&unpack<Whole, Quarter, 1>>());
    table.add("unpack" + bits_suffix<Whole>() + ".4.2", masked<&unpack<Whole, Quarter, 2>>());
    table.add("unpack" + bits_suffix<Whole>() + ".4.3", masked<&unpack<Whole, Quarter, 3>>());
}
template <class Unsigned, class Signed>
void define_moves_of(Table& table) {
    table.add("mov" + bits_suffix<Unsigned>(), elementwise<&copy<Unsigned>>());
    table.add("mov" + type_suffix<Unsigned>(), elementwise<&copy<Unsigned>>());
    table.add("mov" + type_suffix<Signed>(), elementwise<&copy<Unsigned>>());
}

}  // namespace

// mov.pred works on masks: define_logic.cpp.
void define_move(Table& table) {
    define_moves_of<std::uint16_t, std::int16_t>(table);
    define_moves_of<std::uint32_t, std::int32_t>(table);
    define_moves_of<std::uint64_t, std::int64_t>(table);
    table.add("mov.f16", elementwise<&copy<std::uint16_t>>());
    table.add("mov.f32", elementwise<&copy<float>>());
    table.add("mov.f64", elementwise<&copy<double>>());
    define_pairs<std::uint64_t, std::uint32_t>(table);
    define_pairs<std::uint32_t, std::uint16_t>(table);
    define_pairs<std::uint16_t, std::uint8_t>(table);
    define_quads<std::uint64_t, std::uint16_t>(table);
    define_quads<std::uint32_t, std::uint8_t>(table);
}

LAB_FILLING_END
}  // namespace lab::machine
