// Integer arithmetic: PTX ISA 9.7.1. Overflow wraps. Undefined results (division by zero) are those of GPUs: all ones.
#include "common/emulator/machine/scalar.h"
#include "common/emulator/machine/table.h"

namespace lab::machine {
namespace integer {

// In its own namespace, since floating-point arithmetic has an add and a min as well.
namespace {

template <class T>
T add(T a, T b) {
    return static_cast<T>(wrapping(a) + wrapping(b));
}
template <class T>
T sub(T a, T b) {
    return static_cast<T>(wrapping(a) - wrapping(b));
}
std::int32_t add_saturated(std::int32_t a, std::int32_t b) { return clamp_to<std::int32_t>(std::int64_t{a} + b); }
std::int32_t sub_saturated(std::int32_t a, std::int32_t b) { return clamp_to<std::int32_t>(std::int64_t{a} - b); }

auto mad_low(auto a, decltype(a) b, decltype(a) c) { return add(low_product(a, b), c); }
auto mad_high(auto a, decltype(a) b, decltype(a) c) { return add(high_product(a, b), c); }
template <class T>
Twice<T> mad_wide(T a, T b, Twice<T> c) {
    return add(whole_product(a, b), c);
}
std::int32_t mad_high_saturated(std::int32_t a, std::int32_t b, std::int32_t c) { return add_saturated(high_product(a, b), c); }

// The low 24 bits of the operand, with their sign if it has one.
template <class T>
T low24(T value) {
    return static_cast<T>(wrapping(value) << 8U) >> 8;
}
template <class T>
T mul24_low(T a, T b) {
    return static_cast<T>(whole_product(low24(a), low24(b)));
}
template <class T>
T mul24_high(T a, T b) {
    return static_cast<T>(whole_product(low24(a), low24(b)) >> 16);
}
auto mad24_low(auto a, decltype(a) b, decltype(a) c) { return add(mul24_low(a, b), c); }
auto mad24_high(auto a, decltype(a) b, decltype(a) c) { return add(mul24_high(a, b), c); }
std::int32_t mad24_high_saturated(std::int32_t a, std::int32_t b, std::int32_t c) { return add_saturated(mul24_high(a, b), c); }

auto sum_of_absolute_difference(auto a, decltype(a) b, decltype(a) c) { return add(c, a < b ? sub(b, a) : sub(a, b)); }

// Up to 32 bits the truncated quotient of two doubles is exact: a non-integer quotient differs from an integer by at least 1/b, which 53
// bits resolve. Doubles have vector division; integers don't. Through int64, since INT_MIN / -1 doesn't fit in int32.
template <class T>
T div(T a, T b) {
    const bool by_zero = b == 0;
    if constexpr (sizeof(T) <= 4) {
        const double quotient = static_cast<double>(a) / static_cast<double>(by_zero ? T{1} : b);
        return by_zero ? static_cast<T>(-1) : static_cast<T>(static_cast<std::int64_t>(quotient));
    } else {
        if (by_zero) return static_cast<T>(-1);
        if constexpr (std::is_signed_v<T>) {
            if (b == -1) return static_cast<T>(0 - wrapping(a));
        }
        return a / b;
    }
}
template <class T>
T rem(T a, T b) {
    return b == 0 ? static_cast<T>(-1) : sub(a, low_product(div(a, b), b));
}

template <class T>
T neg(T a) {
    return static_cast<T>(0 - wrapping(a));
}
auto abs(auto a) { return a < 0 ? neg(a) : a; }
auto min(auto a, decltype(a) b) { return a < b ? a : b; }
auto max(auto a, decltype(a) b) { return a < b ? b : a; }

}  // namespace
}  // namespace integer

namespace {

LAB_FILLING_BEGIN
template <class T>
void define_any(Table& table) {
    using namespace integer;
    constexpr Modifier type = type_modifier<T>;
    // Low halves don't depend on the sign; a 16-bit result is extended by its own.
    using Bits = std::conditional_t<(sizeof(T) >= 4), std::make_unsigned_t<T>, T>;
    table.add(Opcode::add + type, by_width<T, &add<Bits>>());
    table.add(Opcode::sub + type, by_width<T, &sub<Bits>>());
    table.add(Opcode::mul + Modifier::lo + type, by_width<T, &low_product<Bits>>());
    table.add(Opcode::mul + Modifier::hi + type, masked<&high_product<T>>());
    table.add(Opcode::mad + Modifier::lo + type, by_width<T, &mad_low<Bits>>());
    table.add(Opcode::mad + Modifier::hi + type, masked<&mad_high<T>>());
    if constexpr (sizeof(T) < 8) {
        table.add(Opcode::mul + Modifier::wide + type, by_width<T, &whole_product<T>>());
        table.add(Opcode::mad + Modifier::wide + type, by_width<T, &mad_wide<T>>());
    }
    if constexpr (sizeof(T) == 4) {
        table.add(Opcode::mul24 + Modifier::lo + type, lane_by_lane<&mul24_low<T>>());
        table.add(Opcode::mul24 + Modifier::hi + type, lane_by_lane<&mul24_high<T>>());
        table.add(Opcode::mad24 + Modifier::lo + type, lane_by_lane<&mad24_low<T>>());
        table.add(Opcode::mad24 + Modifier::hi + type, lane_by_lane<&mad24_high<T>>());
    }
    table.add(Opcode::sad + type, lane_by_lane<&sum_of_absolute_difference<T>>());
    table.add(Opcode::div + type, masked<&div<T>>());
    table.add(Opcode::rem + type, masked<&rem<T>>());
    table.add(Opcode::min + type, by_width<T, &min<T>>());
    table.add(Opcode::max + type, by_width<T, &max<T>>());
    if constexpr (std::is_signed_v<T>) {
        table.add(Opcode::neg + type, by_width<T, &neg<T>>());
        table.add(Opcode::abs + type, by_width<T, &abs<T>>());
    }
}

}  // namespace

void define_integer(Table& table) {
    define_any<std::uint16_t>(table);
    define_any<std::int16_t>(table);
    define_any<std::uint32_t>(table);
    define_any<std::int32_t>(table);
    define_any<std::uint64_t>(table);
    define_any<std::int64_t>(table);
    table.add(Opcode::add + Modifier::sat + Modifier::s32, lane_by_lane<&integer::add_saturated>());
    table.add(Opcode::sub + Modifier::sat + Modifier::s32, lane_by_lane<&integer::sub_saturated>());
    table.add(Opcode::mad + Modifier::hi + Modifier::sat + Modifier::s32, lane_by_lane<&integer::mad_high_saturated>());
    table.add(Opcode::mad24 + Modifier::hi + Modifier::sat + Modifier::s32, lane_by_lane<&integer::mad24_high_saturated>());
}

LAB_FILLING_END
}  // namespace lab::machine
