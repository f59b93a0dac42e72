// Extended precision: PTX ISA 9.7.2. The carry flag is a hidden predicate of the frame, at Op::extra. As in the ISA, sub.cc stores a borrow
// there and subc subtracts it.
#include "common/emulator/machine/scalar.h"
#include "common/emulator/machine/table.h"

namespace lab::machine {
namespace {

template <class T>
struct Sum {
    T value = 0;
    bool carry = false;
};
template <class T>
Sum<T> add_with(T a, T b, bool carry) {
    const T partial = static_cast<T>(a + b);
    const T value = static_cast<T>(partial + (carry ? 1 : 0));
    return {value, partial < a || value < partial};
}
template <class T>
Sum<T> subtract_with(T a, T b, bool borrow) {
    const T partial = static_cast<T>(a - b);
    return {static_cast<T>(partial - (borrow ? 1 : 0)), a < b || (borrow && partial == 0)};
}

enum class What { add, sub, mad_low, mad_high };

// T is signed only for the high half of a product, where that matters.
template <What Kind, class T>
auto carried(T a, T b, T c, bool carry) {
    if constexpr (Kind == What::sub) return subtract_with(wrapping(a), wrapping(b), carry);
    if constexpr (Kind == What::add) return add_with(wrapping(a), wrapping(b), carry);
    if constexpr (Kind == What::mad_low) return add_with(wrapping(low_product(a, b)), wrapping(c), carry);
    if constexpr (Kind == What::mad_high) return add_with(wrapping(high_product(a, b)), wrapping(c), carry);
}

template <What Kind, class T>
[[gnu::noinline]] void compute_with_carry(const Op* op, Warp& warp, bool reads, bool writes) {
    constexpr bool is_mad = Kind == What::mad_low || Kind == What::mad_high;
    const Source<T> a(warp.registers + op->a);
    const Source<T> b(warp.registers + op->b);
    const Source<T> c(warp.registers + (is_mad ? op->c : op->a));
    Mask& flag = predicate(warp, op->extra);
    const Mask carried_in = reads ? flag : 0;
    const Mask mask = warp.mask;
    Storage<T>* to = lanes_of<T>(warp, op->dst);
    Mask carries = 0;
    for (Mask left = mask; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        const auto sum = carried<Kind, T>(a[lane], b[lane], c[lane], ((carried_in >> lane) & 1U) != 0);
        carries |= static_cast<Mask>(sum.carry) << lane;
        to[lane] = static_cast<T>(sum.value);
    }
    if (writes) flag = (flag & ~mask) | carries;
}
template <What Kind, class T, bool Reads, bool Writes>
void compute_carry(const Op* op, Warp& warp) {
    compute_with_carry<Kind, T>(op, warp, Reads, Writes);
}

template <What Kind, class T, bool Reads, bool Writes>
Definition with_carry() {
    Definition definition;
    definition.run[0] = definition.run[1] = run_and_continue<&compute_carry<Kind, T, Reads, Writes>>;
    definition.result = operand_type<T>();
    definition.source_count = Kind == What::add || Kind == What::sub ? 2 : 3;
    for (unsigned i = 0; i < definition.source_count; ++i) definition.sources[i] = operand_type<T>();
    definition.uses_carry = true;
    return definition;
}

LAB_FILLING_BEGIN
template <What Kind, class T>
void define_kind(Table& table, Opcode plain, Opcode chained, Modifier half, Modifier type) {
    table.add(plain + half + Modifier::cc + type, with_carry<Kind, T, false, true>());
    table.add(chained + half + type, with_carry<Kind, T, true, false>());
    table.add(chained + half + Modifier::cc + type, with_carry<Kind, T, true, true>());
}
template <class T>
void define_carry_type(Table& table) {
    constexpr Modifier type = type_modifier<T>;
    using Bits = std::make_unsigned_t<T>;
    define_kind<What::add, Bits>(table, Opcode::add, Opcode::addc, Modifier::none, type);
    define_kind<What::sub, Bits>(table, Opcode::sub, Opcode::subc, Modifier::none, type);
    define_kind<What::mad_low, Bits>(table, Opcode::mad, Opcode::madc, Modifier::lo, type);
    define_kind<What::mad_high, T>(table, Opcode::mad, Opcode::madc, Modifier::hi, type);
}

}  // namespace

void define_carry(Table& table) {
    define_carry_type<std::uint32_t>(table);
    define_carry_type<std::int32_t>(table);
    define_carry_type<std::uint64_t>(table);
    define_carry_type<std::int64_t>(table);
}

LAB_FILLING_END
}  // namespace lab::machine
