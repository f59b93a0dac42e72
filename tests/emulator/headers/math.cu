// The device's math: float and double under C's names, std's names and CUDA's.
#include <cmath>

#include "math_constants.h"
#include "math_functions.h"

__host__ __device__ float both(float x) { return std::sqrt(x) + fabsf(x) + std::pow(x, 2.0F) + fminf(x, 1.0F); }

__global__ void floats(float* a) {
    const float x = a[0];
    int exponent = 0;
    float whole = 0, sine = 0, cosine = 0;
    a[1] = acosh(x) + asinh(x) + atanh(x) + cbrt(x) + erf(x) + exp2(x) + log2(x) + round(x) + trunc(x) + rint(x) + hypot(x, x);
    a[2] =
        fmax(x, 2.0F) + fmin(x, 3) + fma(x, x, x) + remainder(x, x) + fmod(x, 2.0F) + ldexp(x, 3) + frexp(x, &exponent) + modf(x, &whole);
    a[3] = std::round(x) + std::trunc(x) + std::hypot(x, x) + std::floor(x) + std::pow(x, 2) + std::exp(x) + std::cbrt(x) + std::ceil(x);
    a[4] = log1p(x) + tgamma(x) + sinpi(x) + cospif(x) + rcbrt(x) + j0(x) + rsqrt(x) + exp10(x) + normcdf(x) + erfcinvf(x);
    sincosf(x, &sine, &cosine);
    a[5] = sine + cosine + whole + (float)exponent + (float)lround(x) + (float)std::isnan(x) + (float)std::signbit(x) + CUDART_PI_F;
    a[6] = __sinf(x) + __cosf(x) + __tanf(x) + __expf(x) + __logf(x) + __log2f(x) + __log10f(x) + __exp10f(x) + __powf(x, x);
    a[7] = __fdividef(x, x) + __fadd_rz(x, x) + __fmul_ru(x, x) + __fmaf_rd(x, x, x) + __frcp_rn(x) + __fsqrt_rn(x) + __frsqrt_rn(x);
    a[8] = both(x) + __saturatef(x) + min(x, 2.0F) + max(x, 3.0F) + abs(x) + std::abs(x) + nanf("") + CUDART_INF_F;
}
__global__ void doubles(double* a, float x) {
    const double y = a[0];
    int exponent = 0;
    double whole = 0;
    a[1] = frexp(y, &exponent) + modf(y, &whole) + whole + exponent + remquo(y, 2.0, &exponent) + std::sin(y) + std::fma(y, y, y);
    a[2] = __dadd_ru(y, y) + __fma_rn(y, y, y) + __dsqrt_rd(y) + __ddiv_rn(y, y) + __drcp_rz(y) + norm3d(y, y, y) + norm4d(y, y, y, y);
    a[3] = std::isnan(y) + std::isinf(y) + std::isfinite(y) + std::signbit(y) + std::fmin(y, x) + std::abs(y) + fabs(y) + nan("") + sqrt(y);
    a[4] = (double)llrint(y) + (double)lround(y) + min(y, x) + max(x, y) + rsqrt(y) + CUDART_PI + pow(y, 3) + pow(y, 0.5) + atan2(y, y);
}
__global__ void integers(int* a, unsigned b, long long c) {
    const int x = a[0];
    a[1] = __popc(b) + __popcll(c) + __clz(x) + __clzll(c) + __ffs(x) + __ffsll(c) + (int)__brev(b) + (int)__brevll(c);
    a[2] =
        (int)__byte_perm(b, b, 0x3210) + __mul24(x, x) + (int)__umul24(b, b) + __mulhi(x, x) + (int)__umulhi(b, b) + (int)__mul64hi(c, c);
    a[3] = (int)__sad(x, 3, 4U) + (int)__usad(b, 2U, 3U) + __hadd(x, x) + __rhadd(x, x) + (int)__uhadd(b, b) + abs(x) + (int)std::abs(c);
    a[4] = min(x, 3) + max(x, 3) + (int)min(b, 3U) + (int)max(b, 3U) + (int)min(c, 3LL) + (int)max(c, 4LL) + (int)min(b, x);
    a[5] = __float2int_rn(1.5F) + __float2int_rz(1.5F) + (int)__float2uint_rd(1.5F) + __double2int_ru(1.5) + (int)__double2ll_rn(1.5);
    a[6] = (int)(__int2float_rn(x) + __uint2float_rz(b) + __ll2float_ru(c)) + __float_as_int(2.0F) + (int)__int_as_float(x);
    a[7] = __double2hiint(2.0) + __double2loint(2.0) + (int)__hiloint2double(x, x) + (int)__double_as_longlong(1.0);
    a[8] =
        (int)__funnelshift_l(b, b, 3) + (int)__funnelshift_r(b, b, 3) + (int)__funnelshift_lc(b, b, 40) + (int)__funnelshift_rc(b, b, 40);
}
