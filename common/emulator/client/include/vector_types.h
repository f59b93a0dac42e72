// CUDA's vector types: structs of 1 to 4 elements of one type. Those of 2 and 4 are aligned to their size (at most 16), so that the
// compiler may load them by one instruction (CUDA C++ Programming Guide, "Built-in Vector Types").
#pragma once

#define __VECTOR_TYPES_H__  // public helper headers test for it

#include "host_defines.h"
#include "lab/wide_copies.h"

// A vector of two or four elements below 16 bytes, and one of 16 bytes and more.
#define LAB_PLAIN_PAIR(type, element)          \
    struct alignas(2 * sizeof(element)) type { \
        element x, y;                          \
    };
#define LAB_PLAIN_FOUR(type, element)          \
    struct alignas(4 * sizeof(element)) type { \
        element x, y, z, w;                    \
    };
#define LAB_WHOLE_PAIR(type, element)          \
    struct LAB_COPIED_WHOLE alignas(16) type { \
        element x, y;                          \
        LAB_COPIED_PAIR(type, element)         \
    };
#define LAB_WHOLE_FOUR(type, element)          \
    struct LAB_COPIED_WHOLE alignas(16) type { \
        element x, y, z, w;                    \
        LAB_COPIED_FOUR(type, element)         \
    };
#define LAB_VECTORS(name, element, two, four) \
    struct name##1 {                          \
        element x;                            \
    };                                        \
    struct name##3 {                          \
        element x, y, z;                      \
    };                                        \
    two(name##2, element) four(name##4, element)

LAB_VECTORS(char, signed char, LAB_PLAIN_PAIR, LAB_PLAIN_FOUR)
LAB_VECTORS(uchar, unsigned char, LAB_PLAIN_PAIR, LAB_PLAIN_FOUR)
LAB_VECTORS(short, short, LAB_PLAIN_PAIR, LAB_PLAIN_FOUR)
LAB_VECTORS(ushort, unsigned short, LAB_PLAIN_PAIR, LAB_PLAIN_FOUR)
LAB_VECTORS(int, int, LAB_PLAIN_PAIR, LAB_WHOLE_FOUR)
LAB_VECTORS(uint, unsigned int, LAB_PLAIN_PAIR, LAB_WHOLE_FOUR)
LAB_VECTORS(long, long, LAB_WHOLE_PAIR, LAB_WHOLE_FOUR)
LAB_VECTORS(ulong, unsigned long, LAB_WHOLE_PAIR, LAB_WHOLE_FOUR)
LAB_VECTORS(longlong, long long, LAB_WHOLE_PAIR, LAB_WHOLE_FOUR)
LAB_VECTORS(ulonglong, unsigned long long, LAB_WHOLE_PAIR, LAB_WHOLE_FOUR)
LAB_VECTORS(float, float, LAB_PLAIN_PAIR, LAB_WHOLE_FOUR)
LAB_VECTORS(double, double, LAB_WHOLE_PAIR, LAB_WHOLE_FOUR)
#undef LAB_VECTORS
#undef LAB_WHOLE_FOUR
#undef LAB_WHOLE_PAIR
#undef LAB_PLAIN_FOUR
#undef LAB_PLAIN_PAIR

// Sizes of grids and blocks; omitted components are 1.
struct dim3 {
    unsigned int x, y, z;
    __host__ __device__ constexpr dim3(unsigned int width = 1, unsigned int height = 1, unsigned int depth = 1)
        : x(width), y(height), z(depth) {}
    __host__ __device__ constexpr dim3(uint3 size) : x(size.x), y(size.y), z(size.z) {}
    __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};
