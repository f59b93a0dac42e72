// libdevice functions that are one or a few PTX instructions, written out for the compiler. All other __nv_* functions are only declared;
// the machine provides them (the list is in nv_functions.txt).
#pragma once

#include <__clang_cuda_libdevice_declares.h>

#define LAB_NATIVE extern "C" __device__ inline __attribute__((always_inline))

// Integers.
LAB_NATIVE int __nv_abs(int a) { return a < 0 ? -a : a; }
LAB_NATIVE long long __nv_llabs(long long a) { return a < 0 ? -a : a; }
LAB_NATIVE int __nv_min(int a, int b) { return a < b ? a : b; }
LAB_NATIVE int __nv_max(int a, int b) { return a > b ? a : b; }
LAB_NATIVE unsigned __nv_umin(unsigned a, unsigned b) { return a < b ? a : b; }
LAB_NATIVE unsigned __nv_umax(unsigned a, unsigned b) { return a > b ? a : b; }
LAB_NATIVE long long __nv_llmin(long long a, long long b) { return a < b ? a : b; }
LAB_NATIVE long long __nv_llmax(long long a, long long b) { return a > b ? a : b; }
LAB_NATIVE unsigned long long __nv_ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
LAB_NATIVE unsigned long long __nv_ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
LAB_NATIVE unsigned __nv_brev(unsigned a) { return __builtin_bitreverse32(a); }
LAB_NATIVE unsigned long long __nv_brevll(unsigned long long a) { return __builtin_bitreverse64(a); }
LAB_NATIVE int __nv_clz(int a) { return a == 0 ? 32 : __builtin_clz(a); }
LAB_NATIVE int __nv_clzll(long long a) { return a == 0 ? 64 : __builtin_clzll(a); }
LAB_NATIVE int __nv_ffs(int a) { return __builtin_ffs(a); }
LAB_NATIVE int __nv_ffsll(long long a) { return __builtin_ffsll(a); }
LAB_NATIVE unsigned __nv_byte_perm(unsigned a, unsigned b, unsigned c) { return __nvvm_prmt(a, b, c); }
LAB_NATIVE int __nv_mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
LAB_NATIVE unsigned __nv_umul24(unsigned a, unsigned b) { return (a & 0xffffffU) * (b & 0xffffffU); }
LAB_NATIVE int __nv_mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
LAB_NATIVE unsigned __nv_umulhi(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a * b) >> 32); }
LAB_NATIVE long long __nv_mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
LAB_NATIVE unsigned long long __nv_umul64hi(unsigned long long a, unsigned long long b) { return __nvvm_mulhi_ull(a, b); }
LAB_NATIVE unsigned __nv_sad(int a, int b, unsigned c) { return (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a) + c; }
LAB_NATIVE unsigned __nv_usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }
LAB_NATIVE int __nv_hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
LAB_NATIVE int __nv_uhadd(unsigned a, unsigned b) { return (int)(((unsigned long long)a + b) >> 1); }
LAB_NATIVE int __nv_rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
LAB_NATIVE unsigned __nv_urhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b + 1) >> 1); }
// The parameter of these two is signed before clang 15 and unsigned after; template arguments would not have C linkage.
#if __clang_major__ < 15
LAB_NATIVE int __nv_popc(int a) { return __builtin_popcount((unsigned)a); }
LAB_NATIVE int __nv_popcll(long long a) { return __builtin_popcountll((unsigned long long)a); }
#else
LAB_NATIVE int __nv_popc(unsigned a) { return __builtin_popcount(a); }
LAB_NATIVE int __nv_popcll(unsigned long long a) { return __builtin_popcountll(a); }
#endif

// Bit casts.
LAB_NATIVE int __nv_float_as_int(float a) { return __builtin_bit_cast(int, a); }
LAB_NATIVE unsigned __nv_float_as_uint(float a) { return __builtin_bit_cast(unsigned, a); }
LAB_NATIVE float __nv_int_as_float(int a) { return __builtin_bit_cast(float, a); }
LAB_NATIVE float __nv_uint_as_float(unsigned a) { return __builtin_bit_cast(float, a); }
LAB_NATIVE unsigned long long __nv_double_as_longlong(double a) { return __builtin_bit_cast(unsigned long long, a); }
LAB_NATIVE double __nv_longlong_as_double(long long a) { return __builtin_bit_cast(double, a); }
LAB_NATIVE int __nv_double2hiint(double a) { return (int)(__builtin_bit_cast(long long, a) >> 32); }
LAB_NATIVE int __nv_double2loint(double a) { return (int)__builtin_bit_cast(long long, a); }
LAB_NATIVE double __nv_hiloint2double(int high, int low) {
    return __builtin_bit_cast(double, ((long long)high << 32) | (long long)(unsigned)low);
}
LAB_NATIVE int __nv_signbitf(float a) { return __builtin_bit_cast(int, a) < 0; }
LAB_NATIVE int __nv_isnanf(float a) { return a != a; }
LAB_NATIVE int __nv_isinff(float a) { return __builtin_fabsf(a) == (float)__builtin_inf(); }
LAB_NATIVE int __nv_signbitd(double a) { return __builtin_bit_cast(long long, a) < 0; }
LAB_NATIVE int __nv_isnand(double a) { return a != a; }
LAB_NATIVE int __nv_isinfd(double a) { return __builtin_fabs(a) == (double)__builtin_inf(); }
LAB_NATIVE int __nv_finitef(float a) { return __builtin_fabsf(a) < __builtin_inff(); }
LAB_NATIVE int __nv_isfinited(double a) { return __builtin_fabs(a) < __builtin_inf(); }

