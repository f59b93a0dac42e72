// Constructors of vector types, such as make_float4.
#pragma once

#include "vector_types.h"

#define LAB_MAKE static __host__ __device__ __forceinline__ constexpr
#define LAB_MAKERS(name, element)                                                          \
    LAB_MAKE name##1 make_##name##1(element x) { return {x}; }                             \
    LAB_MAKE name##2 make_##name##2(element x, element y) { return {x, y}; }               \
    LAB_MAKE name##3 make_##name##3(element x, element y, element z) { return {x, y, z}; } \
    LAB_MAKE name##4 make_##name##4(element x, element y, element z, element w) { return {x, y, z, w}; }
LAB_MAKERS(char, signed char)
LAB_MAKERS(uchar, unsigned char)
LAB_MAKERS(short, short)
LAB_MAKERS(ushort, unsigned short)
LAB_MAKERS(int, int)
LAB_MAKERS(uint, unsigned int)
LAB_MAKERS(long, long)
LAB_MAKERS(ulong, unsigned long)
LAB_MAKERS(longlong, long long)
LAB_MAKERS(ulonglong, unsigned long long)
LAB_MAKERS(float, float)
LAB_MAKERS(double, double)
#undef LAB_MAKERS
#undef LAB_MAKE
