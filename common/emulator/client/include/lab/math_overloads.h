// The overloads that CUDA adds to C's math: min and max of any two numbers, float versions of double's names.
#pragma once

// min and max exist on both sides, with and without std. clang's header has the device's int versions.

static inline __host__ int min(int a, int b) { return a < b ? a : b; }
static inline __host__ int max(int a, int b) { return a > b ? a : b; }
static inline __host__ __device__ unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
static inline __host__ __device__ unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
static inline __host__ __device__ unsigned min(int a, unsigned b) { return (unsigned)a < b ? (unsigned)a : b; }
static inline __host__ __device__ unsigned max(int a, unsigned b) { return (unsigned)a > b ? (unsigned)a : b; }
static inline __host__ __device__ unsigned min(unsigned a, int b) { return a < (unsigned)b ? a : (unsigned)b; }
static inline __host__ __device__ unsigned max(unsigned a, int b) { return a > (unsigned)b ? a : (unsigned)b; }
static inline __host__ __device__ unsigned long min(unsigned long a, unsigned long b) { return a < b ? a : b; }
static inline __host__ __device__ unsigned long max(unsigned long a, unsigned long b) { return a > b ? a : b; }
static inline __host__ __device__ unsigned long min(long a, unsigned long b) { return (unsigned long)a < b ? (unsigned long)a : b; }
static inline __host__ __device__ unsigned long max(long a, unsigned long b) { return (unsigned long)a > b ? (unsigned long)a : b; }
static inline __host__ __device__ unsigned long min(unsigned long a, long b) { return a < (unsigned long)b ? a : (unsigned long)b; }
static inline __host__ __device__ unsigned long max(unsigned long a, long b) { return a > (unsigned long)b ? a : (unsigned long)b; }
static inline __host__ __device__ long min(long a, long b) { return a < b ? a : b; }
static inline __host__ __device__ long max(long a, long b) { return a > b ? a : b; }
static inline __host__ __device__ unsigned long long min(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
static inline __host__ __device__ unsigned long long max(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
static inline __host__ __device__ unsigned long long min(long long a, unsigned long long b) {
    return (unsigned long long)a < b ? (unsigned long long)a : b;
}
static inline __host__ __device__ unsigned long long max(long long a, unsigned long long b) {
    return (unsigned long long)a > b ? (unsigned long long)a : b;
}
static inline __host__ __device__ unsigned long long min(unsigned long long a, long long b) {
    return a < (unsigned long long)b ? a : (unsigned long long)b;
}
static inline __host__ __device__ unsigned long long max(unsigned long long a, long long b) {
    return a > (unsigned long long)b ? a : (unsigned long long)b;
}
static inline __host__ __device__ long long min(long long a, long long b) { return a < b ? a : b; }
static inline __host__ __device__ long long max(long long a, long long b) { return a > b ? a : b; }
static inline __host__ __device__ float min(float a, float b) { return __builtin_fminf(a, b); }
static inline __host__ __device__ float max(float a, float b) { return __builtin_fmaxf(a, b); }
static inline __host__ __device__ double min(double a, double b) { return __builtin_fmin(a, b); }
static inline __host__ __device__ double max(double a, double b) { return __builtin_fmax(a, b); }
static inline __host__ __device__ double min(float a, double b) { return __builtin_fmin(a, b); }
static inline __host__ __device__ double max(float a, double b) { return __builtin_fmax(a, b); }
static inline __host__ __device__ double min(double a, float b) { return __builtin_fmin(a, b); }
static inline __host__ __device__ double max(double a, float b) { return __builtin_fmax(a, b); }

// Float versions under the plain name, for the device: those that clang's headers declare ahead of <cmath> and leave to the toolkit, and
// CUDA's own.
// clang-format off
#define LAB_FLOAT static __device__ __forceinline__
#define LAB_UNARY(name) LAB_FLOAT float name(float a) { return name##f(a); }
#define LAB_BINARY(name) LAB_FLOAT float name(float a, float b) { return name##f(a, b); }
LAB_UNARY(acosh) LAB_UNARY(asinh) LAB_UNARY(atanh) LAB_UNARY(cbrt) LAB_UNARY(erf) LAB_UNARY(erfc) LAB_UNARY(exp2) LAB_UNARY(expm1)
LAB_UNARY(lgamma) LAB_UNARY(log1p) LAB_UNARY(log2) LAB_UNARY(logb) LAB_UNARY(nearbyint) LAB_UNARY(rint) LAB_UNARY(round)
LAB_UNARY(tgamma) LAB_UNARY(trunc) LAB_UNARY(rsqrt) LAB_UNARY(rcbrt) LAB_UNARY(sinpi) LAB_UNARY(cospi) LAB_UNARY(erfinv)
LAB_UNARY(erfcinv) LAB_UNARY(erfcx) LAB_UNARY(normcdf) LAB_UNARY(normcdfinv) LAB_UNARY(exp10)
LAB_UNARY(j0) LAB_UNARY(j1) LAB_UNARY(y0) LAB_UNARY(y1)
LAB_BINARY(copysign) LAB_BINARY(fdim) LAB_BINARY(fmax) LAB_BINARY(fmin) LAB_BINARY(hypot) LAB_BINARY(nextafter) LAB_BINARY(remainder)
LAB_FLOAT float fma(float a, float b, float c) { return fmaf(a, b, c); }
// clang-format on
#undef LAB_UNARY
#undef LAB_BINARY
LAB_FLOAT float scalbn(float a, int power) { return scalbnf(a, power); }
LAB_FLOAT float scalbln(float a, long power) { return scalblnf(a, power); }
LAB_FLOAT int ilogb(float a) { return ilogbf(a); }
LAB_FLOAT long lrint(float a) { return lrintf(a); }
LAB_FLOAT long lround(float a) { return lroundf(a); }
LAB_FLOAT long long llrint(float a) { return llrintf(a); }
LAB_FLOAT long long llround(float a) { return llroundf(a); }
LAB_FLOAT float nanf(const char*) { return __builtin_nanf(""); }
LAB_FLOAT double nan(const char*) { return __builtin_nan(""); }
LAB_FLOAT void sincospi(float a, float* sine, float* cosine) { sincospif(a, sine, cosine); }
#undef LAB_FLOAT

// CUDA's functions that C lacks, for host code.
// clang-format off
#define LAB_HOST_FLOAT(name) static inline __host__ float name(float a) { return (float)name((double)a); }
#define LAB_HOST(name, expression)                                      \
    static inline __host__ double name(double a) { return expression; } \
    LAB_HOST_FLOAT(name)                                                \
    static inline __host__ float name##f(float a) { return name(a); }
LAB_HOST(rsqrt, 1.0 / sqrt(a))
LAB_HOST(rcbrt, 1.0 / cbrt(a))
LAB_HOST(normcdf, 0.5 * erfc(a * -0.70710678118654752440))  // 1 / sqrt(2)
#if __GLIBC_PREREQ(2, 41)  // C23 has these
LAB_HOST_FLOAT(sinpi) LAB_HOST_FLOAT(cospi)
#else
LAB_HOST(sinpi, sin(fmod(a, 2.0) * 3.14159265358979323846))
LAB_HOST(cospi, cos(fmod(a, 2.0) * 3.14159265358979323846))
#endif
// clang-format on
#undef LAB_HOST_FLOAT
#undef LAB_HOST
