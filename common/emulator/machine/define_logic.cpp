// Logic and shifts: PTX ISA 9.7.8, and prmt, 9.7.9.
#include <algorithm>

#include "common/emulator/machine/scalar.h"
#include "common/emulator/machine/table.h"

namespace lab::machine {
namespace {

auto bit_and(auto a, decltype(a) b) { return static_cast<decltype(a)>(a & b); }
auto bit_or(auto a, decltype(a) b) { return static_cast<decltype(a)>(a | b); }
auto bit_xor(auto a, decltype(a) b) { return static_cast<decltype(a)>(a ^ b); }
auto bit_not(auto a) { return static_cast<decltype(a)>(~a); }
template <class T>
T logical_not(T a) {
    return a == 0 ? T{1} : T{0};
}

// Predicates are masks already: one operation computes all lanes.
template <bool Full, auto F>
void combine_masks(const Op* op, Warp& warp) {
    const Mask result = F(predicate(warp, op->a), predicate(warp, op->b));
    Mask& to = predicate(warp, op->dst);
    to = Full ? result : (to & ~warp.mask) | (result & warp.mask);
}
template <auto F>
Definition on_masks(unsigned sources) {
    Definition definition;
    definition.run[0] = run_and_continue<&combine_masks<true, F>>;
    definition.run[1] = run_and_continue<&combine_masks<false, F>>;
    definition.result = OperandType::pred;
    definition.source_count = sources;
    for (unsigned i = 0; i < sources; ++i) definition.sources[i] = OperandType::pred;
    return definition;
}
// One source: `b` is then offset 0 of the frame, which is readable.
Mask mask_not(Mask a, Mask) { return ~a; }
Mask mask_copy(Mask a, Mask) { return a; }

// Amounts past the register's width clamp to it.
template <class T>
T shift_left(T a, std::uint32_t amount) {
    constexpr std::uint32_t n = bits_of<T>;
    const Wrapping<T> shifted = wrapping(a) << (amount & (bits_of<Wrapping<T>> - 1));
    return amount >= n ? T{0} : static_cast<T>(shifted);
}
template <class T>
T shift_right(T a, std::uint32_t amount) {
    constexpr std::uint32_t n = bits_of<T>;
    if constexpr (std::is_signed_v<T>) {
        return static_cast<T>(a >> std::min(amount, n - 1));
    } else {
        return amount >= n ? T{0} : static_cast<T>(a >> (amount & (n - 1)));
    }
}
template <bool Left, bool Wrap>
std::uint32_t funnel(std::uint32_t low, std::uint32_t high, std::uint32_t amount) {
    const std::uint32_t n = Wrap ? amount & 31U : std::min(amount, 32U);
    const std::uint64_t both = (std::uint64_t{high} << 32U) | low;
    return static_cast<std::uint32_t>(Left ? (both << n) >> 32U : both >> n);
}

// Expands the table of a three-input function once: eight constants instead of eight decisions a lane.
template <bool Full>
void compute_lop3(const Op* op, Warp& warp) {
    const Source<std::uint32_t> a(warp.registers + op->a);
    const Source<std::uint32_t> b(warp.registers + op->b);
    const Source<std::uint32_t> c(warp.registers + op->c);
    const std::uint32_t table = Source<std::uint32_t>(warp.registers + op->extra)[0];  // an immediate: the same in all lanes
    std::uint32_t when[8];
    for (unsigned i = 0; i < 8; ++i) when[i] = 0U - ((table >> i) & 1U);
    detail::for_lanes<std::uint32_t>(warp, op, Full, [=](unsigned lane) LAB_INLINE {
        const std::uint32_t x = a[lane];
        const std::uint32_t y = b[lane];
        const std::uint32_t z = c[lane];
        const std::uint32_t without_x = (~y & ((~z & when[0]) | (z & when[1]))) | (y & ((~z & when[2]) | (z & when[3])));
        const std::uint32_t with_x = (~y & ((~z & when[4]) | (z & when[5]))) | (y & ((~z & when[6]) | (z & when[7])));
        return (~x & without_x) | (x & with_x);
    });
}
std::uint32_t lop3_shape(std::uint32_t a, std::uint32_t, std::uint32_t, std::uint32_t) { return a; }

// The byte of b:a that `selector` selects; its bit 3 replicates that byte's sign instead.
std::uint32_t picked_byte(std::uint64_t bytes, std::uint32_t selector) {
    const auto byte = static_cast<std::uint32_t>((bytes >> (8 * (selector & 7U))) & 0xffU);
    return (selector & 8U) != 0 ? ((byte & 0x80U) != 0 ? 0xffU : 0U) : byte;
}
enum class Permute { generic, forward4, backward4, replicate8, edge_left, edge_right, replicate16 };
template <Permute How>
std::uint32_t selector_of(std::uint32_t c, std::uint32_t i) {
    const std::uint32_t k = c & 3U;
    switch (How) {
        case Permute::generic:
            return (c >> (4 * i)) & 15U;
        case Permute::forward4:
            return (k + i) & 7U;
        case Permute::backward4:
            return (k - i) & 7U;
        case Permute::replicate8:
            return k;
        case Permute::edge_left:
            return std::max(k, i);
        case Permute::edge_right:
            return std::min(k, i);
        case Permute::replicate16:
            return (k & 1U) * 2 + (i & 1U);
    }
    return 0;
}
template <Permute How>
std::uint32_t permute(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint64_t bytes = (std::uint64_t{b} << 32U) | a;
    std::uint32_t result = 0;
    for (std::uint32_t i = 0; i < 4; ++i) result |= picked_byte(bytes, selector_of<How>(c, i)) << (8 * i);
    return result;
}

LAB_FILLING_BEGIN
template <class Unsigned, class Signed>
void define_logic_of(Table& table) {
    constexpr Modifier bits = bits_modifier<Unsigned>;
    table.add(Opcode::and_ + bits, elementwise<&bit_and<Unsigned>>());
    table.add(Opcode::or_ + bits, elementwise<&bit_or<Unsigned>>());
    table.add(Opcode::xor_ + bits, elementwise<&bit_xor<Unsigned>>());
    table.add(Opcode::not_ + bits, elementwise<&bit_not<Unsigned>>());
    table.add(Opcode::cnot + bits, masked<&logical_not<Unsigned>>());
    table.add(Opcode::shl + bits, elementwise<&shift_left<Unsigned>>());
    table.add(Opcode::shr + bits, elementwise<&shift_right<Unsigned>>());
    table.add(Opcode::shr + type_modifier<Unsigned>, elementwise<&shift_right<Unsigned>>());
    table.add(Opcode::shr + type_modifier<Signed>, elementwise<&shift_right<Signed>>());
}

}  // namespace

void define_logic(Table& table) {
    define_logic_of<std::uint16_t, std::int16_t>(table);
    define_logic_of<std::uint32_t, std::int32_t>(table);
    define_logic_of<std::uint64_t, std::int64_t>(table);
    table.add(Opcode::and_ + Modifier::pred, on_masks<&bit_and<Mask>>(2));
    table.add(Opcode::or_ + Modifier::pred, on_masks<&bit_or<Mask>>(2));
    table.add(Opcode::xor_ + Modifier::pred, on_masks<&bit_xor<Mask>>(2));
    table.add(Opcode::not_ + Modifier::pred, on_masks<&mask_not>(1));
    table.add(Opcode::mov + Modifier::pred, on_masks<&mask_copy>(1));
    Definition lop3 = elementwise<&lop3_shape>();
    lop3.run[0] = run_and_continue<&compute_lop3<true>>;
    lop3.run[1] = run_and_continue<&compute_lop3<false>>;
    table.add(Opcode::lop3 + Modifier::b32, lop3);
    table.add(Opcode::shf + Modifier::l + Modifier::clamp + Modifier::b32, masked<&funnel<true, false>>());
    table.add(Opcode::shf + Modifier::l + Modifier::wrap + Modifier::b32, masked<&funnel<true, true>>());
    table.add(Opcode::shf + Modifier::r + Modifier::clamp + Modifier::b32, masked<&funnel<false, false>>());
    table.add(Opcode::shf + Modifier::r + Modifier::wrap + Modifier::b32, masked<&funnel<false, true>>());
    table.add(Opcode::prmt + Modifier::b32, masked<&permute<Permute::generic>>());
    table.add(Opcode::prmt + Modifier::b32 + Modifier::f4e, masked<&permute<Permute::forward4>>());
    table.add(Opcode::prmt + Modifier::b32 + Modifier::b4e, masked<&permute<Permute::backward4>>());
    table.add(Opcode::prmt + Modifier::b32 + Modifier::rc8, masked<&permute<Permute::replicate8>>());
    table.add(Opcode::prmt + Modifier::b32 + Modifier::ecl, masked<&permute<Permute::edge_left>>());
    table.add(Opcode::prmt + Modifier::b32 + Modifier::ecr, masked<&permute<Permute::edge_right>>());
    table.add(Opcode::prmt + Modifier::b32 + Modifier::rc16, masked<&permute<Permute::replicate16>>());
}

LAB_FILLING_END
}  // namespace lab::machine
