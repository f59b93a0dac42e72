// Logic, shifts and bit fields (PTX ISA 9.7.1, 9.7.8): shifts beyond the width, funnel shifts, bfe and bfi out of range, prmt's modes,
// lop3.
#include "probe.h"

namespace {
using probe::unspecified;
// "Shift amounts greater than the register width N are clamped to N."
template <typename T>
bool is_negative(T x) {
    if constexpr (std::is_signed_v<T>)
        return x < 0;
    else
        return false;
}
template <typename T>
T left(T x, uint32_t n) {
    return n >= sizeof(T) * 8 ? T(0) : static_cast<T>(x << n);
}
template <typename T>
T right(T x, uint32_t n) {
    constexpr uint32_t width = sizeof(T) * 8;
    if (n >= width) return is_negative(x) ? T(-1) : T(0);
    return static_cast<T>(x >> n);
}
uint64_t pair(uint32_t low, uint32_t high) { return uint64_t(high) << 32 | low; }

template <typename U>
uint32_t population(U x) {
    uint32_t n = 0;
    for (; x; x &= x - 1) ++n;
    return n;
}
template <typename U>
uint32_t leading_zeros(U x) {
    uint32_t n = 0;
    for (int i = sizeof(U) * 8 - 1; i >= 0 && !(x >> i & 1); --i) ++n;
    return n;
}
template <typename U>
U reversed(U x) {
    U r = 0;
    for (unsigned i = 0; i < sizeof(U) * 8; ++i) r = static_cast<U>(r << 1 | (x >> i & 1));
    return r;
}
// bfind: position of the most significant bit that isn't a copy of the sign; all ones where there is none.
template <typename T>
uint32_t find_bit(T x) {
    using U = std::make_unsigned_t<T>;
    U u = static_cast<U>(is_negative(x) ? ~x : x);
    for (int i = sizeof(T) * 8 - 1; i >= 0; --i)
        if (u >> i & 1) return static_cast<uint32_t>(i);
    return 0xffffffffu;
}
template <typename T>
uint32_t find_shift(T x) {
    uint32_t at = find_bit(x);
    return at == 0xffffffffu ? at : uint32_t(sizeof(T) * 8 - 1) - at;
}
// The manual's loop for bfe: position and length are the low 8 bits of their operands. An H100 heeds the bits above in
// the 64-bit forms (0x80000000 isn't taken as 0), so those aren't compared.
constexpr bool in_byte(uint32_t b, uint32_t c) { return b < 256 && c < 256; }
template <typename T>
T extract(T x, uint32_t b, uint32_t c) {
    using U = std::make_unsigned_t<T>;
    const uint32_t pos = b & 255, len = c & 255, msb = sizeof(T) * 8 - 1;
    const U u = static_cast<U>(x);
    const uint32_t sign_at = pos + len - 1 < msb ? pos + len - 1 : msb;
    const bool sign = std::is_signed_v<T> && len != 0 && (u >> sign_at & 1);
    U r = 0;
    for (uint32_t i = 0; i <= msb; ++i) {
        const bool bit = i < len && pos + i <= msb ? (u >> (pos + i) & 1) : sign;
        r |= static_cast<U>(bit) << i;
    }
    return static_cast<T>(r);
}
template <typename U>
U insert(U a, U b, uint32_t c, uint32_t d) {
    const uint32_t pos = c & 255, len = d & 255, msb = sizeof(U) * 8 - 1;
    U r = b;
    for (uint32_t i = 0; i < len && pos + i <= msb; ++i) {
        r &= ~(U(1) << (pos + i));
        r |= (a >> i & 1) << (pos + i);
    }
    return r;
}
uint32_t byte_of(uint32_t a, uint32_t b, uint32_t selector) {
    const uint32_t value = static_cast<uint32_t>(pair(a, b) >> (8 * (selector & 7))) & 255;
    return selector & 8 ? (value & 128 ? 255 : 0) : value;
}
uint32_t permute(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t r = 0;
    for (int k = 0; k < 4; ++k) r |= byte_of(a, b, c >> (4 * k) & 15) << (8 * k);
    return r;
}
// The special modes take selectors from the manual's table, by c's low two bits.
uint32_t permute_table(uint32_t a, uint32_t b, uint32_t c, const uint16_t (&table)[4]) { return permute(a, b, table[c & 3]); }
constexpr uint16_t f4e[4] = {0x3210, 0x4321, 0x5432, 0x6543}, b4e[4] = {0x5670, 0x6701, 0x7012, 0x0123};
constexpr uint16_t rc8[4] = {0x0000, 0x1111, 0x2222, 0x3333}, ecl[4] = {0x3210, 0x3211, 0x3222, 0x3333};
constexpr uint16_t ecr[4] = {0x0000, 0x1110, 0x2210, 0x3210}, rc16[4] = {0x1010, 0x3232, 0x1010, 0x3232};
uint32_t lookup(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
    uint32_t r = 0;
    for (int i = 0; i < 32; ++i) r |= (table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
    return r;
}

#define LOGIC(t, w)                                                    \
    PTX2(and_##t, "and.b" #w " %0, %1, %2;", t, t, t, TYPE_##t(x& y))  \
    PTX2(or_##t, "or.b" #w " %0, %1, %2;", t, t, t, TYPE_##t(x | y))   \
    PTX2(xor_##t, "xor.b" #w " %0, %1, %2;", t, t, t, TYPE_##t(x ^ y)) \
    PTX1(not_##t, "not.b" #w " %0, %1;", t, t, TYPE_##t(~x))           \
    PTX1(cnot_##t, "cnot.b" #w " %0, %1;", t, t, TYPE_##t(x == 0))     \
    PTX2(shl_##t, "shl.b" #w " %0, %1, %2;", t, t, u32, left(x, y))    \
    PTX2(shr_u_##t, "shr.u" #w " %0, %1, %2;", t, t, u32, right(x, y))
LOGIC(u16, 16)
LOGIC(u32, 32)
LOGIC(u64, 64)
PTX2(shr_s16, "shr.s16 %0, %1, %2;", s16, s16, u32, right(x, y))
PTX2(shr_s32, "shr.s32 %0, %1, %2;", s32, s32, u32, right(x, y))
PTX2(shr_s64, "shr.s64 %0, %1, %2;", s64, s64, u32, right(x, y))
PTX3(shf_l_wrap, "shf.l.wrap.b32 %0, %1, %2, %3;", u32, u32, u32, u32, uint32_t((pair(x, y) << (z & 31)) >> 32))
PTX3(shf_r_wrap, "shf.r.wrap.b32 %0, %1, %2, %3;", u32, u32, u32, u32, uint32_t(pair(x, y) >> (z & 31)))
PTX3(shf_l_clamp, "shf.l.clamp.b32 %0, %1, %2, %3;", u32, u32, u32, u32, uint32_t((pair(x, y) << (z < 32 ? z : 32)) >> 32))
PTX3(shf_r_clamp, "shf.r.clamp.b32 %0, %1, %2, %3;", u32, u32, u32, u32, uint32_t(pair(x, y) >> (z < 32 ? z : 32)))

PTX1(popc_32, "popc.b32 %0, %1;", u32, u32, population(x))
PTX1(popc_64, "popc.b64 %0, %1;", u32, u64, population(x))
PTX1(clz_32, "clz.b32 %0, %1;", u32, u32, leading_zeros(x))
PTX1(clz_64, "clz.b64 %0, %1;", u32, u64, leading_zeros(x))
PTX1(brev_32, "brev.b32 %0, %1;", u32, u32, reversed(x))
PTX1(brev_64, "brev.b64 %0, %1;", u64, u64, reversed(x))
PTX1(bfind_u32, "bfind.u32 %0, %1;", u32, u32, find_bit(x))
PTX1(bfind_s32, "bfind.s32 %0, %1;", u32, s32, find_bit(x))
PTX1(bfind_u64, "bfind.u64 %0, %1;", u32, u64, find_bit(x))
PTX1(bfind_s64, "bfind.s64 %0, %1;", u32, s64, find_bit(x))
PTX1(bfind_shift_u32, "bfind.shiftamt.u32 %0, %1;", u32, u32, find_shift(x))
PTX1(bfind_shift_s32, "bfind.shiftamt.s32 %0, %1;", u32, s32, find_shift(x))
PTX1(bfind_shift_u64, "bfind.shiftamt.u64 %0, %1;", u32, u64, find_shift(x))

PTX3(bfe_u32, "bfe.u32 %0, %1, %2, %3;", u32, u32, u32, u32, extract(x, y, z))
PTX3(bfe_s32, "bfe.s32 %0, %1, %2, %3;", s32, s32, u32, u32, extract(x, y, z))
PTX3(bfe_u64, "bfe.u64 %0, %1, %2, %3;", u64, u64, u32, u32, in_byte(y, z) ? std::optional<uint64_t>(extract(x, y, z)) : unspecified)
PTX3(bfe_s64, "bfe.s64 %0, %1, %2, %3;", s64, s64, u32, u32, in_byte(y, z) ? std::optional<int64_t>(extract(x, y, z)) : unspecified)
PTX3(bfi_fixed_32, "bfi.b32 %0, %1, %2, %3, 9;", u32, u32, u32, u32, insert(x, y, z, 9))
PTX3(bfi_length_32, "bfi.b32 %0, %1, %2, 5, %3;", u32, u32, u32, u32, insert(x, y, 5, z))
PTX3(bfi_length_64, "bfi.b64 %0, %1, %2, 37, %3;", u64, u64, u64, u32,
     in_byte(37, z) ? std::optional<uint64_t>(insert(x, y, 37, z)) : unspecified)
PTX3(bfi_fixed_64, "bfi.b64 %0, %1, %2, %3, 40;", u64, u64, u64, u32,
     in_byte(z, 40) ? std::optional<uint64_t>(insert(x, y, z, 40)) : unspecified)

PTX3(prmt, "prmt.b32 %0, %1, %2, %3;", u32, u32, u32, u32, permute(x, y, z))
PTX3(prmt_f4e, "prmt.b32.f4e %0, %1, %2, %3;", u32, u32, u32, u32, permute_table(x, y, z, f4e))
PTX3(prmt_b4e, "prmt.b32.b4e %0, %1, %2, %3;", u32, u32, u32, u32, permute_table(x, y, z, b4e))
PTX3(prmt_rc8, "prmt.b32.rc8 %0, %1, %2, %3;", u32, u32, u32, u32, permute_table(x, y, z, rc8))
PTX3(prmt_ecl, "prmt.b32.ecl %0, %1, %2, %3;", u32, u32, u32, u32, permute_table(x, y, z, ecl))
PTX3(prmt_ecr, "prmt.b32.ecr %0, %1, %2, %3;", u32, u32, u32, u32, permute_table(x, y, z, ecr))
PTX3(prmt_rc16, "prmt.b32.rc16 %0, %1, %2, %3;", u32, u32, u32, u32, permute_table(x, y, z, rc16))
PTX3(lop3_and3, "lop3.b32 %0, %1, %2, %3, 0x80;", u32, u32, u32, u32, x& y& z)
PTX3(lop3_select, "lop3.b32 %0, %1, %2, %3, 0xca;", u32, u32, u32, u32, lookup(x, y, z, 0xca))
PTX3(lop3_parity, "lop3.b32 %0, %1, %2, %3, 0x96;", u32, u32, u32, u32, x ^ y ^ z)
PTX3(lop3_odd, "lop3.b32 %0, %1, %2, %3, 0x1d;", u32, u32, u32, u32, lookup(x, y, z, 0x1d))
PTX3(lop3_zero, "lop3.b32 %0, %1, %2, %3, 0;", u32, u32, u32, u32, 0u)

__global__ void builtins(const uint32_t* a, const uint64_t* b, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int* o = out + 8 * i;
    o[0] = __popc(a[i]);
    o[1] = __clz(static_cast<int>(a[i]));
    o[2] = __ffs(static_cast<int>(a[i]));
    o[3] = __popcll(b[i]);
    o[4] = __clzll(static_cast<long long>(b[i]));
    o[5] = __ffsll(static_cast<long long>(b[i]));
    o[6] = static_cast<int>(__brev(a[i]) ^ static_cast<uint32_t>(__brevll(b[i]) >> 32));
    o[7] = static_cast<int>(__byte_perm(a[i], 0x12345678, 0x7531) + __funnelshift_l(a[i], 0xabcdef01, 37) + __funnelshift_rc(a[i], 5, 40));
}

void check_builtins() {
    const auto a = probe::values<uint32_t>();
    const auto b = probe::values<uint64_t>();
    const int n = static_cast<int>(a.size() < b.size() ? a.size() : b.size());
    probe::OnDevice<uint32_t> da(a);
    probe::OnDevice<uint64_t> db(b);
    probe::OnDevice<int> d(n * 8);
    builtins<<<(n + 31) / 32, 32>>>(da.get(), db.get(), d.get(), n);
    const auto got = d.host("bit builtins");
    for (int i = 0; i < n; ++i) {
        int first32 = 0, first64 = 0;
        for (int k = 31; k >= 0; --k)
            if (a[i] >> k & 1) first32 = k + 1;
        for (int k = 63; k >= 0; --k)
            if (b[i] >> k & 1) first64 = k + 1;
        const uint32_t mixed =
            permute(a[i], 0x12345678, 0x7531) + uint32_t((pair(a[i], 0xabcdef01) << 5) >> 32) + uint32_t(pair(a[i], 5) >> 32);
        const int want[8] = {int(population(a[i])),
                             int(leading_zeros(a[i])),
                             first32,
                             int(population(b[i])),
                             int(leading_zeros(b[i])),
                             first64,
                             int(reversed(a[i]) ^ uint32_t(reversed(b[i]) >> 32)),
                             int(mixed)};
        for (int k = 0; k < 8; ++k) probe::expect(got[8 * i + k] == want[k], "bit builtin", i * 100 + k);
    }
}
}  // namespace

int main() {
    check_builtins();
    return probe::finish();
}