// One instruction each.
// clang-format off
#define LAB_UNARY(name)                                                     \
    LAB_NATIVE double __nv_##name(double a) { return __builtin_##name(a); } \
    LAB_NATIVE float __nv_##name##f(float a) { return __builtin_##name##f(a); }
#define LAB_BINARY(name)                                                                 \
    LAB_NATIVE double __nv_##name(double a, double b) { return __builtin_##name(a, b); } \
    LAB_NATIVE float __nv_##name##f(float a, float b) { return __builtin_##name##f(a, b); }
LAB_UNARY(fabs) LAB_UNARY(ceil) LAB_UNARY(floor) LAB_UNARY(trunc) LAB_UNARY(rint) LAB_UNARY(nearbyint) LAB_UNARY(round)
LAB_BINARY(fmin) LAB_BINARY(fmax) LAB_BINARY(copysign)
#undef LAB_UNARY
#undef LAB_BINARY
    // clang-format on
    LAB_NATIVE double __nv_fma(double a, double b, double c) {
    return __nvvm_fma_rn_d(a, b, c);
}
LAB_NATIVE float __nv_fmaf(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
LAB_NATIVE double __nv_sqrt(double a) { return __nvvm_sqrt_rn_d(a); }
LAB_NATIVE float __nv_sqrtf(float a) { return __nvvm_sqrt_rn_f(a); }
LAB_NATIVE double __nv_rsqrt(double a) { return __nvvm_rcp_rn_d(__nvvm_sqrt_rn_d(a)); }
LAB_NATIVE float __nv_rsqrtf(float a) { return __nvvm_rsqrt_approx_f(a); }
LAB_NATIVE float __nv_frsqrt_rn(float a) { return (float)__nvvm_rcp_rn_d(__nvvm_sqrt_rn_d((double)a)); }
LAB_NATIVE float __nv_saturatef(float a) { return __nvvm_saturate_f(a); }

// Explicit rounding and conversions, by CUDA's name of the rounding and by PTX's: nearest even, to zero, down, up.
#define LAB_ROUNDED(cuda, ptx)                                                                                  \
    LAB_NATIVE float __nv_fadd_##cuda(float a, float b) { return __nvvm_add_##ptx##_f(a, b); }                  \
    LAB_NATIVE float __nv_fsub_##cuda(float a, float b) { return __nvvm_add_##ptx##_f(a, -b); }                 \
    LAB_NATIVE float __nv_fmul_##cuda(float a, float b) { return __nvvm_mul_##ptx##_f(a, b); }                  \
    LAB_NATIVE float __nv_fdiv_##cuda(float a, float b) { return __nvvm_div_##ptx##_f(a, b); }                  \
    LAB_NATIVE float __nv_frcp_##cuda(float a) { return __nvvm_rcp_##ptx##_f(a); }                              \
    LAB_NATIVE float __nv_fsqrt_##cuda(float a) { return __nvvm_sqrt_##ptx##_f(a); }                            \
    LAB_NATIVE double __nv_dadd_##cuda(double a, double b) { return __nvvm_add_##ptx##_d(a, b); }               \
    LAB_NATIVE double __nv_dsub_##cuda(double a, double b) { return __nvvm_add_##ptx##_d(a, -b); }              \
    LAB_NATIVE double __nv_dmul_##cuda(double a, double b) { return __nvvm_mul_##ptx##_d(a, b); }               \
    LAB_NATIVE double __nv_ddiv_##cuda(double a, double b) { return __nvvm_div_##ptx##_d(a, b); }               \
    LAB_NATIVE double __nv_drcp_##cuda(double a) { return __nvvm_rcp_##ptx##_d(a); }                            \
    LAB_NATIVE double __nv_dsqrt_##cuda(double a) { return __nvvm_sqrt_##ptx##_d(a); }                          \
    LAB_NATIVE float __nv_fmaf_##cuda(float a, float b, float c) { return __nvvm_fma_##ptx##_f(a, b, c); }      \
    LAB_NATIVE float __nv_fmaf_ieee_##cuda(float a, float b, float c) { return __nvvm_fma_##ptx##_f(a, b, c); } \
    LAB_NATIVE double __nv_fma_##cuda(double a, double b, double c) { return __nvvm_fma_##ptx##_d(a, b, c); }   \
    LAB_NATIVE int __nv_float2int_##cuda(float a) { return __nvvm_f2i_##ptx(a); }                               \
    LAB_NATIVE float __nv_int2float_##cuda(int a) { return __nvvm_i2f_##ptx(a); }                               \
    LAB_NATIVE unsigned __nv_float2uint_##cuda(float a) { return __nvvm_f2ui_##ptx(a); }                        \
    LAB_NATIVE float __nv_uint2float_##cuda(unsigned a) { return __nvvm_ui2f_##ptx(a); }                        \
    LAB_NATIVE long long __nv_float2ll_##cuda(float a) { return __nvvm_f2ll_##ptx(a); }                         \
    LAB_NATIVE float __nv_ll2float_##cuda(long long a) { return __nvvm_ll2f_##ptx(a); }                         \
    LAB_NATIVE unsigned long long __nv_float2ull_##cuda(float a) { return __nvvm_f2ull_##ptx(a); }              \
    LAB_NATIVE float __nv_ull2float_##cuda(unsigned long long a) { return __nvvm_ull2f_##ptx(a); }              \
    LAB_NATIVE int __nv_double2int_##cuda(double a) { return __nvvm_d2i_##ptx(a); }                             \
    LAB_NATIVE unsigned __nv_double2uint_##cuda(double a) { return __nvvm_d2ui_##ptx(a); }                      \
    LAB_NATIVE long long __nv_double2ll_##cuda(double a) { return __nvvm_d2ll_##ptx(a); }                       \
    LAB_NATIVE double __nv_ll2double_##cuda(long long a) { return __nvvm_ll2d_##ptx(a); }                       \
    LAB_NATIVE unsigned long long __nv_double2ull_##cuda(double a) { return __nvvm_d2ull_##ptx(a); }            \
    LAB_NATIVE double __nv_ull2double_##cuda(unsigned long long a) { return __nvvm_ull2d_##ptx(a); }            \
    LAB_NATIVE float __nv_double2float_##cuda(double a) { return __nvvm_d2f_##ptx(a); }
LAB_ROUNDED(rn, rn)
LAB_ROUNDED(rz, rz)
LAB_ROUNDED(rd, rm)
LAB_ROUNDED(ru, rp)
#undef LAB_ROUNDED
LAB_NATIVE double __nv_int2double_rn(int a) { return __nvvm_i2d_rn(a); }
LAB_NATIVE double __nv_uint2double_rn(unsigned a) { return __nvvm_ui2d_rn(a); }
LAB_NATIVE long long __nv_llrint(double a) { return __nvvm_d2ll_rn(a); }
LAB_NATIVE long long __nv_llround(double a) { return (long long)__builtin_round(a); }
LAB_NATIVE long long __nv_llrintf(float a) { return __nvvm_f2ll_rn(a); }
LAB_NATIVE long long __nv_llroundf(float a) { return (long long)__builtin_roundf(a); }

// Fast approximations of the special function unit.
LAB_NATIVE float __nv_fast_fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
LAB_NATIVE float __nv_fast_sinf(float a) { return __nvvm_sin_approx_f(a); }
LAB_NATIVE float __nv_fast_cosf(float a) { return __nvvm_cos_approx_f(a); }
LAB_NATIVE float __nv_fast_tanf(float a) { return __nvvm_div_approx_f(__nvvm_sin_approx_f(a), __nvvm_cos_approx_f(a)); }
LAB_NATIVE void __nv_fast_sincosf(float a, float* sine, float* cosine) {
    *sine = __nvvm_sin_approx_f(a);
    *cosine = __nvvm_cos_approx_f(a);
}
LAB_NATIVE float __nv_fast_log2f(float a) { return __nvvm_lg2_approx_f(a); }
LAB_NATIVE float __nv_fast_logf(float a) { return __nvvm_lg2_approx_f(a) * 0.693147181F; }    // ln 2
LAB_NATIVE float __nv_fast_log10f(float a) { return __nvvm_lg2_approx_f(a) * 0.301029996F; }  // log10 2
LAB_NATIVE float __nv_fast_expf(float a) { return __nvvm_ex2_approx_f(a * 1.442695041F); }    // log2 e
LAB_NATIVE float __nv_fast_exp10f(float a) { return __nvvm_ex2_approx_f(a * 3.321928095F); }  // log2 10
LAB_NATIVE float __nv_fast_powf(float a, float b) { return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a)); }

