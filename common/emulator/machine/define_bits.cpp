// Counting, finding and moving bits: PTX ISA 9.7.1 (popc, clz, bfind, fns, brev, bfe, bfi, szext, bmsk).
#include <algorithm>
#include <bit>

#include "common/emulator/machine/scalar.h"
#include "common/emulator/machine/table.h"

namespace lab::machine {
namespace {

constexpr std::uint32_t nowhere = 0xffffffffU;

std::uint32_t count_ones(auto a) { return static_cast<std::uint32_t>(std::popcount(a)); }
std::uint32_t leading_zeros(auto a) { return static_cast<std::uint32_t>(std::countl_zero(a)); }

// The highest bit that isn't a copy of the sign. `Shift`: returns its distance from the top bit instead.
template <class T, bool Shift>
std::uint32_t find_highest(T a) {
    using Bits = std::make_unsigned_t<T>;
    const Bits bits = static_cast<Bits>(a < 0 ? ~a : a);
    const std::uint32_t shift = leading_zeros(bits);
    return bits == 0 ? nowhere : Shift ? shift : bits_of<T> - 1 - shift;
}

std::uint32_t find_nth_set(std::uint32_t mask, std::uint32_t base, std::int32_t offset) {
    if (base > 31) return nowhere;
    if (offset == 0) return ((mask >> base) & 1U) != 0 ? base : nowhere;
    const int step = offset > 0 ? 1 : -1;
    std::uint32_t left = offset > 0 ? static_cast<std::uint32_t>(offset) : 0U - static_cast<std::uint32_t>(offset);
    for (int at = static_cast<int>(base); at >= 0 && at < 32; at += step) {
        if (((mask >> at) & 1U) != 0 && --left == 0) return static_cast<std::uint32_t>(at);
    }
    return nowhere;
}

template <class T>
T reverse(T a) {
    constexpr auto spread = [](std::uint64_t pattern) { return static_cast<T>(pattern); };
    a = ((a >> 1U) & spread(0x5555555555555555U)) | ((a & spread(0x5555555555555555U)) << 1U);
    a = ((a >> 2U) & spread(0x3333333333333333U)) | ((a & spread(0x3333333333333333U)) << 2U);
    a = ((a >> 4U) & spread(0x0f0f0f0f0f0f0f0fU)) | ((a & spread(0x0f0f0f0f0f0f0f0fU)) << 4U);
    a = ((a >> 8U) & spread(0x00ff00ff00ff00ffU)) | ((a & spread(0x00ff00ff00ff00ffU)) << 8U);
    a = ((a >> 16U) & spread(0x0000ffff0000ffffU)) | ((a & spread(0x0000ffff0000ffffU)) << 16U);
    if constexpr (sizeof(T) == 8) a = (a >> 32U) | (a << 32U);
    return a;
}

// `length` ones; lengths past the register's width fill it.
template <class T>
T ones(std::uint32_t length) {
    constexpr unsigned n = bits_of<T>;
    return length >= n ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << (length & (n - 1))) - 1);
}

// Bits past the top and above the field are copies of the sign.
template <class T>
T extract(T a, std::uint32_t start, std::uint32_t size) {
    using Bits = std::make_unsigned_t<T>;
    constexpr std::uint32_t n = bits_of<T>;
    const std::uint32_t position = start & 0xffU;
    const std::uint32_t length = size & 0xffU;
    if constexpr (std::is_signed_v<T>) {
        const T field = a >> std::min(position, n - 1);
        const std::uint32_t above = (n - std::min(length, n)) & (n - 1);
        return length == 0 ? T{0} : static_cast<T>(static_cast<T>(static_cast<Bits>(field) << above) >> above);
    } else {
        const T field = position >= n ? T{0} : a >> (position & (n - 1));
        return field & ones<T>(length);
    }
}
template <class T>
T insert(T a, T b, std::uint32_t start, std::uint32_t size) {
    constexpr std::uint32_t n = bits_of<T>;
    const std::uint32_t position = start & 0xffU;
    const T field = position >= n ? T{0} : static_cast<T>(ones<T>(size & 0xffU) << (position & (n - 1)));
    return (b & ~field) | ((a << (position & (n - 1))) & field);
}

// The low b bits of a, extended. More than 32 bits: clamp keeps all, wrap counts modulo 32.
template <class T, bool Wrap>
T extend(T a, std::uint32_t b) {
    const std::uint32_t length = Wrap ? b & 31U : b;
    if constexpr (std::is_signed_v<T>) {
        const std::uint32_t above = length >= 32 ? 0 : (32 - length) & 31U;
        return length == 0 ? T{0} : static_cast<T>(static_cast<std::uint32_t>(a) << above) >> above;
    } else {
        return a & ones<T>(length);
    }
}
template <bool Wrap>
std::uint32_t bit_mask(std::uint32_t start, std::uint32_t size) {
    const std::uint32_t position = Wrap ? start & 31U : start;
    const std::uint32_t field = ones<std::uint32_t>(Wrap ? size & 31U : size);
    return position >= 32 ? 0U : field << (position & 31U);
}

LAB_FILLING_BEGIN
template <class T>
void define_unsigned(Table& table) {
    constexpr Modifier bits = bits_modifier<T>;
    table.add(Opcode::popc + bits, masked<&count_ones<T>>());
    table.add(Opcode::clz + bits, masked<&leading_zeros<T>>());
    table.add(Opcode::brev + bits, masked<&reverse<T>>());
    table.add(Opcode::bfi + bits, masked<&insert<T>>());
}
template <class T>
void define_typed(Table& table) {
    constexpr Modifier type = type_modifier<T>;
    table.add(Opcode::bfind + type, masked<&find_highest<T, false>>());
    table.add(Opcode::bfind + Modifier::shiftamt + type, masked<&find_highest<T, true>>());
    table.add(Opcode::bfe + type, masked<&extract<T>>());
}

}  // namespace

void define_bits(Table& table) {
    define_unsigned<std::uint32_t>(table);
    define_unsigned<std::uint64_t>(table);
    define_typed<std::uint32_t>(table);
    define_typed<std::int32_t>(table);
    define_typed<std::uint64_t>(table);
    define_typed<std::int64_t>(table);
    table.add(Opcode::fns + Modifier::b32, masked<&find_nth_set>());
    table.add(Opcode::szext + Modifier::clamp + Modifier::u32, masked<&extend<std::uint32_t, false>>());
    table.add(Opcode::szext + Modifier::clamp + Modifier::s32, masked<&extend<std::int32_t, false>>());
    table.add(Opcode::szext + Modifier::wrap + Modifier::u32, masked<&extend<std::uint32_t, true>>());
    table.add(Opcode::szext + Modifier::wrap + Modifier::s32, masked<&extend<std::int32_t, true>>());
    table.add(Opcode::bmsk + Modifier::clamp + Modifier::b32, masked<&bit_mask<false>>());
    table.add(Opcode::bmsk + Modifier::wrap + Modifier::b32, masked<&bit_mask<true>>());
}

LAB_FILLING_END
}  // namespace lab::machine
