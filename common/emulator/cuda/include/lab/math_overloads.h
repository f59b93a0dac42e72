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

// The float versions that clang's headers declare ahead of <cmath> and leave to the toolkit to define.
#define LAB_FLOAT static __device__ __forceinline__
LAB_FLOAT float acosh(float a) { return acoshf(a); }
LAB_FLOAT float asinh(float a) { return asinhf(a); }
LAB_FLOAT float atanh(float a) { return atanhf(a); }
LAB_FLOAT float cbrt(float a) { return cbrtf(a); }
LAB_FLOAT float erf(float a) { return erff(a); }
LAB_FLOAT float erfc(float a) { return erfcf(a); }
LAB_FLOAT float exp2(float a) { return exp2f(a); }
LAB_FLOAT float expm1(float a) { return expm1f(a); }
LAB_FLOAT float lgamma(float a) { return lgammaf(a); }
LAB_FLOAT float log1p(float a) { return log1pf(a); }
LAB_FLOAT float log2(float a) { return log2f(a); }
LAB_FLOAT float logb(float a) { return logbf(a); }
LAB_FLOAT float nearbyint(float a) { return nearbyintf(a); }
LAB_FLOAT float rint(float a) { return rintf(a); }
LAB_FLOAT float round(float a) { return roundf(a); }
LAB_FLOAT float tgamma(float a) { return tgammaf(a); }
LAB_FLOAT float trunc(float a) { return truncf(a); }
LAB_FLOAT float copysign(float a, float b) { return copysignf(a, b); }
LAB_FLOAT float fdim(float a, float b) { return fdimf(a, b); }
LAB_FLOAT float fmax(float a, float b) { return fmaxf(a, b); }
LAB_FLOAT float fmin(float a, float b) { return fminf(a, b); }
LAB_FLOAT float hypot(float a, float b) { return hypotf(a, b); }
LAB_FLOAT float nextafter(float a, float b) { return nextafterf(a, b); }
LAB_FLOAT float remainder(float a, float b) { return remainderf(a, b); }
LAB_FLOAT float fma(float a, float b, float c) { return fmaf(a, b, c); }
LAB_FLOAT float scalbn(float a, int power) { return scalbnf(a, power); }
LAB_FLOAT float scalbln(float a, long power) { return scalblnf(a, power); }
LAB_FLOAT int ilogb(float a) { return ilogbf(a); }
LAB_FLOAT long lrint(float a) { return lrintf(a); }
LAB_FLOAT long lround(float a) { return lroundf(a); }
LAB_FLOAT long long llrint(float a) { return llrintf(a); }
LAB_FLOAT long long llround(float a) { return llroundf(a); }
LAB_FLOAT float nanf(const char*) { return __builtin_nanf(""); }
LAB_FLOAT double nan(const char*) { return __builtin_nan(""); }
#undef LAB_FLOAT

// Float versions under the plain name, for the device.
static __device__ __forceinline__ float rsqrt(float a) { return rsqrtf(a); }
static __device__ __forceinline__ float rcbrt(float a) { return rcbrtf(a); }
static __device__ __forceinline__ float sinpi(float a) { return sinpif(a); }
static __device__ __forceinline__ float cospi(float a) { return cospif(a); }
static __device__ __forceinline__ float erfinv(float a) { return erfinvf(a); }
static __device__ __forceinline__ float erfcinv(float a) { return erfcinvf(a); }
static __device__ __forceinline__ float erfcx(float a) { return erfcxf(a); }
static __device__ __forceinline__ float normcdf(float a) { return normcdff(a); }
static __device__ __forceinline__ float normcdfinv(float a) { return normcdfinvf(a); }
static __device__ __forceinline__ float exp10(float a) { return exp10f(a); }
static __device__ __forceinline__ float j0(float a) { return j0f(a); }
static __device__ __forceinline__ float j1(float a) { return j1f(a); }
static __device__ __forceinline__ float y0(float a) { return y0f(a); }
static __device__ __forceinline__ float y1(float a) { return y1f(a); }
static __device__ __forceinline__ void sincospi(float a, float* sine, float* cosine) { sincospif(a, sine, cosine); }

// The same functions for host code; C has no name for them.
static inline __host__ float rsqrtf(float a) { return 1.0F / sqrtf(a); }
static inline __host__ double rsqrt(double a) { return 1.0 / sqrt(a); }
static inline __host__ float rsqrt(float a) { return 1.0F / sqrtf(a); }
static inline __host__ float rcbrtf(float a) { return 1.0F / cbrtf(a); }
static inline __host__ double rcbrt(double a) { return 1.0 / cbrt(a); }
#define LAB_HOST(name, a, expression)                                                                       \
    static inline __host__ double name(double a) { return expression; }                                     \
    static inline __host__ float name(float a) { return static_cast<float>(name(static_cast<double>(a))); } \
    static inline __host__ float name##f(float a) { return name(a); }
LAB_HOST(normcdf, a, 0.5 * erfc(a * -0.70710678118654752440))   // 1 / sqrt(2)
LAB_HOST(sinpi, a, sin(fmod(a, 2.0) * 3.14159265358979323846))  // a whole number of periods less: no large argument is rounded
LAB_HOST(cospi, a, cos(fmod(a, 2.0) * 3.14159265358979323846))
#undef LAB_HOST
static inline __host__ unsigned umin(unsigned a, unsigned b) { return min(a, b); }
static inline __host__ unsigned umax(unsigned a, unsigned b) { return max(a, b); }
static inline __host__ long long llmin(long long a, long long b) { return min(a, b); }
static inline __host__ long long llmax(long long a, long long b) { return max(a, b); }
static inline __host__ unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
static inline __host__ unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
