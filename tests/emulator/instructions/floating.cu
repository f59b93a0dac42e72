// Floating-point arithmetic with every rounding mode (PTX ISA 9.7.3), bit for bit: add to fma, div, rcp, sqrt; .ftz, .sat; min, max, abs,
// neg.
#include "probe.h"
#include "rounding.h"

namespace {
using namespace probe;

#define MODES(t, m)                                                                              \
    PTX2(add_##m##_##t, "add." #m "." #t " %0, %1, %2;", t, t, t, rounded(Mode::m, plus, x, y))  \
    PTX2(sub_##m##_##t, "sub." #m "." #t " %0, %1, %2;", t, t, t, rounded(Mode::m, minus, x, y)) \
    PTX2(mul_##m##_##t, "mul." #m "." #t " %0, %1, %2;", t, t, t, rounded(Mode::m, times, x, y)) \
    PTX2(div_##m##_##t, "div." #m "." #t " %0, %1, %2;", t, t, t, rounded(Mode::m, over, x, y))  \
    PTX1(rcp_##m##_##t, "rcp." #m "." #t " %0, %1;", t, t, rounded(Mode::m, inverse, x))         \
    PTX1(sqrt_##m##_##t, "sqrt." #m "." #t " %0, %1;", t, t, rounded(Mode::m, root, x))          \
    PTX3(fma_##m##_##t, "fma." #m "." #t " %0, %1, %2, %3;", t, t, t, t, rounded(Mode::m, fused, x, y, z))
MODES(f32, rn)
MODES(f32, rz)
MODES(f32, rm)
MODES(f32, rp)
MODES(f64, rn)
MODES(f64, rz)
MODES(f64, rm)
MODES(f64, rp)

#define FLUSHING(m)                                                                                                                       \
    PTX2(add_##m##_ftz, "add." #m ".ftz.f32 %0, %1, %2;", f32, f32, f32, flushed_result(rounded(Mode::m, plus, flushed(x), flushed(y))))  \
    PTX2(sub_##m##_ftz, "sub." #m ".ftz.f32 %0, %1, %2;", f32, f32, f32, flushed_result(rounded(Mode::m, minus, flushed(x), flushed(y)))) \
    PTX2(mul_##m##_ftz, "mul." #m ".ftz.f32 %0, %1, %2;", f32, f32, f32, flushed_result(rounded(Mode::m, times, flushed(x), flushed(y)))) \
    PTX2(div_##m##_ftz, "div." #m ".ftz.f32 %0, %1, %2;", f32, f32, f32, flushed_result(rounded(Mode::m, over, flushed(x), flushed(y))))  \
    PTX1(rcp_##m##_ftz, "rcp." #m ".ftz.f32 %0, %1;", f32, f32, flushed_result(rounded(Mode::m, inverse, flushed(x))))                    \
    PTX1(sqrt_##m##_ftz, "sqrt." #m ".ftz.f32 %0, %1;", f32, f32, flushed_result(rounded(Mode::m, root, flushed(x))))                     \
    PTX3(fma_##m##_ftz, "fma." #m ".ftz.f32 %0, %1, %2, %3;", f32, f32, f32, f32,                                                         \
         flushed_result(rounded(Mode::m, fused, flushed(x), flushed(y), flushed(z))))
FLUSHING(rn)
FLUSHING(rz)
FLUSHING(rp)

PTX2(add_sat, "add.sat.f32 %0, %1, %2;", f32, f32, f32, saturated(x + y))
PTX2(sub_rz_sat, "sub.rz.sat.f32 %0, %1, %2;", f32, f32, f32, saturated(rounded(Mode::rz, minus, x, y)))
PTX2(mul_sat, "mul.sat.f32 %0, %1, %2;", f32, f32, f32, saturated(x* y))
PTX2(mul_ftz_sat, "mul.ftz.sat.f32 %0, %1, %2;", f32, f32, f32,
     std::fabs(flushed(x) * flushed(y)) == std::numeric_limits<float>::min()
         ? std::optional<float>()
         : std::optional<float>(saturated(flushed(flushed(x) * flushed(y)))))
PTX3(fma_sat, "fma.rn.sat.f32 %0, %1, %2, %3;", f32, f32, f32, f32, saturated(std::fma(x, y, z)))
PTX3(mad_rn, "mad.rn.f32 %0, %1, %2, %3;", f32, f32, f32, f32, std::fma(x, y, z))
PTX3(mad_rn_64, "mad.rn.f64 %0, %1, %2, %3;", f64, f64, f64, f64, std::fma(x, y, z))

#define EITHER(t)                                                   \
    PTX1(abs_##t, "abs." #t " %0, %1;", t, t, std::fabs(x))         \
    PTX1(neg_##t, "neg." #t " %0, %1;", t, t, -x)                   \
    PTX2(min_##t, "min." #t " %0, %1, %2;", t, t, t, smaller(x, y)) \
    PTX2(max_##t, "max." #t " %0, %1, %2;", t, t, t, larger(x, y))  \
    PTX2(copysign_##t, "copysign." #t " %0, %1, %2;", t, t, t, std::copysign(y, x))
EITHER(f32)
EITHER(f64)
PTX1(abs_ftz, "abs.ftz.f32 %0, %1;", f32, f32, flushed(std::fabs(x)))
PTX1(neg_ftz, "neg.ftz.f32 %0, %1;", f32, f32, flushed(-x))
PTX2(min_ftz, "min.ftz.f32 %0, %1, %2;", f32, f32, f32, smaller(flushed(x), flushed(y)))
PTX2(max_ftz, "max.ftz.f32 %0, %1, %2;", f32, f32, f32, larger(flushed(x), flushed(y)))

#define CLASSES(t)                                                                                                                  \
    PTX1(finite_##t, "{ .reg .pred p; testp.finite." #t " p, %1; selp.u32 %0, 1, 0, p; }", u32, t, uint32_t(std::isfinite(x)))      \
    PTX1(infinite_##t, "{ .reg .pred p; testp.infinite." #t " p, %1; selp.u32 %0, 1, 0, p; }", u32, t, uint32_t(std::isinf(x)))     \
    PTX1(number_##t, "{ .reg .pred p; testp.number." #t " p, %1; selp.u32 %0, 1, 0, p; }", u32, t, uint32_t(!std::isnan(x)))        \
    PTX1(notanumber_##t, "{ .reg .pred p; testp.notanumber." #t " p, %1; selp.u32 %0, 1, 0, p; }", u32, t, uint32_t(std::isnan(x))) \
    PTX1(normal_##t, "{ .reg .pred p; testp.normal." #t " p, %1; selp.u32 %0, 1, 0, p; }", u32, t,                                  \
         x == 0 ? std::optional<uint32_t>() : std::optional<uint32_t>(std::isnormal(x)))                                            \
    PTX1(subnormal_##t, "{ .reg .pred p; testp.subnormal." #t " p, %1; selp.u32 %0, 1, 0, p; }", u32, t,                            \
         x == 0 ? std::optional<uint32_t>() : std::optional<uint32_t>(std::fpclassify(x) == FP_SUBNORMAL))
CLASSES(f32)
CLASSES(f64)
}  // namespace

int main() { return probe::finish(); }
