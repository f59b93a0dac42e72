// Arithmetic on the bytes or halves of a register: PTX ISA 9.7.1 (dp4a, dp2a, .u16x2 and .s16x2 forms) and 9.7.19 (vabsdiff4).
#include "common/emulator/machine/scalar.h"
#include "common/emulator/machine/table.h"

namespace lab::machine {
namespace {

// The i-th byte or half of a register, with its sign if it has one. Part is std::int8_t, std::uint8_t, std::int16_t or std::uint16_t.
template <class Part, class T>
std::int32_t part(T value, unsigned i) {
    return static_cast<Part>(static_cast<std::uint32_t>(value) >> (i * bits_of<Part>));
}
template <class T>
using ByteOf = std::conditional_t<std::is_signed_v<T>, std::int8_t, std::uint8_t>;
template <class T>
using HalfOf = std::conditional_t<std::is_signed_v<T>, std::int16_t, std::uint16_t>;

template <class A, class B>
std::uint32_t dot4(A a, B b, std::uint32_t c) {
    for (unsigned i = 0; i < 4; ++i) c += static_cast<std::uint32_t>(part<ByteOf<A>>(a, i) * part<ByteOf<B>>(b, i));
    return c;
}
// Two halves of a with the low or the high pair of b's bytes.
template <class A, class B, unsigned First>
std::uint32_t dot2(A a, B b, std::uint32_t c) {
    for (unsigned i = 0; i < 2; ++i) c += static_cast<std::uint32_t>(part<HalfOf<A>>(a, i) * part<ByteOf<B>>(b, First + i));
    return c;
}

template <class A, class B>
void define_dot(Table& table) {
    table.add(Opcode::dp4a + type_modifier<A> + type_modifier<B>, masked<&dot4<A, B>>());
    table.add(Opcode::dp2a + Modifier::lo + type_modifier<A> + type_modifier<B>, masked<&dot2<A, B, 0>>());
    table.add(Opcode::dp2a + Modifier::hi + type_modifier<A> + type_modifier<B>, masked<&dot2<A, B, 2>>());
}

enum class HalfOperation { add, min, max };
template <class Half, HalfOperation What>
std::uint32_t both_halves(std::uint32_t a, std::uint32_t b) {
    std::uint32_t result = 0;
    for (unsigned i = 0; i < 2; ++i) {
        const std::int32_t x = part<Half>(a, i);
        const std::int32_t y = part<Half>(b, i);
        const std::int32_t value = What == HalfOperation::add ? x + y : (What == HalfOperation::min) == (x < y) ? x : y;
        result |= (static_cast<std::uint32_t>(value) & 0xffffU) << (16 * i);
    }
    return result;
}
template <class Half>
void define_halves(Table& table) {
    constexpr Modifier type = std::is_signed_v<Half> ? Modifier::s16x2 : Modifier::u16x2;
    table.add(Opcode::add + type, masked<&both_halves<Half, HalfOperation::add>>());
    table.add(Opcode::min + type, masked<&both_halves<Half, HalfOperation::min>>());
    table.add(Opcode::max + type, masked<&both_halves<Half, HalfOperation::max>>());
}

// Without a mask every byte of c is replaced; with .add the four differences are added to c.
template <class T, bool Add>
std::uint32_t absolute_differences(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    std::uint32_t bytes = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const std::int32_t difference = part<ByteOf<T>>(a, i) - part<ByteOf<T>>(b, i);
        const std::uint32_t magnitude = static_cast<std::uint32_t>(difference < 0 ? -difference : difference);
        c += magnitude;
        bytes |= magnitude << (8 * i);
    }
    return Add ? c : bytes;
}

}  // namespace

void define_packed(Table& table) {
    define_dot<std::uint32_t, std::uint32_t>(table);
    define_dot<std::uint32_t, std::int32_t>(table);
    define_dot<std::int32_t, std::uint32_t>(table);
    define_dot<std::int32_t, std::int32_t>(table);
    define_halves<std::uint16_t>(table);
    define_halves<std::int16_t>(table);
    table.add(Opcode::vabsdiff4 + Modifier::u32 + Modifier::u32 + Modifier::u32, masked<&absolute_differences<std::uint32_t, false>>());
    table.add(Opcode::vabsdiff4 + Modifier::u32 + Modifier::u32 + Modifier::u32 + Modifier::add,
              masked<&absolute_differences<std::uint32_t, true>>());
    table.add(Opcode::vabsdiff4 + Modifier::u32 + Modifier::s32 + Modifier::s32, masked<&absolute_differences<std::int32_t, false>>());
    table.add(Opcode::vabsdiff4 + Modifier::u32 + Modifier::s32 + Modifier::s32 + Modifier::add,
              masked<&absolute_differences<std::int32_t, true>>());
}

}  // namespace lab::machine
