// Integer arithmetic (PTX ISA 9.7.1) and extended precision (9.7.2): wrap-around, high halves, wide products, saturation, division.
#include "probe.h"

namespace {
using i128 = __int128;

template <typename T>
using Unsigned = std::make_unsigned_t<T>;

// Modulo 2^width, without signed overflow in C++.
template <typename T>
T wrapped(i128 v) {
    return static_cast<T>(static_cast<Unsigned<T>>(static_cast<unsigned __int128>(v)));
}
// Exact products of 64-bit operands need 128 bits; unsigned ones all of them.
template <typename T>
T high_of_product(T x, T y) {
    constexpr int width = sizeof(T) * 8;
    if constexpr (std::is_signed_v<T>)
        return static_cast<T>((i128(x) * y) >> width);
    else
        return static_cast<T>((static_cast<unsigned __int128>(x) * y) >> width);
}
template <typename T>
T low_of_product(T x, T y) {
    return static_cast<T>(static_cast<Unsigned<T>>(static_cast<unsigned __int128>(x) * static_cast<unsigned __int128>(y)));
}
template <typename T>
T sum(T x, T y) {
    return static_cast<T>(static_cast<Unsigned<T>>(static_cast<uint64_t>(x) + static_cast<uint64_t>(y)));
}
// x / 0 is unspecified; the smallest number over -1 wraps to itself.
template <typename T>
std::optional<T> quotient(T x, T y) {
    if (y == 0) return std::nullopt;
    if (std::is_signed_v<T> && y == T(-1)) return wrapped<T>(-i128(x));
    return static_cast<T>(x / y);
}
template <typename T>
std::optional<T> remainder_of(T x, T y) {
    if (y == 0) return std::nullopt;
    if (std::is_signed_v<T> && y == T(-1)) return T(0);
    return static_cast<T>(x % y);
}
int32_t saturated(i128 v) { return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : static_cast<int32_t>(v); }
int32_t signed24(int32_t v) { return static_cast<int32_t>(static_cast<uint32_t>(v) << 8) >> 8; }
uint32_t dot4(uint32_t x, uint32_t y, uint32_t z, bool is_signed) {
    for (int k = 0; k < 32; k += 8) {
        const uint32_t a = x >> k & 255, b = y >> k & 255;
        z += is_signed ? static_cast<uint32_t>(int32_t(int8_t(a)) * int32_t(int8_t(b))) : a * b;
    }
    return z;
}

#define FOR_TYPE(t, b)                                                                                                        \
    PTX2(add_##t, "add." #t " %0, %1, %2;", t, t, t, wrapped<TYPE_##t>(i128(x) + y))                                          \
    PTX2(sub_##t, "sub." #t " %0, %1, %2;", t, t, t, wrapped<TYPE_##t>(i128(x) - y))                                          \
    PTX2(mul_lo_##t, "mul.lo." #t " %0, %1, %2;", t, t, t, low_of_product<TYPE_##t>(x, y))                                    \
    PTX2(mul_hi_##t, "mul.hi." #t " %0, %1, %2;", t, t, t, high_of_product<TYPE_##t>(x, y))                                   \
    PTX3(mad_lo_##t, "mad.lo." #t " %0, %1, %2, %3;", t, t, t, t, sum<TYPE_##t>(low_of_product<TYPE_##t>(x, y), z))           \
    PTX3(mad_hi_##t, "mad.hi." #t " %0, %1, %2, %3;", t, t, t, t, sum<TYPE_##t>(high_of_product<TYPE_##t>(x, y), z))          \
    PTX3(sad_##t, "sad." #t " %0, %1, %2, %3;", t, t, t, t, wrapped<TYPE_##t>(i128(z) + (x < y ? i128(y) - x : i128(x) - y))) \
    PTX2(div_##t, "div." #t " %0, %1, %2;", t, t, t, quotient<TYPE_##t>(x, y))                                                \
    PTX2(rem_##t, "rem." #t " %0, %1, %2;", t, t, t, remainder_of<TYPE_##t>(x, y))                                            \
    PTX2(min_##t, "min." #t " %0, %1, %2;", t, t, t, x < y ? x : y)                                                           \
    PTX2(max_##t, "max." #t " %0, %1, %2;", t, t, t, x < y ? y : x)

FOR_TYPE(u16, b16)
FOR_TYPE(s16, b16)
FOR_TYPE(u32, b32)
FOR_TYPE(s32, b32)
FOR_TYPE(u64, b64)
FOR_TYPE(s64, b64)

PTX1(abs_s16, "abs.s16 %0, %1;", s16, s16, wrapped<int16_t>(x < 0 ? -i128(x) : x))
PTX1(abs_s32, "abs.s32 %0, %1;", s32, s32, wrapped<int32_t>(x < 0 ? -i128(x) : x))
PTX1(abs_s64, "abs.s64 %0, %1;", s64, s64, wrapped<int64_t>(x < 0 ? -i128(x) : x))
PTX1(neg_s16, "neg.s16 %0, %1;", s16, s16, wrapped<int16_t>(-i128(x)))
PTX1(neg_s32, "neg.s32 %0, %1;", s32, s32, wrapped<int32_t>(-i128(x)))
PTX1(neg_s64, "neg.s64 %0, %1;", s64, s64, wrapped<int64_t>(-i128(x)))

PTX2(mul_wide_u16, "mul.wide.u16 %0, %1, %2;", u32, u16, u16, uint32_t(x) * uint32_t(y))
PTX2(mul_wide_s16, "mul.wide.s16 %0, %1, %2;", s32, s16, s16, int32_t(x) * int32_t(y))
PTX2(mul_wide_u32, "mul.wide.u32 %0, %1, %2;", u64, u32, u32, uint64_t(x) * uint64_t(y))
PTX2(mul_wide_s32, "mul.wide.s32 %0, %1, %2;", s64, s32, s32, int64_t(x) * int64_t(y))
PTX3(mad_wide_u16, "mad.wide.u16 %0, %1, %2, %3;", u32, u16, u16, u32, uint32_t(x) * uint32_t(y) + z)
PTX3(mad_wide_s16, "mad.wide.s16 %0, %1, %2, %3;", s32, s16, s16, s32, wrapped<int32_t>(i128(x) * y + z))
PTX3(mad_wide_u32, "mad.wide.u32 %0, %1, %2, %3;", u64, u32, u32, u64, uint64_t(x) * y + z)
PTX3(mad_wide_s32, "mad.wide.s32 %0, %1, %2, %3;", s64, s32, s32, s64, wrapped<int64_t>(i128(x) * y + z))

PTX2(add_sat_s32, "add.sat.s32 %0, %1, %2;", s32, s32, s32, saturated(i128(x) + y))
PTX2(sub_sat_s32, "sub.sat.s32 %0, %1, %2;", s32, s32, s32, saturated(i128(x) - y))
PTX3(mad_hi_sat_s32, "mad.hi.sat.s32 %0, %1, %2, %3;", s32, s32, s32, s32, saturated(i128(high_of_product<int32_t>(x, y)) + z))
PTX2(mul24_lo_s32, "mul24.lo.s32 %0, %1, %2;", s32, s32, s32, wrapped<int32_t>(i128(signed24(x)) * signed24(y)))
PTX2(mul24_hi_s32, "mul24.hi.s32 %0, %1, %2;", s32, s32, s32, wrapped<int32_t>((i128(signed24(x)) * signed24(y)) >> 16))
PTX2(mul24_lo_u32, "mul24.lo.u32 %0, %1, %2;", u32, u32, u32, uint32_t(uint64_t(x & 0xffffff) * (y & 0xffffff)))
PTX3(dp4a_u32, "dp4a.u32.u32 %0, %1, %2, %3;", u32, u32, u32, u32, dot4(x, y, z, false))
PTX3(dp4a_s32, "dp4a.s32.s32 %0, %1, %2, %3;", u32, u32, u32, u32, dot4(x, y, z, true))

// The carry of the low half shows in the high half.
PTX3(add_cc, "{ .reg .u32 t; add.cc.u32 t, %1, %2; addc.u32 %0, %3, 0; }", u32, u32, u32, u32, uint32_t((uint64_t(x) + y) >> 32) + z)
PTX3(sub_cc, "{ .reg .u32 t; sub.cc.u32 t, %1, %2; subc.u32 %0, %3, 0; }", u32, u32, u32, u32, z - (x < y ? 1u : 0u))
PTX3(addc_cc, "{ .reg .u32 t; add.cc.u32 t, %1, %2; addc.cc.u32 t, %3, %3; addc.u32 %0, 0, 0; }", u32, u32, u32, u32,
     uint32_t((2 * uint64_t(z) + ((uint64_t(x) + y) >> 32)) >> 32))
PTX3(mad_cc, "{ .reg .u32 t; mad.lo.cc.u32 t, %1, %2, %3; madc.hi.u32 %0, %1, %2, 0; }", u32, u32, u32, u32,
     uint32_t((uint64_t(x) * y + z) >> 32))
PTX2(add_cc_64, "{ .reg .u64 t; add.cc.u64 t, %1, %2; addc.u64 %0, 0, 0; }", u64, u64, u64, uint64_t(x + y < x))

// The same through C++, as a compiler chooses its instructions.
__global__ void cpp(const int32_t* a, const int64_t* b, int64_t* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint32_t u = static_cast<uint32_t>(a[i]);
    uint64_t v = static_cast<uint64_t>(b[i]);
    int64_t* o = out + i * 12;
    o[0] = u / 7;
    o[1] = a[i] / 10;
    o[2] = a[i] % 1000;
    o[3] = v / 1000003;
    o[4] = b[i] / -3;
    o[5] = b[i] % 64;
    o[6] = a[i] / 8;
    o[7] = __mulhi(a[i], 123456789);
    o[8] = __umulhi(u, 0xdeadbeef);
    o[9] = static_cast<int64_t>(__umul64hi(v, 0xfedcba9876543210ull));
    o[10] = __mul64hi(b[i], -1234567890123456789ll);
    o[11] = __sad(a[i], 1000, u) + static_cast<int64_t>(__usad(u, 77, 5)) + abs(a[i] >> 1) + llabs(b[i] >> 1);
}

void check_cpp() {
    auto a = probe::values<int32_t>();
    auto b = probe::values<int64_t>();
    const int n = static_cast<int>(a.size() < b.size() ? a.size() : b.size());
    probe::OnDevice<int32_t> da(a);
    probe::OnDevice<int64_t> db(b), d(n * 12);
    cpp<<<2, 64>>>(da.get(), db.get(), d.get(), n);
    const auto got = d.host("C++ integers");
    for (int i = 0; i < n; ++i) {
        const uint32_t u = static_cast<uint32_t>(a[i]);
        const uint64_t v = static_cast<uint64_t>(b[i]);
        const uint32_t sad_s = static_cast<uint32_t>(a[i] < 1000 ? i128(1000) - a[i] : i128(a[i]) - 1000) + u;
        const uint32_t sad_u = (u < 77 ? 77 - u : u - 77) + 5;
        const int64_t want[12] = {int64_t(u / 7),
                                  a[i] / 10,
                                  a[i] % 1000,
                                  int64_t(v / 1000003),
                                  b[i] / -3,
                                  b[i] % 64,
                                  a[i] / 8,
                                  (int64_t(a[i]) * 123456789) >> 32,
                                  int64_t((uint64_t(u) * 0xdeadbeef) >> 32),
                                  int64_t(static_cast<uint64_t>((static_cast<unsigned __int128>(v) * 0xfedcba9876543210ull) >> 64)),
                                  int64_t((i128(b[i]) * -1234567890123456789ll) >> 64),
                                  int64_t(sad_s) + int64_t(sad_u) + std::abs(a[i] >> 1) + std::abs(b[i] >> 1)};
        for (int k = 0; k < 12; ++k) probe::expect(got[i * 12 + k] == want[k], "integer expression", i * 100 + k);
    }
}
}  // namespace

int main() {
    check_cpp();
    return probe::finish();
}
