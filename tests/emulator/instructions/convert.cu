// Conversions (PTX ISA 9.7.9, cvt): every pair of integer widths, all roundings, clamping out of range, NaN, saturation, round to integral.
#include "probe.h"
#include "rounding.h"

namespace {
using namespace probe;

// Float to integer: rounded first, then clamped to the range. NaN becomes 0, but for f64 sources and 64-bit results
// the manual gives 1 << (width - 1) instead.
template <typename I, typename F>
I to_integer(Mode mode, F x) {
    if (std::isnan(x)) return sizeof(F) == 8 || sizeof(I) == 8 ? static_cast<I>(std::make_unsigned_t<I>(1) << (sizeof(I) * 8 - 1)) : I(0);
    const F r = rounded(
        mode, [](F a, F, F) { return std::nearbyint(a); }, x);
    // Bounds as powers of two, exact in either type.
    const F high = std::ldexp(F(1), std::numeric_limits<I>::digits), low = std::is_signed_v<I> ? -high : F(0);
    if (r >= high) return std::numeric_limits<I>::max();
    if (r < low) return std::numeric_limits<I>::min();
    return static_cast<I>(r);
}
template <typename F, typename I>
F to_float(Mode mode, I x) {
    if (x == 0) return 0;  // clang's own conversion of uint64_t subtracts, and gives -0 where that rounds down
    volatile I in = x;
    std::fesetround(static_cast<int>(mode));
    volatile F out = static_cast<F>(in);
    std::fesetround(FE_TONEAREST);
    return out;
}
float narrowed(Mode mode, double x) {
    volatile double in = x;
    std::fesetround(static_cast<int>(mode));
    volatile float out = static_cast<float>(in);
    std::fesetround(FE_TONEAREST);
    return out;
}
template <typename T>
T integral(Mode mode, T x) {
    return rounded(
        mode, [](T a, T, T) { return std::nearbyint(a); }, x);
}
template <typename To, typename From>
To clamped(From x) {
    const __int128 v = x, low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
    return static_cast<To>(v < low ? low : v > high ? high : v);
}

#define TO_INT(f, i)                                                                              \
    PTX1(rni_##i##_##f, "cvt.rni." #i "." #f " %0, %1;", i, f, to_integer<TYPE_##i>(Mode::rn, x)) \
    PTX1(rzi_##i##_##f, "cvt.rzi." #i "." #f " %0, %1;", i, f, to_integer<TYPE_##i>(Mode::rz, x)) \
    PTX1(rmi_##i##_##f, "cvt.rmi." #i "." #f " %0, %1;", i, f, to_integer<TYPE_##i>(Mode::rm, x)) \
    PTX1(rpi_##i##_##f, "cvt.rpi." #i "." #f " %0, %1;", i, f, to_integer<TYPE_##i>(Mode::rp, x))
#define TO_FLOAT(i, f)                                                                        \
    PTX1(rn_##f##_##i, "cvt.rn." #f "." #i " %0, %1;", f, i, to_float<TYPE_##f>(Mode::rn, x)) \
    PTX1(rz_##f##_##i, "cvt.rz." #f "." #i " %0, %1;", f, i, to_float<TYPE_##f>(Mode::rz, x)) \
    PTX1(rm_##f##_##i, "cvt.rm." #f "." #i " %0, %1;", f, i, to_float<TYPE_##f>(Mode::rm, x)) \
    PTX1(rp_##f##_##i, "cvt.rp." #f "." #i " %0, %1;", f, i, to_float<TYPE_##f>(Mode::rp, x))
#define BOTH_WAYS(i, f) TO_INT(f, i) TO_FLOAT(i, f)
BOTH_WAYS(u16, f32)
BOTH_WAYS(s16, f32)
BOTH_WAYS(u32, f32)
BOTH_WAYS(s32, f32)
BOTH_WAYS(u64, f32)
BOTH_WAYS(s64, f32)
BOTH_WAYS(u16, f64)
BOTH_WAYS(s16, f64)
BOTH_WAYS(u32, f64)
BOTH_WAYS(s32, f64)
BOTH_WAYS(u64, f64)
BOTH_WAYS(s64, f64)
PTX1(ftz_s32, "cvt.rpi.ftz.s32.f32 %0, %1;", s32, f32, to_integer<int32_t>(Mode::rp, flushed(x)))
// 8-bit results lie in wider registers, extended by their sign.
PTX1(u8_f32, "cvt.rzi.u8.f32 %0, %1;", u32, f32,
     std::isnan(x) ? std::optional<uint32_t>() : std::optional<uint32_t>(to_integer<uint8_t>(Mode::rz, x)))
PTX1(s8_f32, "cvt.rni.s8.f32 %0, %1;", s32, f32,
     std::isnan(x) ? std::optional<int32_t>() : std::optional<int32_t>(to_integer<int8_t>(Mode::rn, x)))
PTX1(f32_u8, "cvt.rn.f32.u8 %0, %1;", f32, u32, float(uint8_t(x)))
PTX1(f32_s8, "cvt.rn.f32.s8 %0, %1;", f32, u32, float(int8_t(x)))
PTX1(f64_s8, "cvt.rn.f64.s8 %0, %1;", f64, u32, double(int8_t(x)))

PTX1(f64_f32, "cvt.f64.f32 %0, %1;", f64, f32, double(x))
PTX1(f64_f32_ftz, "cvt.ftz.f64.f32 %0, %1;", f64, f32, double(flushed(x)))
PTX1(rn_f32_f64, "cvt.rn.f32.f64 %0, %1;", f32, f64, narrowed(Mode::rn, x))
PTX1(rz_f32_f64, "cvt.rz.f32.f64 %0, %1;", f32, f64, narrowed(Mode::rz, x))
PTX1(rm_f32_f64, "cvt.rm.f32.f64 %0, %1;", f32, f64, narrowed(Mode::rm, x))
PTX1(rp_f32_f64, "cvt.rp.f32.f64 %0, %1;", f32, f64, narrowed(Mode::rp, x))
PTX1(sat_f32_f64, "cvt.rn.sat.f32.f64 %0, %1;", f32, f64, saturated(narrowed(Mode::rn, x)))
PTX1(ftz_f32_f64, "cvt.rn.ftz.f32.f64 %0, %1;", f32, f64, flushed_result(narrowed(Mode::rn, x)))

#define INTEGRAL(t)                                                             \
    PTX1(rni_##t, "cvt.rni." #t "." #t " %0, %1;", t, t, integral(Mode::rn, x)) \
    PTX1(rzi_##t, "cvt.rzi." #t "." #t " %0, %1;", t, t, integral(Mode::rz, x)) \
    PTX1(rmi_##t, "cvt.rmi." #t "." #t " %0, %1;", t, t, integral(Mode::rm, x)) \
    PTX1(rpi_##t, "cvt.rpi." #t "." #t " %0, %1;", t, t, integral(Mode::rp, x)) \
    PTX1(sat_##t, "cvt.sat." #t "." #t " %0, %1;", t, t, saturated(x))          \
    PTX1(rzi_sat_##t, "cvt.rzi.sat." #t "." #t " %0, %1;", t, t, saturated(integral(Mode::rz, x)))
INTEGRAL(f32)
INTEGRAL(f64)

// Integer to integer: cut off or extended by the source's sign; .sat clamps.
#define TO_EACH(from)                                                               \
    PTX1(u16_##from, "cvt.u16." #from " %0, %1;", u16, from, uint16_t(x))           \
    PTX1(s16_##from, "cvt.s16." #from " %0, %1;", s16, from, int16_t(x))            \
    PTX1(u32_##from, "cvt.u32." #from " %0, %1;", u32, from, uint32_t(x))           \
    PTX1(s32_##from, "cvt.s32." #from " %0, %1;", s32, from, int32_t(x))            \
    PTX1(u64_##from, "cvt.u64." #from " %0, %1;", u64, from, uint64_t(x))           \
    PTX1(s64_##from, "cvt.s64." #from " %0, %1;", s64, from, int64_t(x))            \
    PTX1(to_u8_##from, "cvt.u8." #from " %0, %1;", u32, from, uint32_t(uint8_t(x))) \
    PTX1(to_s8_##from, "cvt.s8." #from " %0, %1;", s32, from, int32_t(int8_t(x)))
// .sat is taken only where the source has values beyond the result's range.
#define CLAMPED(to, reg, from) PTX1(sat_##to##_##from, "cvt.sat." #to "." #from " %0, %1;", reg, from, clamped<CTYPE_##to>(x))
#define CTYPE_u8 uint8_t
#define CTYPE_s8 int8_t
#define CTYPE_u16 uint16_t
#define CTYPE_s16 int16_t
#define CTYPE_u32 uint32_t
#define CTYPE_s32 int32_t
#define CTYPE_u64 uint64_t
#define CTYPE_s64 int64_t
#define CLAMPED_TO_BYTES(from) CLAMPED(u8, u32, from) CLAMPED(s8, s32, from)
TO_EACH(u16)
TO_EACH(s16)
TO_EACH(u32)
TO_EACH(s32)
TO_EACH(u64)
TO_EACH(s64)
CLAMPED_TO_BYTES(u16)
CLAMPED(s16, s16, u16)
CLAMPED_TO_BYTES(s16)
CLAMPED(u16, u16, s16)
CLAMPED(u32, u32, s16)
CLAMPED(u64, u64, s16)
CLAMPED_TO_BYTES(u32)
CLAMPED(u16, u16, u32)
CLAMPED(s16, s16, u32)
CLAMPED(s32, s32, u32)
CLAMPED_TO_BYTES(s32)
CLAMPED(u16, u16, s32)
CLAMPED(s16, s16, s32)
CLAMPED(u32, u32, s32)
CLAMPED(u64, u64, s32)
CLAMPED_TO_BYTES(u64)
CLAMPED(u16, u16, u64)
CLAMPED(s16, s16, u64)
CLAMPED(u32, u32, u64)
CLAMPED(s32, s32, u64)
CLAMPED(s64, s64, u64)
CLAMPED_TO_BYTES(s64)
CLAMPED(u16, u16, s64)
CLAMPED(s16, s16, s64)
CLAMPED(u32, u32, s64)
CLAMPED(s32, s32, s64)
CLAMPED(u64, u64, s64)
// 8-bit sources are the low bits of their register.
PTX1(s32_s8, "cvt.s32.s8 %0, %1;", s32, u32, int32_t(int8_t(x)))
PTX1(u32_u8, "cvt.u32.u8 %0, %1;", u32, u32, uint32_t(uint8_t(x)))
PTX1(s64_s8, "cvt.s64.s8 %0, %1;", s64, u32, int64_t(int8_t(x)))
PTX1(u16_s8, "cvt.u16.s8 %0, %1;", u16, u32, uint16_t(int8_t(x)))
PTX1(s64_upper_s16, "{ .reg .b16 h, g; mov.b32 {h, g}, %1; cvt.s64.s16 %0, g; }", s64, u32, int64_t(int16_t(x >> 16)))

// Bits taken apart and put together.
PTX2(pack_64, "mov.b64 %0, {%1, %2};", u64, u32, u32, uint64_t(y) << 32 | x)
PTX1(unpack_64, "{ .reg .b32 a, b; mov.b64 {a, b}, %1; sub.u32 %0, a, b; }", u32, u64, uint32_t(x) - uint32_t(x >> 32))
PTX2(pack_32, "mov.b32 %0, {%1, %2};", u32, u16, u16, uint32_t(y) << 16 | x)
PTX1(swap_halves, "{ .reg .b16 a, b; mov.b32 {a, b}, %1; mov.b32 %0, {b, a}; }", u32, u32, x << 16 | x >> 16)
PTX1(unpack_16s, "{ .reg .b16 a, b, c, d; mov.b64 {a, b, c, d}, %1; mov.b64 %0, {d, c, b, a}; }", u64, u64,
     x << 48 | (x & 0xffff0000) << 16 | (x >> 16 & 0xffff0000) | x >> 48)
PTX1(float_bits, "mov.b32 %0, %1;", u32, f32, bits<uint32_t>(x))
PTX1(double_bits, "mov.b64 %0, %1;", u64, f64, bits<uint64_t>(x))

__global__ void functions(const float* a, const double* b, long long* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = a[i];
    double y = b[i];
    long long* o = out + 12 * i;
    o[0] = __float2int_rn(x), o[1] = __float2uint_rd(x), o[2] = __float2ll_ru(x), o[3] = static_cast<long long>(__float2ull_rz(x));
    o[4] = __double2int_rz(y), o[5] = __double2uint_rn(y), o[6] = __double2ll_rd(y), o[7] = static_cast<long long>(__double2ull_ru(y));
    o[8] = __float_as_int(__double2float_rd(y)), o[9] = __float_as_int(truncf(x) + ceilf(x)),
    o[10] = __double_as_longlong(floor(y) + rint(y));
    o[11] = __float_as_int(roundf(x)) + static_cast<long long>(__double2hiint(y)) + __double2loint(y);
}
void check_functions() {
    auto a = values<float>();
    auto b = values<double>();
    // NaN's bits may differ once it was calculated with.
    for (auto& x : a)
        if (std::isnan(x)) x = 4.5f;
    for (auto& y : b)
        if (std::isnan(y)) y = -5.5;
    const int n = static_cast<int>(a.size() < b.size() ? a.size() : b.size());
    OnDevice<float> da(a);
    OnDevice<double> db(b);
    OnDevice<long long> d(n * 12);
    functions<<<2, 64>>>(da.get(), db.get(), d.get(), n);
    const auto got = d.host("conversion functions");
    for (int i = 0; i < n; ++i) {
        const float x = a[i];
        const double y = b[i];
        const uint64_t word = bits<uint64_t>(y);
        const long long want[12] = {
            to_integer<int32_t>(Mode::rn, x),
            to_integer<uint32_t>(Mode::rm, x),
            to_integer<int64_t>(Mode::rp, x),
            static_cast<long long>(to_integer<uint64_t>(Mode::rz, x)),
            to_integer<int32_t>(Mode::rz, y),
            to_integer<uint32_t>(Mode::rn, y),
            to_integer<int64_t>(Mode::rm, y),
            static_cast<long long>(to_integer<uint64_t>(Mode::rp, y)),
            bits<int32_t>(narrowed(Mode::rm, y)),
            bits<int32_t>(std::trunc(x) + std::ceil(x)),
            bits<long long>(std::floor(y) + std::rint(y)),
            static_cast<long long>(bits<int32_t>(std::round(x))) + static_cast<int32_t>(word >> 32) + static_cast<int32_t>(word)};
        for (int k = 0; k < 12; ++k) {
            if (got[12 * i + k] != want[k])
                printf("%d of %a and %a gave %llx, expected %llx\n", k, static_cast<double>(x), y, got[12 * i + k], want[k]);
            expect(got[12 * i + k] == want[k], "conversion function", i * 100 + k);
        }
    }
}
}  // namespace

int main() {
    check_functions();
    return finish();
}
