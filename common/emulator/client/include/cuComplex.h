// Complex numbers as float2 and double2.
#pragma once

#include <cmath>

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define LAB_COMPLEX static __host__ __device__ __forceinline__

LAB_COMPLEX cuFloatComplex make_cuFloatComplex(float real, float imaginary) { return make_float2(real, imaginary); }
LAB_COMPLEX cuComplex make_cuComplex(float real, float imaginary) { return make_float2(real, imaginary); }
LAB_COMPLEX float cuCrealf(cuFloatComplex a) { return a.x; }
LAB_COMPLEX float cuCimagf(cuFloatComplex a) { return a.y; }
LAB_COMPLEX cuFloatComplex cuConjf(cuFloatComplex a) { return make_float2(a.x, -a.y); }
LAB_COMPLEX cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) { return make_float2(a.x + b.x, a.y + b.y); }
LAB_COMPLEX cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) { return make_float2(a.x - b.x, a.y - b.y); }
LAB_COMPLEX cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
LAB_COMPLEX float cuCabsf(cuFloatComplex a) { return hypotf(a.x, a.y); }
LAB_COMPLEX cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b) {
    const float scale = 1.0F / (fabsf(b.x) + fabsf(b.y));  // keeps the squares in range
    const float ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;
    const float norm = 1.0F / (bx * bx + by * by);
    return make_float2((ax * bx + ay * by) * norm, (ay * bx - ax * by) * norm);
}

LAB_COMPLEX cuDoubleComplex make_cuDoubleComplex(double real, double imaginary) { return make_double2(real, imaginary); }
LAB_COMPLEX double cuCreal(cuDoubleComplex a) { return a.x; }
LAB_COMPLEX double cuCimag(cuDoubleComplex a) { return a.y; }
LAB_COMPLEX cuDoubleComplex cuConj(cuDoubleComplex a) { return make_double2(a.x, -a.y); }
LAB_COMPLEX cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) { return make_double2(a.x + b.x, a.y + b.y); }
LAB_COMPLEX cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) { return make_double2(a.x - b.x, a.y - b.y); }
LAB_COMPLEX cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) {
    return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
LAB_COMPLEX double cuCabs(cuDoubleComplex a) { return hypot(a.x, a.y); }
LAB_COMPLEX cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b) {
    const double scale = 1.0 / (fabs(b.x) + fabs(b.y));
    const double ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;
    const double norm = 1.0 / (bx * bx + by * by);
    return make_double2((ax * bx + ay * by) * norm, (ay * bx - ax * by) * norm);
}
LAB_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return make_double2(a.x, a.y); }
LAB_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) { return make_float2((float)a.x, (float)a.y); }

#undef LAB_COMPLEX