// Functions that also write through a pointer, and short combinations of the above, by type and the suffix of its functions.
#define LAB_COMBINATIONS(type, f)                                                                                            \
    LAB_NATIVE void __nv_sincos##f(type a, type* sine, type* cosine) {                                                       \
        *sine = __nv_sin##f(a);                                                                                              \
        *cosine = __nv_cos##f(a);                                                                                            \
    }                                                                                                                        \
    LAB_NATIVE void __nv_sincospi##f(type a, type* sine, type* cosine) {                                                     \
        *sine = __nv_sinpi##f(a);                                                                                            \
        *cosine = __nv_cospi##f(a);                                                                                          \
    }                                                                                                                        \
    LAB_NATIVE type __nv_modf##f(type a, type* whole) {                                                                      \
        *whole = __builtin_trunc##f(a);                                                                                      \
        return __builtin_copysign##f(__builtin_fabs##f(a) == (type)__builtin_inf() ? 0 : a - *whole, a);                     \
    }                                                                                                                        \
    LAB_NATIVE type __nv_remquo##f(type a, type b, int* quotient) { /* only the quotient's last three bits are guaranteed */ \
        const type rest = __nv_remainder##f(a, b);                                                                           \
        const type low = __nv_fmod##f(__builtin_fabs##f(a), 8 * __builtin_fabs##f(b));                                       \
        const int bits = (int)__builtin_rint##f(low / __builtin_fabs##f(b)) & 7;                                             \
        *quotient = (a < 0) != (b < 0) ? -bits : bits;                                                                       \
        return rest;                                                                                                         \
    }                                                                                                                        \
    LAB_NATIVE type __nv_norm##f(int count, const type* values) {                                                            \
        type length = 0;                                                                                                     \
        for (int i = 0; i < count; ++i) length = __nv_hypot##f(length, values[i]);                                           \
        return length;                                                                                                       \
    }                                                                                                                        \
    LAB_NATIVE type __nv_fdim##f(type a, type b) { return a <= b ? 0 : a - b; }                                              \
    LAB_NATIVE type __nv_nan##f(const signed char*) { return __builtin_nan##f(""); }                                         \
    LAB_NATIVE type __nv_norm3d##f(type a, type b, type c) { return __nv_hypot##f(__nv_hypot##f(a, b), c); }                 \
    LAB_NATIVE type __nv_norm4d##f(type a, type b, type c, type d) { return __nv_hypot##f(__nv_norm3d##f(a, b, c), d); }     \
    LAB_NATIVE type __nv_rhypot##f(type a, type b) { return 1 / __nv_hypot##f(a, b); }                                       \
    LAB_NATIVE type __nv_rnorm3d##f(type a, type b, type c) { return 1 / __nv_norm3d##f(a, b, c); }                          \
    LAB_NATIVE type __nv_rnorm4d##f(type a, type b, type c, type d) { return 1 / __nv_norm4d##f(a, b, c, d); }               \
    LAB_NATIVE type __nv_rnorm##f(int count, const type* values) { return 1 / __nv_norm##f(count, values); }                 \
    LAB_NATIVE type __nv_rcbrt##f(type a) { return 1 / __nv_cbrt##f(a); }                                                    \
    LAB_NATIVE type __nv_scalbn##f(type a, int power) { return __nv_ldexp##f(a, power); }                                    \
    LAB_NATIVE type __nv_powi##f(type a, int power) { return __nv_pow##f(a, (type)power); }
