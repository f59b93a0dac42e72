// Comparison and selection (PTX ISA 9.7.6): every operator, with NaN, on every type; predicates combined; set, selp, slct.
#include "probe.h"

namespace {
#define SETP(id, op, t, ...) \
    PTX2(id, "{ .reg .pred p; setp." op "." #t " p, %1, %2; selp.u32 %0, 1, 0, p; }", u32, t, t, uint32_t(__VA_ARGS__))
#define UNORDERED (std::isnan(x) || std::isnan(y))

#define FLOATS(t)                                \
    SETP(eq_##t, "eq", t, x == y)                \
    SETP(ne_##t, "ne", t, !UNORDERED && x != y)  \
    SETP(lt_##t, "lt", t, x < y)                 \
    SETP(le_##t, "le", t, x <= y)                \
    SETP(gt_##t, "gt", t, x > y)                 \
    SETP(ge_##t, "ge", t, x >= y)                \
    SETP(equ_##t, "equ", t, UNORDERED || x == y) \
    SETP(neu_##t, "neu", t, UNORDERED || x != y) \
    SETP(ltu_##t, "ltu", t, UNORDERED || x < y)  \
    SETP(leu_##t, "leu", t, UNORDERED || x <= y) \
    SETP(gtu_##t, "gtu", t, UNORDERED || x > y)  \
    SETP(geu_##t, "geu", t, UNORDERED || x >= y) \
    SETP(num_##t, "num", t, !UNORDERED)          \
    SETP(nan_##t, "nan", t, UNORDERED)
FLOATS(f32)
FLOATS(f64)
// With .ftz all subnormal numbers equal zero.
SETP(eq_ftz, "eq.ftz", f32, (std::fpclassify(x) == FP_SUBNORMAL ? 0 : x) == (std::fpclassify(y) == FP_SUBNORMAL ? 0 : y))
SETP(gt_ftz, "gt.ftz", f32, (std::fpclassify(x) == FP_SUBNORMAL ? 0 : x) > (std::fpclassify(y) == FP_SUBNORMAL ? 0 : y))

#define INTEGERS(t)               \
    SETP(eq_##t, "eq", t, x == y) \
    SETP(ne_##t, "ne", t, x != y) \
    SETP(lt_##t, "lt", t, x < y)  \
    SETP(le_##t, "le", t, x <= y) \
    SETP(gt_##t, "gt", t, x > y)  \
    SETP(ge_##t, "ge", t, x >= y)
INTEGERS(u16)
INTEGERS(s16)
INTEGERS(u32)
INTEGERS(s32)
INTEGERS(u64)
INTEGERS(s64)
#define UNSIGNED_NAMES(t)         \
    SETP(lo_##t, "lo", t, x < y)  \
    SETP(ls_##t, "ls", t, x <= y) \
    SETP(hi_##t, "hi", t, x > y)  \
    SETP(hs_##t, "hs", t, x >= y)
UNSIGNED_NAMES(u16)
UNSIGNED_NAMES(u32)
UNSIGNED_NAMES(u64)
PTX2(eq_b32, "{ .reg .pred p; setp.eq.b32 p, %1, %2; selp.u32 %0, 1, 0, p; }", u32, u32, u32, uint32_t(x == y))
PTX2(ne_b64, "{ .reg .pred p; setp.ne.b64 p, %1, %2; selp.u32 %0, 1, 0, p; }", u32, u64, u64, uint32_t(x != y))

// Combined with another predicate c, with both results: p = (x < y) op c in bit 0, q = !(x < y) op c in bit 1.
#define COMBINED(id, op, cpp)                                                      \
    PTX3(id,                                                                       \
         "{ .reg .pred p, q, c; .reg .u32 a, b; setp.ne.s32 c, %3, 0; setp.lt." op \
         ".s32 p|q, %1, %2, c;"                                                    \
         " selp.u32 a, 1, 0, p; selp.u32 b, 2, 0, q; or.b32 %0, a, b; }",          \
         u32, s32, s32, s32, uint32_t((x < y) cpp(z != 0)) | uint32_t(!(x < y) cpp(z != 0)) << 1)
COMBINED(combined_and, "and", &&)
COMBINED(combined_or, "or", ||)
COMBINED(combined_xor, "xor", !=)
PTX3(combined_not, "{ .reg .pred p, c; setp.ne.s32 c, %3, 0; setp.ge.and.s32 p, %1, %2, !c; selp.u32 %0, 1, 0, p; }", u32, s32, s32, s32,
     uint32_t(x >= y && z == 0))

PTX2(set_u32_f32, "set.lt.u32.f32 %0, %1, %2;", u32, f32, f32, x < y ? 0xffffffffu : 0u)
PTX2(set_f32_s32, "set.ge.f32.s32 %0, %1, %2;", f32, s32, s32, x >= y ? 1.0f : 0.0f)
PTX2(set_s32_u64, "set.ne.s32.u64 %0, %1, %2;", s32, u64, u64, x != y ? -1 : 0)
PTX2(set_u32_f64, "set.neu.u32.f64 %0, %1, %2;", u32, f64, f64, UNORDERED || x != y ? 0xffffffffu : 0u)

#define SELECT(t, kind)                                                                                                          \
    PTX3(selp_##t, "{ .reg .pred p; setp.lt.s32 p, %3, 0; selp." kind " %0, %1, %2, p; }", t, t, t, s32, z < 0 ? x : y)          \
    PTX3(selp_not_##t, "{ .reg .pred p; setp.lt.s32 p, %3, 0; @!p mov." kind " %0, %1; @p mov." kind " %0, %2; }", t, t, t, s32, \
         z < 0 ? y : x)
SELECT(u16, "b16")
SELECT(s32, "s32")
SELECT(u64, "b64")
SELECT(f32, "f32")
SELECT(f64, "f64")
// c >= 0 chooses the first; NaN the second.
PTX3(slct_s32, "slct.s32.s32 %0, %1, %2, %3;", s32, s32, s32, s32, z >= 0 ? x : y)
PTX3(slct_u64_f32, "slct.u64.f32 %0, %1, %2, %3;", u64, u64, u64, f32, z >= 0 ? x : y)
PTX3(slct_f32_s32, "slct.f32.s32 %0, %1, %2, %3;", f32, f32, f32, s32, z >= 0 ? x : y)
PTX3(slct_f64_f32, "slct.f64.f32 %0, %1, %2, %3;", f64, f64, f64, f32, z >= 0 ? x : y)

// Logic on predicates themselves.
PTX2(predicates,
     "{ .reg .pred p, q, r; .reg .u32 a, b, c, d; setp.lt.s32 p, %1, %2; setp.gt.s32 q, %1, 7;"
     " and.pred r, p, q; selp.u32 a, 1, 0, r; or.pred r, p, q; selp.u32 b, 2, 0, r; xor.pred r, p, q; selp.u32 c, 4, 0, r;"
     " not.pred r, p; selp.u32 d, 8, 0, r; or.b32 a, a, b; or.b32 c, c, d; or.b32 %0, a, c; }",
     u32, s32, s32, uint32_t(x<y && x> 7) | uint32_t(x < y || x > 7) << 1 | uint32_t((x < y) != (x > 7)) << 2 | uint32_t(!(x < y)) << 3)

template <typename T>
__host__ __device__ unsigned operators(T x, T y) {
    return (x == y) | (x != y) << 1 | (x < y) << 2 | (x <= y) << 3 | (x > y) << 4 | (x >= y) << 5 | !(x == y) << 6 | !(x != y) << 7 |
           !(x < y) << 8 | !(x <= y) << 9 | !(x > y) << 10 | !(x >= y) << 11;
}
template <typename T>
__global__ void by_operators(const T* v, unsigned* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * n) out[i] = operators(v[i / n], v[i % n]);
}
template <typename T>
void check_operators(const char* what) {
    const auto v = probe::values<T>();
    const int n = static_cast<int>(v.size());
    probe::OnDevice<T> dv(v);
    probe::OnDevice<unsigned> d(n * n);
    by_operators<<<(n * n + 127) / 128, 128>>>(dv.get(), d.get(), n);
    const auto got = d.host(what);
    for (int i = 0; i < n * n; ++i) probe::expect(got[i] == operators(v[i / n], v[i % n]), what, i);
}
}  // namespace

int main() {
    check_operators<float>("operators on float");
    check_operators<double>("operators on double");
    check_operators<int>("operators on int");
    check_operators<unsigned long long>("operators on unsigned long long");
    check_operators<short>("operators on short");
    check_operators<unsigned char>("operators on unsigned char");
    return probe::finish();
}