LAB_COMBINATIONS(float, f)
LAB_COMBINATIONS(double, )
#undef LAB_COMBINATIONS
LAB_NATIVE float __nv_frexpf(float a, int* exponent) {
    *exponent = 0;
    if (a == 0 || !(__nv_finitef(a))) return a;
    const bool is_small = __builtin_fabsf(a) < 0x1p-126F;
    const int bits = __builtin_bit_cast(int, is_small ? a * 0x1p+25F : a);
    *exponent = (int)((bits >> 23) & 0xff) - 126 - (is_small ? 25 : 0);
    return __builtin_bit_cast(float, (bits & ~(int)0x7f800000) | ((int)126 << 23));
}
LAB_NATIVE double __nv_frexp(double a, int* exponent) {
    *exponent = 0;
    if (a == 0 || !(__nv_isfinited(a))) return a;
    const bool is_small = __builtin_fabs(a) < 0x1p-1022;
    const long long bits = __builtin_bit_cast(long long, is_small ? a * 0x1p+54 : a);
    *exponent = (int)((bits >> 52) & 0x7ff) - 1022 - (is_small ? 54 : 0);
    return __builtin_bit_cast(double, (bits & ~(long long)0x7ff0000000000000) | ((long long)1022 << 52));
}

#undef LAB_NATIVE
